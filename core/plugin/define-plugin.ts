/** Makes a plugin factory from its definition. The types of options are erased only here. */

import type { BlobFolderTools, FolderTools } from "./contract/folder-tools.ts";
import type { Provides } from "./contract.ts";
import type { Host } from "./host.ts";
import type { Configure, PluginSetting } from "./plugin-settings.ts";
import type { InputOf, OutputOf, StandardSchema } from "./standard-schema.ts";

export interface PluginDefinition<Schema extends StandardSchema> {
	/** The package's name, or for a built-in its kind and name. */
	readonly name: string;
	/** The contract it was written for: `contractVersion` of that time. */
	readonly contract: number;
	readonly options: Schema;
	/** Packages it imports lazily, each with its version range; admission checks that they are installed. */
	readonly needs?: Readonly<Record<string, string>>;
	/** Settings besides the config file, and the options that follow from them. */
	readonly settings?: readonly PluginSetting[];
	readonly configure?: Configure;
	/** For a plugin with a storage that keeps its data in the plugin's folder: without it there are no backups of it. */
	readonly folder?: FolderTools;
	/** The same for a plugin with a blob store that keeps its files in the folder of the storage. */
	readonly blobFolder?: BlobFolderTools;
	readonly start: (options: OutputOf<Schema>, host: Host) => Promise<Provides> | Provides;
}

/** A plugin with its options, ready to be admitted. */
export interface Plugin {
	readonly name: string;
	readonly contract: number;
	readonly options: StandardSchema;
	readonly given: unknown;
	readonly needs: Readonly<Record<string, string>>;
	readonly settings?: readonly PluginSetting[];
	readonly configure?: Configure;
	readonly folder?: FolderTools;
	readonly blobFolder?: BlobFolderTools;
	readonly start: (options: unknown, host: Host) => Promise<Provides> | Provides;
}

export type PluginFactory<Given = unknown> = (options?: Given) => Plugin;

export function definePlugin<Schema extends StandardSchema>(definition: PluginDefinition<Schema>): PluginFactory<InputOf<Schema>> {
	const { name, contract, options, needs = {}, settings = [], configure, folder, blobFolder, start } = definition;
	return (given) => ({
		name,
		contract,
		options,
		given: given ?? {},
		needs,
		settings,
		...(configure === undefined ? {} : { configure }),
		...(folder === undefined ? {} : { folder }),
		...(blobFolder === undefined ? {} : { blobFolder }),
		start: (valid, host) => start(valid as OutputOf<Schema>, host),
	});
}
