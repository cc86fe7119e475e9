/** The storage for tests: the statements of every SQL store on a database in memory. Nothing is kept after `close`. */

import { searchable } from "cairn-memory";
import type { Storage, StoragePlugin } from "cairn-memory/stores";
import { sqlStorage } from "../sql/storage.ts";
import { ramBlobs } from "./blobs.ts";
import { openTables } from "./tables.ts";

/** With blobs, and searched, as core has it. */
export function ramStorage(now: () => Date = () => new Date()): Storage {
	return searchable(ramRecords(now), ramBlobs({ now }), { now, log: () => undefined });
}

/** @param now tells when memories have expired, for the upkeep. */
export function ramRecords(now: () => Date): StoragePlugin {
	return sqlStorage({ name: "ram", supports: { manyWriters: false, durable: false }, connection: openTables(), now });
}
