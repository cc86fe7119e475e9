/** Converts the settings that plugins declare to definitions like those of the server. */

import type { Plugin, PluginFactory } from "../../core/plugin/define-plugin.ts";
import type { PluginSetting, SettingValue } from "../../core/plugin/plugin-settings.ts";
import { builtinPlugins } from "../boot/builtin-plugins.ts";
import type { Definition } from "./definition.ts";
import { hosts, httpUrl, integer, nonEmptyString, type Parser, price, providerToken } from "./readers.ts";

export type PluginDefinition = Definition<SettingValue> & Pick<PluginSetting, "use">;

/** The definitions of all settings that the plugins declare, in the order of the plugins. If several declare the same setting, the first one is used. */
export function declaredBy(plugins: readonly Pick<Plugin, "settings">[]): readonly PluginDefinition[] {
	const byName = new Map<string, PluginDefinition>();
	// A value in the list that is not a plugin is rejected later, with a better message.
	for (const setting of plugins.flatMap((plugin) => plugin?.settings ?? [])) if (!byName.has(setting.env)) byName.set(setting.env, definitionOf(setting));
	return [...byName.values()];
}

export const builtinDefinitions = declaredBy((builtinPlugins as readonly PluginFactory[]).map((factory) => factory()));

function definitionOf({ env, kind, meaning, fallback, use }: PluginSetting): PluginDefinition {
	const flag = env
		.replace(/^CAIRN_/, "")
		.replaceAll("_", "-")
		.toLowerCase();
	return {
		env,
		flag,
		fallback: fallback ?? null,
		meaning,
		read: parserOf(kind),
		...(kind === "secret" && { isSecret: true }),
		...(use !== undefined && { use }),
	};
}

function parserOf(kind: PluginSetting["kind"]): Parser<SettingValue> {
	if (typeof kind !== "string") return integer(...kind);
	return { text: nonEmptyString, address: httpUrl, secret: providerToken, list: hosts, price }[kind];
}
