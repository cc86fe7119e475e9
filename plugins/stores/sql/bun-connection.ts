/** A database of Bun's own SQLite as an executor, with the statements prepared on it. */

import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import type { Executor, SchemaExecutor } from "./executor.ts";

export interface Connection extends Executor, SchemaExecutor {
	readonly db: Database;
	/** The least recently used are let go. Scopes and filters make many texts, but the same ones come back. */
	readonly statement: <Row>(sql: string) => Statement<Row, SQLQueryBindings[]>;
	readonly close: () => void;
}

/** Each holds some kilobytes. */
const statementsMax = 300;

export function connection(db: Database): Connection {
	const statements = new Map<string, Statement>();
	return {
		db,
		statement<Row>(sql: string) {
			const known = statements.get(sql);
			const found = known ?? db.prepare(sql);
			statements.delete(sql);
			statements.set(sql, found);
			const [oldest] = statements.keys();
			if (statements.size > statementsMax && oldest !== undefined) {
				statements.get(oldest)?.finalize();
				statements.delete(oldest);
			}
			return found as Statement<Row, SQLQueryBindings[]>;
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
