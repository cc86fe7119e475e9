/** The copy from which a backup is made: nobody removes it while it is made, whatever the ids of processes say, and a loss is noticed. */

import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId, type OrganisationId } from "cairn-memory";
import { folderPlace } from "../../../server/backup/places/folder-place.ts";
import { openStaging, removeLeftovers } from "../../../server/backup/staging.ts";
import { lockStaging, stagingLockName } from "../../../server/backup/staging-lock.ts";
import type { StoreTools } from "../../../server/backup/store-tools.ts";
import { takeBackup } from "../../../server/backup/take-backup.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-staging-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const stagedIn = async (dataDir: string) => (await readdir(dataDir)).filter((name) => name.startsWith("unfinished-backup-"));

async function newDataDir(name: string): Promise<string> {
	const dataDir = join(folder, name);
	await mkdir(join(dataDir, "store"), { recursive: true });
	return dataDir;
}

/** What a killed process has left. */
async function leave(dataDir: string, name: string): Promise<void> {
	await mkdir(join(dataDir, `unfinished-backup-${name}`, "store"), { recursive: true });
	await writeFile(join(dataDir, `unfinished-backup-${name}`, stagingLockName), "");
}

test("a copy that is being made stays, also if its process has the id of whoever looks, and one that was left goes", async () => {
	const dataDir = await newDataDir("looked-through");
	// The process that has this id lives.
	await leave(dataDir, "1-killed");
	const place = folderPlace(join(folder, "place"));
	{
		await using staging = await openStaging(dataDir, "store", place, "one.tar");
		await writeFile(join(staging.folders.originals, "original"), "bytes");
		await removeLeftovers(dataDir);
		await using _other = await openStaging(dataDir, "store", place, "two.tar");
		expect((await staging.files()).map(({ name }) => name)).toEqual(["store/original"]);
		expect((await stagedIn(dataDir)).filter((name) => !name.includes(`-${process.pid}-`))).toEqual([]);
	}
	expect(await stagedIn(dataDir)).toEqual([]);
});

test("a copy without a lock, which an earlier version may be making, goes after a day", async () => {
	const dataDir = await newDataDir("without-lock");
	for (const name of ["young", "old"]) await mkdir(join(dataDir, `unfinished-backup-1-${name}`, "store"), { recursive: true });
	const old = new Date(Date.now() - 25 * 60 * 60_000);
	await utimes(join(dataDir, "unfinished-backup-1-old"), old, old);
	await removeLeftovers(dataDir);
	expect(await stagedIn(dataDir)).toEqual(["unfinished-backup-1-young"]);
});

test("while a copy is removed its lock is there as long as anything else is, so that a kill in the middle leaves nothing for long", async () => {
	const dataDir = await newDataDir("removed-halfway");
	await leave(dataDir, "1-killed");
	const copy = join(dataDir, "unfinished-backup-1-killed");
	for (let i = 0; i < 20; i++) {
		await mkdir(join(copy, `${i}`));
		for (let j = 0; j < 50; j++) await writeFile(join(copy, `${i}`, `${j}`), "");
	}
	const removal = removeLeftovers(dataDir).then(() => "removed" as const);
	let isRemoved = false;
	while (!isRemoved) {
		const names = await readdir(copy).catch(() => []);
		if (names.length > 0) expect(names).toContain(stagingLockName);
		isRemoved = (await Promise.race([removal, readdir(dataDir)])) === "removed";
	}
	expect(await stagedIn(dataDir)).toEqual([]);
});

test("a folder that was made and not locked yet when its process was killed goes at once", async () => {
	const dataDir = await newDataDir("just-begun");
	await mkdir(join(dataDir, "unfinished-backup-1-empty"));
	await removeLeftovers(dataDir);
	expect(await stagedIn(dataDir)).toEqual([]);
});

