/** `cairn backup`, `cairn restore` and `cairn verify`: the data folder as one file, back again, and whether it is whole. */

import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { Inspection } from "../../core/plugin/contract/folder-tools.ts";
import { restoreBackup, unpackBackup } from "../backup/read-backup.ts";
import { inspectStore, type StoreTools, storeToolsOf } from "../backup/store-tools.ts";
import { writeBackup } from "../backup/write-backup.ts";
import type { Settings } from "../settings/settings.ts";
import { megabytes, progressBar } from "./progress-bar.ts";

export interface FolderPlace {
	readonly settings: Settings;
	readonly config: Config;
	readonly write: (text: string) => void;
	readonly writeError: (text: string) => void;
	/** Whether a line can be written over. */
	readonly isTerminal: boolean;
}

/** @returns the exit code. @throws ServiceError */
export async function backupCommand(words: readonly string[], place: FolderPlace): Promise<number> {
	const file = onlyWord(words, "cairn backup FILE");
	const { dataDir } = place.settings;
	const store = await storeOf(place);
	demandRoom(file);
	if (!existsSync(join(dataDir, store.folder))) throw fail("DATA_DIR_UNUSABLE", dataDir, "there is nothing in it yet");
	const { files, createdAt } = await writeBackup(resolve(file), { dataDir, store, now: new Date(), progress: progressBar(place, megabytes) });
	place.write(`${file}: ${files.length} files, ${megabytes((await stat(file)).size)}, as of ${createdAt}\n`);
	if (store.blobs === null) place.writeError(`cairn backup: the originals are in the blob store ${place.settings.use.blobStore} and not in the backup\n`);
	return 0;
}

/** @returns the exit code. @throws ServiceError */
export async function restoreCommand(words: readonly string[], place: FolderPlace): Promise<number> {
	const file = onlyWord(words, "cairn restore FILE");
	const { dataDir, use } = place.settings;
	demandFile(file);
	const { files, createdAt, storage, version } = await restoreBackup(resolve(file), resolve(dataDir));
	place.write(`${dataDir}: ${files.length} files as of ${createdAt}, made by version ${version}\n`);
	if (storage !== use.storage) place.writeError(`cairn restore: it holds the storage ${storage}, and the settings name ${use.storage}\n`);
	return 0;
}

/** @returns the exit code. @throws ServiceError */
export async function verifyCommand(words: readonly string[], place: FolderPlace): Promise<number> {
	const store = await storeOf(place);
	if (words.length === 0) return report(await inspectStore(store, join(place.settings.dataDir, store.folder)), place);
	const file = onlyWord(words, "cairn verify [FILE]");
	demandFile(file);
	const unpacked = await mkdtemp(join(tmpdir(), "cairn-verify-"));
	try {
		const { files, createdAt } = await unpackBackup(resolve(file), unpacked);
		place.write(`${file}: ${files.length} files as of ${createdAt}, as the manifest says\n`);
		return report(await inspectStore(store, join(unpacked, store.folder)), place);
	} finally {
		await rm(unpacked, { recursive: true, force: true });
	}
}

function report({ notes, faults }: Inspection, { write, writeError }: FolderPlace): number {
	for (const [what, how] of notes) write(`${what}: ${how}\n`);
	for (const { message, hint, code } of faults as readonly ServiceError[]) writeError(`${message}${hint === null ? "" : `\n  ${hint}`}\n  (${code})\n`);
	return faults.length === 0 ? 0 : 1;
}

/** @throws ServiceError `COMMAND_INVALID` for a storage that has no means for this */
export async function storeOf(place: FolderPlace): Promise<StoreTools> {
	const store = await storeToolsOf(place.settings.use, place.config);
	if (store === null) throw fail("COMMAND_INVALID", `the storage ${place.settings.use.storage} keeps no folder: use the means of its database`);
	return store;
}

export function onlyWord(words: readonly string[], usage: string): string {
	const [word, ...more] = words;
	if (word === undefined || more.length > 0) throw fail("COMMAND_INVALID", `it is called as ${usage}`);
	return word;
}

/** That the file can be made. */
export function demandRoom(file: string): void {
	if (!existsSync(dirname(resolve(file)))) throw fail("COMMAND_INVALID", `there is no folder ${dirname(file)}: name a file in one that is there`);
	if (existsSync(file)) throw fail("COMMAND_INVALID", `${file} is there already: name a file that is not`);
}

export function demandFile(file: string): void {
	if (!existsSync(file)) throw fail("COMMAND_INVALID", `there is no ${file}`);
}
