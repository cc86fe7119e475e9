/** All records in one file, by the SQLite that comes with Node: what a storage needs beside the tables and statements that Cairn has. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { definePlugin } from "cairn-memory";
import { checksum, type SqlConnection, type Statement, sqlStorage } from "cairn-memory/sql";
import { z } from "zod";

export function openConnection(file: string): SqlConnection {
	const db = new DatabaseSync(file);
	// Indexes keep it of every row, so that a bit that a disk has changed is found.
	db.function("checksum", { deterministic: true, varargs: true }, checksum);
	// With FULL a commit is on the disk when it is answered. The server and its ingest thread wait for each other.
	db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 5000");
	const prepared = new Map<string, StatementSync>();

	function statement<Row>(sql: string): Statement<Row> {
		const known = prepared.get(sql) ?? db.prepare(sql);
		prepared.set(sql, known);
		return {
			all: (...params) => known.all(...params) as Row[],
			get: (...params) => (known.get(...params) as Row | undefined) ?? null,
			run: (...params) => ({ changes: Number(known.run(...params).changes) }),
		};
	}

	function within<Result>(begin: string, run: () => Result): Result {
		db.exec(begin);
		try {
			const result = run();
			db.exec("COMMIT");
			return result;
		} catch (thrown) {
			db.exec("ROLLBACK");
			throw thrown;
		}
	}

	return {
		statement,
		snapshot: (read) => within("BEGIN", read),
		script: (sql) => db.exec(sql),
		transaction: (write) => within("BEGIN IMMEDIATE", write),
		close: () => db.close(),
	};
}

export default definePlugin({
	name: "cairn-plugin-storage-node-sqlite",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, { folder, world }) => {
		mkdirSync(folder, { recursive: true });
		const connection = openConnection(join(folder, "cairn.sqlite"));
		const storage = sqlStorage({ name: "node-sqlite", supports: { manyWriters: false, durable: true }, connection, now: world.now });
		return { storage: [storage], stop: storage.close };
	},
});
