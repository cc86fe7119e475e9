/** The engine of a database that lies in memory: every statement runs in the thread that asks, and every write is a transaction of its own. */

import { Database } from "bun:sqlite";
import { type Connection, connection } from "../sql/bun-connection.ts";
import type { SqlEngine } from "../sql/executor.ts";
import { migrate } from "../sql/migrate.ts";
import { migrations } from "../sql/migrations.ts";
import type { Operations } from "../sql/operation.ts";
import { createOperations } from "../sql/operations.ts";

export interface RamEngine extends SqlEngine {
	readonly connection: Connection;
}

export function ramEngine(): RamEngine {
	const opened = connection(Database.deserialize(migratedImage()));
	const { statement, snapshot, transaction } = opened;
	const operations: Operations = createOperations(opened);
	return {
		connection: opened,
		statement,
		snapshot,
		// What an operation is given and answers is copied into rows and out of them: nothing is shared with the caller.
		write: async (operation, args) => transaction(() => operations[operation]?.run(args) as never),
		aside: {
			read: async ({ sql, params }) => statement<{ part: Uint8Array }>(sql).get(...params)?.part ?? null,
			all: async <Row>({ sql, params }: Parameters<SqlEngine["aside"]["all"]>[0]) => statement<Row>(sql).all(...params),
		},
	};
}

let image: Uint8Array | null = null;

/** Migrating takes twenty times as long as to copy what has been migrated, and tests open hundreds. */
function migratedImage(): Uint8Array {
	if (image !== null) return image;
	const made = connection(new Database(":memory:"));
	// Empty tables take a page each.
	made.script("PRAGMA page_size = 1024");
	migrate(made, migrations);
	image = made.db.serialize();
	made.close();
	return image;
}
