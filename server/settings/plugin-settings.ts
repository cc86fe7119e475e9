/** The settings that plugins declare, read as the server's own are. */

import type { Plugin, PluginFactory } from "../../core/plugin/define-plugin.ts";
import type { PluginSetting, SettingValue } from "../../core/plugin/plugin-settings.ts";
import { builtinPlugins } from "../boot/builtin-plugins.ts";
import type { Definition } from "./definition.ts";
import { address, list, price, type Read, text, token, whole } from "./readers.ts";

export type PluginDefinition = Definition<SettingValue>;

/** Each once, in the order of the plugins; of those that share one, the first declares it. */
export function declaredBy(plugins: readonly Pick<Plugin, "settings">[]): readonly PluginDefinition[] {
	const byName = new Map<string, PluginDefinition>();
	// What is no plugin at all is refused at its admission, with better words.
	for (const setting of plugins.flatMap((plugin) => plugin?.settings ?? [])) if (!byName.has(setting.env)) byName.set(setting.env, definitionOf(setting));
	return [...byName.values()];
}

export const builtinDefinitions = declaredBy((builtinPlugins as readonly PluginFactory[]).map((factory) => factory()));

function definitionOf({ env, kind, meaning, fallback }: PluginSetting): PluginDefinition {
	const flag = env
		.replace(/^CAIRN_/, "")
		.replaceAll("_", "-")
		.toLowerCase();
	return { env, flag, fallback: fallback ?? null, meaning, read: readerOf(kind), ...(kind === "secret" ? { isSecret: true } : {}) };
}

function readerOf(kind: PluginSetting["kind"]): Read<SettingValue> {
	if (typeof kind !== "string") return whole(...kind);
	return { text, address, secret: token, list, price }[kind];
}
