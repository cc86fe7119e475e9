/** Tells at the start what the next backup, which may be due in days, would meet. It ends no start: searches go on without backups. */

import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "../../core/ports/world.ts";
import { unfinishedMark } from "./places/folder-place.ts";
import { makeFolder } from "./sync-files.ts";

/** A disk that has to spin up needs ten seconds; a network mount whose server is gone may never answer. */
const answerMsMax = 30_000;

export interface CheckedFolder {
	/** Null where none is configured, or a bucket. */
	readonly folder: string | null;
	/** The data folder; null where the storage keeps its data elsewhere. */
	readonly dataDir: string | null;
}

/**
 * Never rejects. It may never resolve either, so nothing should wait for it.
 * @param signal ends the wait for a folder that does not answer
 */
export async function checkBackupFolder(
	{ folder, dataDir }: CheckedFolder,
	{ log, sleep }: Pick<World, "log" | "sleep">,
	signal: AbortSignal,
	tryFolder: (folder: string) => Promise<void> = writeProbe,
): Promise<void> {
	if (folder === null) return;
	const checked = new AbortController();
	const ending = AbortSignal.any([signal, checked.signal]);
	void sleep(answerMsMax, ending).then(() => {
		if (!ending.aborted) log("warn", "CAIRN_BACKUP_DIR does not answer, so no backup can be written to it", { folder, seconds: answerMsMax / 1_000 });
	});
	try {
		await tryFolder(folder);
		if (dataDir !== null && (await stat(folder)).dev === (await stat(dataDir)).dev)
			log("warn", "CAIRN_BACKUP_DIR is on the file system of the data folder: a disk that fails takes both", { folder, dataDir });
	} catch (thrown) {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		log("error", "no backup can be written to CAIRN_BACKUP_DIR", { folder, reason });
	} finally {
		checked.abort();
	}
}

async function writeProbe(folder: string): Promise<void> {
	// With the name of a backup that was broken off: a backup that begins meanwhile may remove it.
	const probe = join(folder, `lock${unfinishedMark}${crypto.randomUUID().slice(0, 8)}`);
	await makeFolder(folder);
	await writeFile(probe, "", { flag: "wx", mode: 0o600 });
	await rm(probe, { force: true });
}
