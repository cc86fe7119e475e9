/** The storage on PostgreSQL: the tables and statements of `plugins/stores/sql`. It has no engine for searches, so they read every text in scope. */

import type { StoragePlugin } from "cairn-memory/stores";
import { sweepSome } from "../sql/documents/discarded.ts";
import { sqlStores } from "../sql/storage.ts";
import { sweepRows } from "../sql/upkeep.ts";
import type { PostgresConnection } from "./connection.ts";
import { postgresEngine } from "./engine.ts";
import { migrate } from "./migrations.ts";
import { writeHint } from "./write-hint.ts";

export interface PostgresStorageOptions {
	readonly connection: PostgresConnection;
	/** The clock by which memories expire. */
	readonly now: () => Date;
}

export function postgresStorage({ connection, now }: PostgresStorageOptions): StoragePlugin {
	const hint = writeHint(connection);
	const { engine, writeProgram } = postgresEngine(connection, hint.tell);
	let closing: Promise<void> | null = null;
	return {
		name: "postgresql",
		supports: { manyWriters: true, durable: true },
		...sqlStores(engine),
		migrate: (beforeUpgrade) => migrate(connection, beforeUpgrade),
		check: async () => void (await connection.query("SELECT 1 FROM organisations LIMIT 1", [])),
		maintain: async (signal) => {
			await sweepRows(engine, now(), signal);
			while (!signal.aborted && (await writeProgram("sweepDiscarded", null, sweepSome)));
		},
		onWritten: hint.listen,
		close: () => {
			closing ??= hint.close().then(connection.close);
			return closing;
		},
	};
}
