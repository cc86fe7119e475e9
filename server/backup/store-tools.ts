/** Copies and inspects the folder of a store without starting it, with functions that its plugins provide. */

import { fail } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { BlobFolderTools, FolderTools, Inspection, NeededBlob } from "../../core/plugin/contract/folder-tools.ts";
import type { Plugin } from "../../core/plugin/define-plugin.ts";
import { defaultParts } from "../boot/builtin-plugins.ts";
import { pluginsOf } from "../boot/start-plugins.ts";
import type { Settings } from "../settings/settings.ts";

export interface StoreTools {
	readonly tables: FolderTools;
	/** Null if original files are kept outside the data folder: then they are not part of a backup. */
	readonly blobs: BlobFolderTools | null;
	/** The name of the storage plugin's folder inside the data folder. */
	readonly folder: string;
}

/** An original file may be deleted after the tables were copied and before the file is. Then everything is copied again, up to this many times. */
const attemptsMax = 3;
/** A message names this many missing files and only counts the others. */
const namesMax = 5;

/** The tools of the store in use. @returns null if the storage keeps its data outside the data folder */
export async function storeToolsOf(use: Settings["use"], config: Config): Promise<StoreTools | null> {
	return storeTools(await pluginsOf(config), { ...use, blobStore: use.blobStore ?? defaultParts.blobStore });
}

/** @returns null if the storage keeps its data outside the data folder */
export function storeTools(plugins: readonly Plugin[], use: { readonly storage: string; readonly blobStore: string }): StoreTools | null {
	const storage = plugins.find(({ folder }) => folder?.storage === use.storage);
	const blobs = plugins.find(({ blobFolder }) => blobFolder?.blobStore === use.blobStore)?.blobFolder ?? null;
	return storage?.folder === undefined ? null : { tables: storage.folder, blobs, folder: storage.name };
}

/** Where a copy of the store is made: two folders, since originals can only be linked on the disk that they are on. */
export interface CopyFolders {
	readonly tables: string;
	readonly originals: string;
}

/**
 * Makes a consistent copy, even while a server writes.
 * @param isWanted whether an original is copied; by default all are
 * @throws ServiceError
 */
export async function copyStore(
	{ tables, blobs }: StoreTools,
	folder: string,
	into: CopyFolders,
	isWanted: (blob: NeededBlob) => boolean = () => true,
): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		await tables.copy(folder, into.tables);
		const missing = blobs === null ? null : await copyBlobs(tables.blobsNeeded(into.tables), blobs, folder, into.originals, isWanted);
		if (missing === null) return;
		if (attempt === attemptsMax) throw fail("STORAGE_DAMAGED", `the original file ${missing} is missing`);
	}
}

/** @returns the path of the first missing file, or null if all were copied */
async function copyBlobs(
	needed: Iterable<NeededBlob>,
	blobs: BlobFolderTools,
	folder: string,
	into: string,
	isWanted: (blob: NeededBlob) => boolean,
): Promise<string | null> {
	for (const blob of needed) if (isWanted(blob) && !(await blobs.copy(folder, into, blob))) return blobs.missing(folder, blob);
	return null;
}

export async function inspectStore({ tables, blobs }: Pick<StoreTools, "tables" | "blobs">, folder: string): Promise<Inspection> {
	const { notes, faults } = await tables.inspect(folder);
	if (faults.length > 0) return { notes, faults };
	if (blobs === null) return { notes: [...notes, ["original files", "kept elsewhere"]], faults };
	let count = 0;
	const [missing, altered]: [string[], string[]] = [[], []];
	for (const blob of tables.blobsNeeded(folder)) {
		count++;
		const missingPath = await blobs.missing(folder, blob);
		if (missingPath !== null) missing.push(missingPath);
		else altered.push(...[await blobs.altered(folder, blob)].filter((path) => path !== null));
	}
	const isWhole = missing.length + altered.length === 0;
	const summary = isWhole ? `${count}, all as they were stored` : `${missing.length} of ${count} are missing, ${altered.length} are not as they were stored`;
	return {
		notes: [...notes, ["original files", summary]],
		faults: [
			...(missing.length === 0 ? [] : [fail("STORAGE_DAMAGED", `original files: ${listNames(missing)} missing`)]),
			...(altered.length === 0 ? [] : [fail("STORAGE_DAMAGED", `original files: ${listNames(altered)} not as they were stored`)]),
		],
	};
}

function listNames(missing: readonly string[]): string {
	const rest = missing.length - namesMax;
	return `${missing.slice(0, namesMax).join(", ")}${rest > 0 ? ` and ${rest} more are` : missing.length === 1 ? " is" : " are"}`;
}
