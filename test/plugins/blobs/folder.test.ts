/** Blobs as files: every promise of a blob store, old places, and what an upkeep leaves. */

import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "../../../core/plugin/standard-schema.ts";
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
