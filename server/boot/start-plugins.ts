/** Starts the plugins of one thread: the listed ones, then the built-in ones, each with its options. */

import { join } from "node:path";
import { type Choice, none } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { Plugin, PluginFactory } from "../../core/plugin/define-plugin.ts";
import type { GuardedFetch, Host, Sandbox } from "../../core/plugin/host.ts";
import type { ConfiguredOptions, GivenOptions } from "../../core/plugin/plugin-settings.ts";
import { Registry } from "../../core/plugin/registry.ts";
import type { World } from "../../core/ports/world.ts";
import type { Settings } from "../settings/settings.ts";
import { builtinPlugins, defaultParts } from "./builtin-plugins.ts";
import { importPlugin, isInstalled } from "./import-plugin.ts";
import { createGuardedConnect } from "./network/guarded-connect.ts";
import { createGuardedFetch } from "./network/guarded-fetch.ts";
import { createOwnProcess } from "./sandbox/create-own-process.ts";

export interface PluginEnvironment {
	readonly settings: Settings;
	readonly config: Config;
	readonly world: World;
	readonly inherited: unknown;
	readonly fetch: GuardedFetch;
	readonly sandbox: Sandbox;
}

export interface StartedPlugins {
	readonly registry: Registry;
	readonly use: Choice;
	/** A description of the language model without secrets; null for none. */
	readonly modelDescription: string | null;
	/** Whether a plugin is built in. */
	readonly isBuiltin: (name: string) => boolean;
}

const builtins = builtinPlugins as readonly PluginFactory[];

/** Listed plugins come first, and replace built-in ones of the same name. */
export async function pluginsOf({ plugins = [] }: Config): Promise<readonly Plugin[]> {
	const listed = await Promise.all(plugins.map((entry) => importPlugin(entry, builtins)));
	const names = new Set(listed.map(({ name }) => name));
	return [...listed, ...builtins.map((factory) => factory()).filter(({ name }) => !names.has(name))];
}

export async function startPlugins(environment: PluginEnvironment): Promise<StartedPlugins> {
	const { settings } = environment;
	const registry = new Registry(isInstalled);
	const { languageModel, blobStore, ...pluginNames } = settings.use;
	let use: typeof pluginNames & Partial<Choice> = {
		...pluginNames,
		...(languageModel !== null && { languageModel }),
		...(blobStore !== null && { blobStore }),
	};
	const endpoints = new Map<string, string | null>();
	for (const plugin of await pluginsOf(environment.config)) {
		const configured = configurePlugin(plugin, { ...settings, use });
		if (configured === null) continue;
		const { options, endpoint = null, suggests } = configured;
		if (suggests !== undefined) use = { languageModel: suggests, ...use };
		endpoints.set(plugin.name, endpoint);
		await registry.admit({ ...plugin, rawOptions: options }, hostFor(plugin.name, endpoint, environment));
	}
	registry.freeze();
	const storesBlobs = registry.all("blobStore").some(({ name }) => name === use.storage);
	const chosen = { languageModel: none, blobStore: storesBlobs ? use.storage : defaultParts.blobStore, ...use };
	const builtinNames = new Set(builtins.map((factory) => factory().name));
	return { registry, use: chosen, modelDescription: modelDescription(chosen, registry, endpoints), isBuiltin: (name) => builtinNames.has(name) };
}

/** Starts the plugins that provide blob stores, and nothing else. */
export async function startBlobStores(environment: PluginEnvironment): Promise<Registry> {
	const registry = new Registry(isInstalled);
	for (const plugin of await pluginsOf(environment.config)) {
		const isBlobStore = plugin.blobFolder !== undefined || plugin.settings?.some((setting) => setting.use?.blobStore !== undefined) === true;
		const configured = isBlobStore ? configurePlugin(plugin, environment.settings) : null;
		if (configured !== null)
			await registry.admit({ ...plugin, rawOptions: configured.options }, hostFor(plugin.name, configured.endpoint ?? null, environment));
	}
	return registry;
}

export function pluginFolder(dataDir: string, name: string): string {
	return join(dataDir, name.replaceAll(/[^a-z0-9-]/gi, "-"));
}

/** A plugin may connect to the host and port of its configured endpoint even on a private network. For other hosts the usual rules apply. */
function hostFor(name: string, endpoint: string | null, { settings, world, inherited, fetch, sandbox }: PluginEnvironment): Host {
	const log: Host["log"] = (level, message, details) => world.log(level, message, { plugin: name, ...details });
	const allow = [...settings.fetchAllow, ...(endpoint === null ? [] : [new URL(endpoint).host])];
	return {
		log,
		world,
		folder: pluginFolder(settings.dataDir, name),
		fetch: endpoint === null ? fetch : createGuardedFetch({ allow, log }),
		connect: createGuardedConnect({ allow, log }),
		sandbox,
		ownProcess: (bounds) => createOwnProcess(bounds, log),
		inherited: name === settings.use.storage ? inherited : null,
	};
}

function modelDescription({ languageModel }: Choice, registry: Registry, endpoints: ReadonlyMap<string, string | null>): string | null {
	if (languageModel === none) return null;
	const { name, model } = registry.one("languageModel", languageModel);
	const plugin = registry.list().find((part) => part.kind === "languageModel" && part.name === name)?.plugin ?? "";
	const endpoint = endpoints.get(plugin) ?? null;
	return `${model} of ${name}${endpoint === null ? "" : ` at ${endpoint}`}`;
}

/** Without a `configure` function the given options are used unchanged. @returns null if the plugin is not to be loaded */
export function configurePlugin(
	{ configure, rawOptions }: Plugin,
	{ plugins, modelsDir, modelPolicy, use: { languageModel = null, blobStore = null, ...use } }: ConfiguringSettings,
): (Omit<ConfiguredOptions, "options"> & { readonly options: unknown }) | null {
	if (configure === undefined) return { options: rawOptions };
	const chosen = { ...use, ...(languageModel !== null && { languageModel }), ...(blobStore !== null && { blobStore }) };
	return configure(asRecord(rawOptions), { settings: plugins, modelsDir, modelTimeoutMs: modelPolicy.timeoutMs, use: chosen });
}

/** What of the settings plugins are configured by. */
export interface ConfiguringSettings extends Pick<Settings, "plugins" | "modelsDir" | "modelPolicy"> {
	readonly use: Partial<Omit<Settings["use"], "languageModel" | "blobStore">> & { readonly languageModel?: string | null; readonly blobStore?: string | null };
}

/** The options as an object; empty for other values, which are rejected when the plugin is loaded. */
function asRecord(value: unknown): GivenOptions {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as GivenOptions) : {};
}
