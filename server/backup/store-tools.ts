/** A store that is not started, with what its plugins offer for its folder: it is copied, and looked through. */

import { fail } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { BlobFolderTools, FolderTools, Inspection } from "../../core/plugin/contract/folder-tools.ts";
import type { Plugin } from "../../core/plugin/define-plugin.ts";
import { defaultParts } from "../boot/builtin-plugins.ts";
import { pluginsOf } from "../boot/start-plugins.ts";
import type { Settings } from "../settings/settings.ts";

export interface StoreTools {
	readonly tables: FolderTools;
	/** Null where originals are kept elsewhere: then they are left to whoever keeps them. */
	readonly blobs: BlobFolderTools | null;
	/** Below a data folder. */
	readonly folder: string;
}

/** An original may be removed for good between the copy of the tables and its own: then all is copied once more. */
const triesMax = 3;
/** Named in full; beyond this only counted. */
const namedMax = 5;

/** Of the store in use. @returns null for a storage that keeps no folder */
export async function storeToolsOf(use: Settings["use"], config: Config): Promise<StoreTools | null> {
	return storeTools(await pluginsOf(config), { ...use, blobStore: use.blobStore ?? defaultParts.blobStore });
}

/** @returns null for a storage that keeps no folder */
export function storeTools(plugins: readonly Plugin[], use: { readonly storage: string; readonly blobStore: string }): StoreTools | null {
	const storage = plugins.find(({ folder }) => folder?.storage === use.storage);
	const blobs = plugins.find(({ blobFolder }) => blobFolder?.blobStore === use.blobStore)?.blobFolder ?? null;
	return storage?.folder === undefined ? null : { tables: storage.folder, blobs, folder: storage.name };
}

/** As of one moment, while a server writes. @throws ServiceError */
export async function copyStore({ tables, blobs }: StoreTools, folder: string, into: string): Promise<void> {
	for (let tries = 1; ; tries++) {
		await tables.copy(folder, into);
		const missing = blobs === null ? null : await copyBlobs(tables, blobs, folder, into);
		if (missing === null) return;
		if (tries === triesMax) throw fail("STORAGE_DAMAGED", `${missing} is missing of the original files`);
	}
}

/** @returns the place of the first that is not there, null when all are. */
async function copyBlobs(tables: FolderTools, blobs: BlobFolderTools, folder: string, into: string): Promise<string | null> {
	for (const blob of tables.blobsNeeded(into)) if (!(await blobs.copy(folder, into, blob))) return blobs.missing(folder, blob);
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
		const place = await blobs.missing(folder, blob);
		if (place !== null) missing.push(place);
		else altered.push(...[await blobs.altered(folder, blob)].filter((path) => path !== null));
	}
	const bad = missing.length + altered.length;
	const how = bad === 0 ? `${count}, all as they were stored` : `${missing.length} of ${count} are missing, ${altered.length} are not as they were stored`;
	return {
		notes: [...notes, ["original files", how]],
		faults: [
			...(missing.length === 0 ? [] : [fail("STORAGE_DAMAGED", `${namesOf(missing)} missing of the original files`)]),
			...(altered.length === 0 ? [] : [fail("STORAGE_DAMAGED", `${namesOf(altered)} not as it was stored`)]),
		],
	};
}

function namesOf(lost: readonly string[]): string {
	const rest = lost.length - namedMax;
	return `${lost.slice(0, namedMax).join(", ")}${rest > 0 ? ` and ${rest} more are` : lost.length === 1 ? " is" : " are"}`;
}
