/** Opens the SQLite storage in a folder of its own, for its tests. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Host, searchable } from "cairn-memory";
import type { Storage } from "cairn-memory/stores";
import { openBlobs } from "../../../../plugins/blobs/folder/index.ts";
import sqlite from "../../../../plugins/stores/sqlite/index.ts";
import { quietHost } from "../../../contract/quiet-host.ts";
import type { OpenedStorage } from "../../../contract/storage/ground.ts";

export interface OpenedSqlite extends OpenedStorage {
	readonly folder: string;
}

/** Not yet migrated. */
export async function openSqlite(): Promise<OpenedSqlite> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-sqlite-"));
	const opened: Storage[] = [];
	const open = async () => {
		const storage = await startSqlite(folder);
		opened.push(storage);
		return storage;
	};
	return {
		folder,
		storage: await open(),
		reopen: open,
		dispose: async () => {
			for (const storage of opened) await storage.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** What its options are when nobody gives any: validating them is up to who admits a plugin. */
export const usual = { scanMax: 20_000, rebuildAfter: 10_000 };

export async function startSqlite(folder: string, overrides: Partial<Host> = {}, options: Partial<typeof usual> = {}): Promise<Storage> {
	const host = { ...quietHost(folder), ...overrides };
	const [storage] = (await sqlite().start({ ...usual, ...options }, host)).storage ?? [];
	if (storage === undefined) throw new Error("the plugin offers no storage");
	return searchable(storage, openBlobs(folder, host.world), host.world);
}
