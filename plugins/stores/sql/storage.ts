/**
 * A whole storage over one connection of an SQL engine that speaks the dialect of SQLite. An engine with threads, group commit
 * or searches of its own builds its storage of `sqlStores` instead, as `plugins/stores/sqlite` does.
 */

import type { StoragePlugin } from "cairn-memory";
import { sweepDiscarded } from "./documents/discarded.ts";
import type { Executor, Question, SchemaExecutor, SqlEngine } from "./executor.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import type { Operations } from "./operation.ts";
import { createOperations } from "./operations.ts";
import { sqlStores } from "./stores.ts";
import { sweepRows } from "./upkeep/sweep-rows.ts";

/** All that a new engine brings. A transaction that resolves is durable where the storage claims to be. */
export interface SqlConnection extends Executor, SchemaExecutor {
	readonly close: () => void;
}

export interface SqlStorageOptions extends Pick<StoragePlugin, "name" | "supports"> {
	readonly connection: SqlConnection;
	/** Tells when memories have expired, for the upkeep. */
	readonly now: () => Date;
}

export function sqlStorage({ name, supports, connection, now }: SqlStorageOptions): StoragePlugin {
	const engine = directEngine(connection);
	return {
		name,
		supports,
		...sqlStores(engine),
		migrate: async () => void migrate(connection, migrations),
		check: async () => void connection.statement("SELECT 1 FROM organisations LIMIT 1").get(),
		maintain: async (signal) => {
			await sweepRows(engine, now(), signal);
			while (!signal.aborted && sweepDiscarded(connection));
		},
		close: async () => connection.close(),
	};
}

/** Every statement runs in the thread that asks, and every write is a transaction of its own. */
function directEngine(connection: SqlConnection): SqlEngine {
	const { statement, snapshot, transaction } = connection;
	let operations: Operations | null = null;
	return {
		statement,
		snapshot,
		// What an operation is given and answers is copied into rows and out of them: nothing is shared with the caller.
		write: async (operation, args) => {
			operations ??= createOperations(connection);
			return transaction(() => operations?.[operation]?.run(args) as never);
		},
		aside: {
			read: async ({ sql, params }) => statement<{ part: Uint8Array }>(sql).get(...params)?.part ?? null,
			all: async <Row>({ sql, params }: Question) => statement<Row>(sql).all(...params),
		},
	};
}
