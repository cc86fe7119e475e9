/** An executor on Bun's built-in SQLite, with a cache of prepared statements. */

import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import { giveWay } from "cairn-memory/words";
import { checksum } from "./checksum.ts";
import type { Executor, SchemaExecutor } from "./executor.ts";

export interface Connection extends Executor, SchemaExecutor {
	readonly db: Database;
	/** Prepares a statement or takes it from the cache, which drops the least recently used ones: scopes and filters make many different statements. */
	readonly statement: <Row>(sql: string) => Statement<Row, SQLQueryBindings[]>;
	readonly close: () => void;
}

/** Each takes a few kilobytes. */
const statementsMax = 300;

export function connection(opened: Database): Connection {
	const db = withChecksum(opened);
	const statements = new Map<string, Statement>();
	return {
		db,
		statement<Row>(sql: string) {
			// Short computations never ask whether they may pause, but read now and then.
			giveWay();
			const cached = statements.get(sql);
			const prepared = cached ?? db.prepare(sql);
			statements.delete(sql);
			statements.set(sql, prepared);
			const [oldest] = statements.keys();
			if (statements.size > statementsMax && oldest !== undefined) {
				statements.get(oldest)?.finalize();
				statements.delete(oldest);
			}
			return prepared as Statement<Row, SQLQueryBindings[]>;
		},
		snapshot(read) {
			db.run("BEGIN");
			try {
				return read();
			} finally {
				db.run("COMMIT");
			}
		},
		script: (sql) => void db.run(sql),
		transaction: (write) => db.transaction(write).immediate(),
		close() {
			for (const statement of statements.values()) statement.finalize();
			statements.clear();
			db.close();
		},
	};
}

/** Gives a connection the function `checksum`. Each needs it that writes, or checks the indexes; others can read the tables without it. */
export function withChecksum(db: Database): Database {
	return db.function("checksum", { deterministic: true, varargs: true }, checksum);
}
