/** How SQLite goes about statements: along an index to some rows, or through a whole table. */

import type { SQLQueryBindings } from "bun:sqlite";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";

export function explained({ db }: Pick<Connection, "db">, sql: string, params: readonly SQLQueryBindings[] = []): readonly string[] {
	const plan = db.query<{ detail: string }, SQLQueryBindings[]>(`EXPLAIN QUERY PLAN ${sql}`).all(...params);
	return plan.map(({ detail }) => detail);
}

/** A new database in memory that notes how it goes about each statement. */
export function explainedConnection(): { readonly connection: Connection; readonly steps: string[] } {
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	const steps: string[] = [];
	const statement: Connection["statement"] = (sql) => {
		steps.push(...explained(connection, sql));
		return connection.statement(sql);
	};
	return { connection: { ...connection, statement }, steps };
}
