/** Opens both sides of a move: the store that the settings name, and the one it moves to. */

import { resolve } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { RowPlace, RowSource, RowTarget, RowTools } from "../../core/plugin/contract/row-tools.ts";
import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { GivenOptions, PluginSetting } from "../../core/plugin/plugin-settings.ts";
import { validate } from "../../core/plugin/standard-schema.ts";
import type { BlobStorePlugin } from "../../core/ports/blob-store.ts";
import type { World } from "../../core/ports/world.ts";
import { defaultParts } from "../boot/builtin-plugins.ts";
import { createGuardedFetch } from "../boot/network/guarded-fetch.ts";
import { configurePlugin, pluginFolder, pluginsOf, startBlobStores } from "../boot/start-plugins.ts";
import type { Settings } from "../settings/settings.ts";

export interface MovePlan {
	readonly settings: Settings;
	readonly config: Config;
	readonly world: World;
	/** The address of a database, or a data folder. */
	readonly to: string;
	/** The address of a bucket, or the name of a blob store; null to leave a bucket as it is and to take files along. */
	readonly blobs: string | null;
}

export interface OpenMove extends AsyncDisposable {
	readonly source: RowSource;
	readonly target: RowTarget;
	/** Null if original files stay where they are. */
	readonly blobs: { readonly from: BlobStorePlugin; readonly to: BlobStorePlugin } | null;
	/** The data folder of the servers that will use the target. */
	readonly dataDir: string;
}

type PartKind = "storage" | "blobStore";

export async function openMove(plan: MovePlan): Promise<OpenMove> {
	const plugins = await pluginsOf(plan.config);
	const target = targetSettings(plan, plugins);
	const blobs = await openBlobs(plan, target);
	await using opened = new AsyncDisposableStack();
	const source = await openSource(plan);
	opened.defer(source.close);
	const { tools, place } = await rowTools(target, plugins, { isConfigured: false });
	const openTarget = await tools.openTarget(place);
	opened.defer(openTarget.close);
	const resources = opened.move();
	return { source, target: openTarget, blobs, dataDir: target.dataDir, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** @throws ServiceError if there is nothing to move, or another version made it */
export async function openSource({ settings, config }: Pick<MovePlan, "settings" | "config">): Promise<RowSource> {
	const { tools, place } = await rowTools(settings, await pluginsOf(config), { isConfigured: true });
	return tools.openSource(place);
}

interface Located {
	readonly tools: RowTools;
	readonly place: RowPlace;
}

/** @param isConfigured whether the options of the config file are for this store */
async function rowTools(settings: Settings, plugins: readonly Plugin[], { isConfigured }: { readonly isConfigured: boolean }): Promise<Located> {
	const plugin = plugins.find(({ rows }) => rows?.storage === settings.use.storage);
	if (plugin?.rows === undefined) throw fail("COMMAND_INVALID", `the storage ${settings.use.storage} cannot be moved: use export and import`);
	const configured = configurePlugin(isConfigured ? plugin : { ...plugin, rawOptions: {} }, settings);
	const options = await validate(plugin.options, configured?.options ?? {});
	if ("message" in options) throw fail("PLUGIN_OPTIONS_INVALID", plugin.name, options.message);
	return { tools: plugin.rows, place: { folder: pluginFolder(settings.dataDir, plugin.name), options: options.value as GivenOptions } };
}

function isAddress(text: string): boolean {
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** The settings of a server that uses the target. */
function targetSettings({ settings, to, blobs }: MovePlan, plugins: readonly Plugin[]): Settings {
	const [storage, bucket] = [settingOf(plugins, "storage"), settingOf(plugins, "blobStore")];
	const ofStorage = { [storage.env]: isAddress(to) ? to : null };
	const ofBlobs = blobs === null ? {} : { [bucket.env]: isAddress(blobs) ? blobs : null };
	const blobStore = blobs === null ? settings.use.blobStore : isAddress(blobs) ? (bucket.use?.blobStore ?? null) : blobs;
	return {
		...settings,
		dataDir: isAddress(to) ? settings.dataDir : resolve(to),
		plugins: { ...settings.plugins, ...ofStorage, ...ofBlobs },
		use: { ...settings.use, storage: isAddress(to) ? (storage.use?.storage ?? settings.use.storage) : defaultParts.storage, blobStore },
	};
}

/** The setting with an address that chooses a part. */
function settingOf(plugins: readonly Plugin[], kind: PartKind): PluginSetting {
	const found = plugins.flatMap(({ settings = [] }) => settings).find(({ use }) => use?.[kind] !== undefined);
	if (found === undefined) throw fail("COMMAND_INVALID", `no plugin has a ${kind} with an address`);
	return found;
}

/** Files in a data folder go along. A bucket stays, unless another place is named. */
async function openBlobs({ settings, config, world, blobs }: MovePlan, target: Settings): Promise<OpenMove["blobs"]> {
	if (blobs === null && (settings.use.blobStore ?? defaultParts.blobStore) !== defaultParts.blobStore) return null;
	const blobsOf = async (own: Settings) => {
		const fetch = createGuardedFetch({ allow: own.fetchAllow, log: world.log });
		const sandbox = { run: () => Promise.reject(new Error("a blob store runs no engine")) };
		const registry = await startBlobStores({ settings: own, config, world, inherited: null, fetch, sandbox });
		return registry.one("blobStore", own.use.blobStore ?? defaultParts.blobStore);
	};
	return { from: await blobsOf(settings), to: await blobsOf(target) };
}
