/** Makes a plugin factory from its definition. This is the only place where the types of the options are erased. */

import type { BlobFolderTools, FolderTools } from "./contract/folder-tools.ts";
import type { RowTools } from "./contract/row-tools.ts";
import type { Provides } from "./contract.ts";
import type { Host } from "./host.ts";
import type { Configure, PluginSetting } from "./plugin-settings.ts";
import type { InputOf, OutputOf, StandardSchema } from "./standard-schema.ts";

export interface PluginDefinition<Schema extends StandardSchema = NoOptions> {
	/** The package's name; for a built-in plugin its kind and name. */
	readonly name: string;
	/** The version of the plugin contract (`contractVersion`) that the plugin was written against. */
	readonly contract: number;
	/** The schema of its options; absent for a plugin that has none. */
	readonly options?: Schema;
	/** Packages that it imports lazily, each with its version range. Loading the plugin checks that they are installed. */
	readonly needs?: Readonly<Record<string, string>>;
	/** Environment variables and flags that the plugin reads. */
	readonly settings?: readonly PluginSetting[];
	/** Turns the values of `settings` into options. */
	readonly configure?: Configure;
	/** Backup and inspection of a storage that keeps its data in the plugin's folder. Without it, the storage has no backups. */
	readonly folder?: FolderTools;
	/** The same for a blob store that keeps its files in the folder of the storage plugin. */
	readonly blobFolder?: BlobFolderTools;
	/** Reads and writes all rows of a storage. Without it, the storage cannot be moved. */
	readonly rows?: RowTools;
	readonly start: (options: OutputOf<Schema>, host: Host) => Promise<Provides> | Provides;
}

/** A plugin with its options, ready to be loaded. */
export interface Plugin {
	readonly name: string;
	readonly contract: number;
	readonly options: StandardSchema;
	readonly rawOptions: unknown;
	readonly needs: Readonly<Record<string, string>>;
	readonly settings?: readonly PluginSetting[];
	readonly configure?: Configure;
	readonly folder?: FolderTools;
	readonly blobFolder?: BlobFolderTools;
	readonly rows?: RowTools;
	readonly start: (options: unknown, host: Host) => Promise<Provides> | Provides;
}

export type PluginFactory<Input = unknown> = (options?: Input) => Plugin;

export function definePlugin<Schema extends StandardSchema = NoOptions>(definition: PluginDefinition<Schema>): PluginFactory<InputOf<Schema>> {
	const { name, contract, options = noOptions, needs = {}, settings = [], configure, folder, blobFolder, rows, start } = definition;
	return (rawOptions) => ({
		name,
		contract,
		options,
		rawOptions: rawOptions ?? {},
		needs,
		settings,
		...(configure === undefined ? {} : { configure }),
		...(folder === undefined ? {} : { folder }),
		...(blobFolder === undefined ? {} : { blobFolder }),
		...(rows === undefined ? {} : { rows }),
		start: (validOptions, host) => start(validOptions as OutputOf<Schema>, host),
	});
}

type NoOptions = StandardSchema<Record<string, never>>;

const noOptions: NoOptions = {
	"~standard": {
		version: 1,
		vendor: "cairn",
		validate(value) {
			if (typeof value !== "object" || value === null) return { issues: [{ message: "Invalid input: expected object" }] };
			const [unknown] = Object.keys(value);
			return unknown === undefined ? { value: {} } : { issues: [{ message: `Unrecognized key: "${unknown}"` }] };
		},
	},
};
