/** The storage for tests: the SQL storage on a database in memory, which is lost on `close`. */

import { Database } from "bun:sqlite";
import { searchable } from "cairn-memory";
import type { Storage, StoragePlugin } from "cairn-memory/stores";
import { type Connection, connection } from "../sql/bun-connection.ts";
import { migrate, migrations } from "../sql/migrations.ts";
import { sqlStorage } from "../sql/storage.ts";
import { ramBlobs } from "./blobs.ts";

let image: Uint8Array | null = null;

/** Opens a migrated database in memory. */
function openTables(): Connection {
	image ??= migratedImage();
	return connection(Database.deserialize(image));
}

/** The bytes of a migrated database. Copying them takes a twentieth of the time of a migration, and tests open hundreds of databases. */
function migratedImage(): Uint8Array {
	const database = connection(new Database(":memory:"));
	// Small pages, because each empty table takes one.
	database.script("PRAGMA page_size = 1024");
	migrate(database, migrations);
	const bytes = database.db.serialize();
	database.close();
	return bytes;
}

/** The complete storage as core uses it, with blobs and searches. */
export function ramStorage(now: () => Date = () => new Date()): Storage {
	return searchable(ramRecords(now), ramBlobs({ now }), { now, log: () => undefined, randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)) });
}

/** The storage without blobs. @param now the clock by which memories expire. */
export function ramRecords(now: () => Date): StoragePlugin {
	return sqlStorage({ name: "ram", supports: { manyWriters: false, durable: false }, connection: openTables(), now });
}
