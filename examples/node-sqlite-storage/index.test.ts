/** The storage keeps every promise of a storage, and opens its file anew. */

import { afterAll, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { searchable } from "cairn-memory";
import { partOf, pluginContract, quietHost, ramBlobs, storageContract } from "cairn-memory/contract";
import type { Storage } from "cairn-memory/stores";
import nodeSqlite from "./index.ts";

const home = await mkdtemp(join(tmpdir(), "cairn-node-sqlite-"));
afterAll(() => rm(home, { recursive: true, force: true }));

/** Migrated once: to wait for the disk after each migration would take most of the time. */
const template = join(home, "template");
const first = await partOf(nodeSqlite(), "storage", { ...quietHost(), folder: template });
await first.migrate();
await first.close();

const contractTests = storageContract(async () => {
	const folder = await mkdtemp(join(home, "storage-"));
	await cp(template, folder, { recursive: true });
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
