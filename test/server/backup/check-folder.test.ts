/** Whether backups can be written is told at the start, not when the next one is due. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheckedFolder, checkBackupFolder } from "../../../server/backup/check-folder.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const never = new AbortController().signal;

let data: string;
beforeAll(async () => {
	data = await mkdtemp(join(tmpdir(), "cairn-backups-"));
	await writeFile(join(data, "file"), "");
});
afterAll(() => rm(data, { recursive: true }));

async function told(checked: CheckedFolder, tryFolder?: (folder: string) => Promise<void>): Promise<readonly string[]> {
	const world = createTestWorld();
	await checkBackupFolder(checked, world, never, tryFolder);
	// The wait for an answer has ended with the check.
	world.advance(60_000);
	await settle();
	return world.lines.map(({ level, message }) => `${level}: ${message}`);
}

test("a folder that cannot be written to, or that is on the file system of the data, is told, and nothing is left there", async () => {
	const folder = join(data, "backups");
	expect(await told({ folder: join(data, "file", "backups"), dataDir: data })).toEqual(["error: no backup can be written to CAIRN_BACKUP_DIR"]);
	const sameDisk = "warn: CAIRN_BACKUP_DIR is on the file system of the data folder: a disk that fails takes both";
	expect(await told({ folder, dataDir: data })).toEqual([sameDisk]);
	expect(await readdir(folder)).toEqual([]);
	expect(await told({ folder: null, dataDir: data })).toEqual([]);
});

test("of a storage that keeps its data elsewhere nothing is said about the file system", async () => {
	expect(await told({ folder: join(data, "backups"), dataDir: null })).toEqual([]);
});

test("a folder that goes while it is looked at is told as one that cannot be written to", async () => {
	const gone = { folder: join(data, "gone"), dataDir: data };
	expect(await told(gone, async () => undefined)).toEqual(["error: no backup can be written to CAIRN_BACKUP_DIR"]);
});

test("a folder that does not answer is told, until the server stops", async () => {
	for (const isStopped of [false, true]) {
		const world = createTestWorld();
		const stopping = new AbortController();
		void checkBackupFolder({ folder: data, dataDir: data }, world, stopping.signal, () => new Promise(() => undefined));
		if (isStopped) stopping.abort();
		world.advance(60_000);
		await settle();
		const lines = world.lines.map(({ level, message }) => `${level}: ${message}`);
		expect(lines).toEqual(isStopped ? [] : ["warn: CAIRN_BACKUP_DIR does not answer, so no backup can be written to it"]);
	}
});
