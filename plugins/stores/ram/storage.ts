/** The storage for tests: the SQL storage on a database in memory, which is lost on `close`. */

import { searchable } from "cairn-memory";
import type { Storage, StoragePlugin } from "cairn-memory/stores";
import { sqlStorage } from "../sql/storage.ts";
import { ramBlobs } from "./blobs.ts";
import { openTables } from "./tables.ts";

/** The complete storage as core uses it, with blobs and searches. */
export function ramStorage(now: () => Date = () => new Date()): Storage {
	return searchable(ramRecords(now), ramBlobs({ now }), { now, log: () => undefined });
}

/** The storage without blobs. @param now the clock by which memories expire. */
export function ramRecords(now: () => Date): StoragePlugin {
	return sqlStorage({ name: "ram", supports: { manyWriters: false, durable: false }, connection: openTables(), now });
}