test("what was left goes also where the lock of the data folder cannot be had, and what is being made stays", async () => {
	const dataDir = await newDataDir("lock-of-another-user");
	// As a file of another user, it can be neither opened nor removed by SQLite, also where the tests run as root.
	await mkdir(join(dataDir, stagingLockName));
	await leave(dataDir, "1-killed");
	await using _staging = await openStaging(dataDir, "store", folderPlace(join(folder, "place")), "four.tar");
	await removeLeftovers(dataDir);
	expect((await stagedIn(dataDir)).map((name) => name.includes(`-${process.pid}-`))).toEqual([true]);
});

test.skipIf(process.getuid?.() === 0)("a file that can only be read locks nothing", async () => {
	const dataDir = await newDataDir("read-only-lock");
	await writeFile(join(dataDir, stagingLockName), "", { mode: 0o444 });
	expect(lockStaging(dataDir)).toBe("impossible");
});

test("whoever waits for the lock of the data folder lets everything else go on", async () => {
	const dataDir = await newDataDir("waited-for");
	await leave(dataDir, "1-killed");
	const lock = lockStaging(dataDir);
	expect(lockStaging(dataDir)).toBe("taken");
	const removal = removeLeftovers(dataDir);
	for (let turn = 0; turn < 10; turn++) await stagedIn(dataDir);
	expect((await stagedIn(dataDir)).length).toBe(1);
	if (typeof lock !== "string") lock[Symbol.dispose]();
	await removal;
	expect(await stagedIn(dataDir)).toEqual([]);
});

test("a copy of another process stays as long as that lives", async () => {
	const dataDir = await newDataDir("of-another");
	const source = `
		import { folderPlace } from ${JSON.stringify(join(import.meta.dir, "../../../server/backup/places/folder-place.ts"))};
		import { openStaging } from ${JSON.stringify(join(import.meta.dir, "../../../server/backup/staging.ts"))};
		const staging = await openStaging(${JSON.stringify(dataDir)}, "store", folderPlace(${JSON.stringify(join(folder, "place"))}), "three.tar");
		console.log("staged");
		setInterval(() => staging, 1_000);`;
	const child = Bun.spawn([process.execPath, "-e", source], { cwd: import.meta.dir, stdout: "pipe" });
	await child.stdout.getReader().read();
	await removeLeftovers(dataDir);
	expect((await stagedIn(dataDir)).length).toBe(1);
	child.kill("SIGKILL");
	await child.exited;
	await removeLeftovers(dataDir);
	expect(await stagedIn(dataDir)).toEqual([]);
}, 60_000);

const original = { organisation: asId<OrganisationId>("organisationAAAAAAAAAA"), key: "original", sha256: "0".repeat(64) };

/** A store whose copy has lost something by the time it is read. */
function lossy(lost: "tables" | "original"): StoreTools {
	const unused = () => Promise.reject(new Error("not called"));
	return {
		folder: "store",
		tables: {
			storage: "store",
			copy: async (_, into) => (lost === "tables" ? undefined : writeFile(join(into, "tables"), "rows")),
			blobsNeeded: () => (lost === "tables" ? [] : [original]),
			inspect: unused,
			scrub: unused,
			read: () => {
				throw new Error("not called");
			},
			openDamaged: unused,
			record: () => null,
			organisations: () => [],
		},
		blobs: { blobStore: "store", copy: async () => true, path: ({ key }) => `blobs/${key}`, missing: unused, altered: unused },
	};
}

for (const kind of ["full", "incremental"] as const)
	for (const lost of ["tables", "original"] as const)
		test(`of kind ${kind}, a backup whose copy has lost its ${lost} fails and is not there`, async () => {
			const dataDir = await newDataDir(`${kind}-${lost}`);
			const place = folderPlace(join(folder, `${kind}-${lost}-place`));
			const plan = { dataDir, store: lossy(lost), place, name: "cairn-2026-11-22T21-00-00Z.json", now: new Date(), progress: () => undefined };
			const thrown: unknown = await takeBackup(kind, plan).catch((failed: unknown) => failed);
			expect(thrown).toMatchObject({ code: "BACKUP_INCOMPLETE", message: expect.stringContaining(lost) });
			expect(await place.list("")).toEqual([]);
		});
