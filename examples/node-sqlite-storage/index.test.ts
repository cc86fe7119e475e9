/** The storage keeps every promise of a storage, and opens its file anew. */

import { afterAll, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Storage, searchable } from "cairn-memory";
import { partOf, pluginContract, quietHost, ramBlobs, storageContract } from "cairn-memory/contract";
import nodeSqlite from "./index.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const contractTests = storageContract(async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-node-sqlite-"));
	folders.push(folder);
	const host = { ...quietHost(), folder };
	const blobs = ramBlobs(host.world);
	const opened: Storage[] = [];
	const open = async () => {
		const storage = searchable(await partOf(nodeSqlite(), "storage", host), blobs, host.world);
		opened.push(storage);
		return storage;
	};
	return {
		storage: await open(),
		reopen: open,
		dispose: async () => {
			for (const storage of opened) await storage.close();
		},
	};
});

for (const contractTest of [...pluginContract(nodeSqlite), ...contractTests]) test(contractTest.name, contractTest.check);
