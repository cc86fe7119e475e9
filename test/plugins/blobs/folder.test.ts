/** Blobs as files: every promise of a blob store, old places, and what an upkeep leaves. */

import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "../../../core/plugin/standard-schema.ts";
import { folderMaker } from "../../../plugins/blobs/folder/durable-folder.ts";
import folderPlugin, { openBlobs } from "../../../plugins/blobs/folder/index.ts";
import { blobStoreContract } from "../../contract/blob-store-contract.ts";
import { quietHost } from "../../contract/quiet-host.ts";
import { sampleOrganisation } from "../../contract/samples.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-blobs-"));
	folders.push(folder);
	return folder;
}

const clock = { now: () => new Date() };

const contractTests = blobStoreContract(async () => {
	const folder = await newFolder();
	return { store: openBlobs(folder, clock), reopen: async () => openBlobs(folder, clock), dispose: async () => {} };
});

for (const contractTest of contractTests) test(contractTest.name, contractTest.check);

async function* bytes(text: string) {
	yield new TextEncoder().encode(text);
}

test("no folder is used before its entry is on the disk, whoever made it, and each is synced once", async () => {
	const top = await newFolder();
	// By a process that was killed, say.
	await mkdir(join(top, "earlier"));
	const synced: string[] = [];
	const makeFolder = folderMaker(top, async (path) => {
		// A disk takes longer than a call that finds its folder there.
		for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
		synced.push(path.slice(top.length));
	});
	const syncedWhenMade = async (path: string) => {
		await makeFolder(join(top, path));
		return new Set(synced);
	};
	expect(await syncedWhenMade("earlier")).toEqual(new Set([""]));
	synced.length = 0;
	for (const seen of await Promise.all(["new/a", "new/a", "new/a"].map(syncedWhenMade))) expect(seen).toEqual(new Set(["", "/new"]));
	synced.length = 0;
	expect(await syncedWhenMade("new/a")).toEqual(new Set());
	expect(await syncedWhenMade("new/b")).toEqual(new Set(["/new"]));
});

test("a folder whose entry could not be synced is tried again", async () => {
	const top = await newFolder();
	let isBroken = true;
	const makeFolder = folderMaker(top, async () => {
		if (isBroken) throw new Error("the disk is broken");
	});
	await expect(makeFolder(join(top, "a"))).rejects.toThrow("the disk is broken");
	await expect(makeFolder(join(top, "a"))).rejects.toThrow("the disk is broken");
	isBroken = false;
	await makeFolder(join(top, "a"));
});

test("they lie where they always have, in the folder of the storage that is used", async () => {
	const dataDir = await newFolder();
	const { configure, options, start } = folderPlugin();
	const { options: given } = configure?.({}, { settings: {}, modelsDir: "", modelTimeoutMs: 1, use: { storage: "sqlite" } }) ?? {};
	expect(await validate(options, given)).toEqual({ value: { storage: "sqlite" } });
	const [store] = (await start(given, quietHost(join(dataDir, "folder")))).blobStore ?? [];
	await store?.organisation(sampleOrganisation).put("a-key", bytes("x"), 1);
	expect(existsSync(join(dataDir, "sqlite", "blobs", sampleOrganisation, "2a", "a-key"))).toBe(true);
	expect(existsSync(join(dataDir, "folder"))).toBe(false);
});

test("what a broken-off put has left goes, once it is old or from an earlier run; what is under way stays", async () => {
	const folder = await newFolder();
	const home = join(folder, "blobs", "unfinished");
	await mkdir(home, { recursive: true });
	await writeFile(join(home, "earlier"), "x");
	// The times of files go by the system's tick, which is some milliseconds behind the clock.
	await Bun.sleep(20);
	const store = openBlobs(folder, clock);
	await Bun.sleep(20);
	await writeFile(join(home, "under-way"), "x");
	await writeFile(join(home, "old"), "x");
	const old = new Date(Date.now() - 2 * 60 * 60_000);
	await utimes(join(home, "old"), old, old);
	await store.maintain?.(new AbortController().signal);
	expect(["earlier", "under-way", "old"].filter((name) => existsSync(join(home, name)))).toEqual(["under-way"]);
});
