/** The storage on PostgreSQL: the tables and statements of `plugins/stores/sql`. Searches use the indexes beside it, or read every text in scope. */

import type { StoragePlugin } from "cairn-memory/stores";
import { sweepSome } from "../sql/documents/discarded.ts";
import { createTextEraser } from "../sql/erase-deleted.ts";
import { sqlStores } from "../sql/storage.ts";
import { sweepRows } from "../sql/upkeep.ts";
import type { PostgresConnection } from "./connection.ts";
import { postgresEngine } from "./engine.ts";
import { isGraphBeingMade } from "./indexes/vector-graph.ts";
import { migrate, vectorHistory } from "./migrations.ts";
import { rateBuckets } from "./rate-buckets.ts";
import { writeHint } from "./write-hint.ts";

const clock = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS ms";

export interface PostgresStorageOptions {
	readonly connection: PostgresConnection;
	/** The clock by which memories expire. */
	readonly now: () => Date;
	/** Whether the database has pgvector, and gets the tables that need it. */
	readonly hasVectors: boolean;
	/** Is told of an upgrade that waits. */
	readonly log?: ((level: "warn", message: string) => void) | undefined;
}

export function postgresStorage({ connection, now, hasVectors, log }: PostgresStorageOptions): StoragePlugin {
	const hint = writeHint(connection);
	const { engine, engineUnder, writeProgram } = postgresEngine(connection, hint.tell);
	const stores = sqlStores(engine);
	const eraseDeleted = createTextEraser(engine);
	const { takeToken, sweepBuckets } = rateBuckets(connection);
	let closing: Promise<void> | null = null;
	return {
		name: "postgresql",
		supports: { manyWriters: true, durable: true },
		...stores,
		organisation: (organisation, job) => (job === undefined ? stores : sqlStores(engineUnder(job))).organisation(organisation),
		now: async () => new Date((await connection.query(clock, [])).rows.map((row) => (row as { readonly ms: number }).ms)[0] ?? Number.NaN),
		migrate: async (beforeUpgrade) => {
			await migrate(connection, beforeUpgrade, { log });
			if (hasVectors) await migrate(connection, beforeUpgrade, { history: vectorHistory, log, endsByItself: isGraphBeingMade });
		},
		check: async () => void (await connection.query("SELECT 1 FROM organisations LIMIT 1", [])),
		maintain: async (signal, removeBlobs) => {
			const hasSwept = await sweepRows(engine, now(), signal, removeBlobs);
			await sweepBuckets();
			while (!signal.aborted && (await writeProgram("sweepDiscarded", sweepSome)));
			await eraseDeleted({ now: now(), signal, hasSwept });
		},
		takeToken,
		onWritten: hint.listen,
		onJobAdded: hint.listenForJobs,
		close: () => {
			closing ??= hint.close().then(connection.close);
			return closing;
		},
	};
}
