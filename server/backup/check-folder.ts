/** Tells at the start what the next backup, which may be due in days, would meet. It ends no start: searches go on without backups. */

import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../core/ports/world.ts";
import { unfinishedMark } from "./places/folder-place.ts";
import { makeFolder } from "./sync-files.ts";

/** @param folder null where none is configured, or a bucket */
export async function checkBackupFolder(folder: string | null, dataDir: string, log: Log): Promise<void> {
	if (folder === null) return;
	// With the name of a backup that was broken off, which the next one removes.
	const probe = join(folder, `lock${unfinishedMark}${crypto.randomUUID().slice(0, 8)}`);
	try {
		await makeFolder(folder);
		await writeFile(probe, "", { flag: "wx", mode: 0o600 });
		await rm(probe);
	} catch (thrown) {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		log("error", "no backup can be written to CAIRN_BACKUP_DIR", { folder, reason });
		return;
	}
	if ((await stat(folder)).dev === (await stat(dataDir)).dev)
		log("warn", "CAIRN_BACKUP_DIR is on the disk of the data folder: a disk that fails takes both", { folder, dataDir });
}
