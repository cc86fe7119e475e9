/** Whether backups can be written is told at the start, not when the next one is due. */

import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkBackupFolder } from "../../../server/backup/check-folder.ts";

test("a folder that cannot be written to, or that is on the disk of the data, is told, and nothing is left there", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-backups-"));
	const told = async (place: string | null) => {
		const lines: string[] = [];
		await checkBackupFolder(place, folder, (level, message) => lines.push(`${level}: ${message}`));
		return lines;
	};
	await writeFile(join(folder, "file"), "");
	expect(await told(join(folder, "file", "backups"))).toEqual(["error: no backup can be written to CAIRN_BACKUP_DIR"]);
	expect(await told(join(folder, "backups"))).toEqual(["warn: CAIRN_BACKUP_DIR is on the disk of the data folder: a disk that fails takes both"]);
	expect(await readdir(join(folder, "backups"))).toEqual([]);
	expect(await told(null)).toEqual([]);
	await rm(folder, { recursive: true });
});
