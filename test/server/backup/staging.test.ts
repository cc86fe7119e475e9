/** The copy from which a backup is made: nobody removes it while it is made, whatever the ids of processes say, and a loss is noticed. */

import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId, type OrganisationId } from "cairn-memory";
import { folderPlace } from "../../../server/backup/places/folder-place.ts";
import { openStaging, removeLeftovers } from "../../../server/backup/staging.ts";
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

test("a copy that is being made stays, also if its process has the id of whoever looks, and one that was left goes", async () => {
	const dataDir = await newDataDir("looked-through");
	// The process that has this id lives.
	await mkdir(join(dataDir, "unfinished-backup-1-killed", "store"), { recursive: true });
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
			openDamaged: unused,
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
