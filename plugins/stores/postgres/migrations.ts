/**
 * Creates and upgrades the tables in PostgreSQL. Its first migration creates the tables as SQLite's migrations had made them by then; later
 * ones are its own. The tables that need pgvector have a history of their own, because a server may get it later.
 */

import { fail } from "cairn-memory";
import type { Binding } from "../sql/executor.ts";
import { type Applied, checksumOf, type Migration, refuseOthers } from "../sql/migrations.ts";
import type { PostgresConnection, Query } from "./connection.ts";
import init from "./migrations/0000_init.sql" with { type: "text" };
import rateBuckets from "./migrations/0001_rate_buckets.sql" with { type: "text" };
import indexes from "./migrations/0002_indexes.sql" with { type: "text" };
import jobTraces from "./migrations/0003_job_traces.sql" with { type: "text" };
import jobCrashes from "./migrations/0004_job_crashes.sql" with { type: "text" };
import organisations from "./migrations/0005_organisations.sql" with { type: "text" };
import countedTerms from "./migrations/0006_counted_terms.sql" with { type: "text" };
import countedByOldServers from "./migrations/0007_counted_by_old_servers.sql" with { type: "text" };
import countedGrams from "./migrations/0008_counted_grams.sql" with { type: "text" };
import memoryHomes from "./migrations/0009_memory_homes.sql" with { type: "text" };
import wordsGathered from "./migrations/0010_words_gathered.sql" with { type: "text" };
import jobsByTask from "./migrations/0011_jobs_by_task.sql" with { type: "text" };
import vectorsInit from "./migrations/pgvector/0000_init.sql" with { type: "text" };
import vectorParts from "./migrations/pgvector/0001_parts.sql" with { type: "text" };
import { codeOf } from "./try-again.ts";
import { lockTables } from "./write-locks.ts";

export interface History {
	/** The table that lists what was applied. */
	readonly table: string;
	readonly migrations: readonly Migration[];
}

export const history: History = {
	table: "migrations",
	migrations: [
		{ name: "0000_init", sql: init },
		{ name: "0001_rate_buckets", sql: rateBuckets },
		{ name: "0002_indexes", sql: indexes },
		{ name: "0003_job_traces", sql: jobTraces },
		{ name: "0004_job_crashes", sql: jobCrashes },
		{ name: "0005_organisations", sql: organisations },
		{ name: "0006_counted_terms", sql: countedTerms },
		{ name: "0007_counted_by_old_servers", sql: countedByOldServers },
		{ name: "0008_counted_grams", sql: countedGrams },
		{ name: "0009_memory_homes", sql: memoryHomes },
		{ name: "0010_words_gathered", sql: wordsGathered },
		{ name: "0011_jobs_by_task", sql: jobsByTask },
	],
};
export const vectorHistory: History = {
	table: "vector_migrations",
	migrations: [
		{ name: "0000_init", sql: vectorsInit },
		{ name: "0001_parts", sql: vectorParts },
	],
};

/**
 * How long a migration waits for a table: whoever asks for the table meanwhile waits behind it. Longer than `deadlock_timeout`, a second by
 * default, since only after that one PostgreSQL ends an autovacuum that is in the way.
 */
const lockTimeoutMs = 3_000;
const pauseMs = 1_000;
/** A table that is in use for longer than about two minutes ends the start. */
const triesMax = 30;
/** A lock was not had in time (55P03), or two transactions waited for each other (40P01). */
const triedAgain: ReadonlySet<string> = new Set(["55P03", "40P01"]);

export interface MigrateOptions {
	readonly history?: History;
	/** Waits for some milliseconds. */
	readonly pause?: (ms: number) => Promise<void>;
	readonly log?: ((level: "warn", message: string) => void) | undefined;
	/** Whether a table is held by what ends by itself, however long it takes; then the upgrade waits for it before it asks for any table. */
	readonly endsByItself?: (query: Query) => Promise<boolean>;
}

/**
 * Brings the schema up to date, completely or not at all. If several programs start at once, one of them does it and the others wait. Where
 * somebody else uses a table for longer, it lets those behind it go first and tries again.
 * @throws ServiceError `STORAGE_UNREACHABLE` if a table stays in use
 */
export async function migrate(
	connection: Pick<PostgresConnection, "transaction">,
	beforeUpgrade?: (schema: number) => Promise<void>,
	{ history: asked = history, pause = Bun.sleep, log = () => undefined, endsByItself = async () => false }: MigrateOptions = {},
): Promise<void> {
	let [hasBegun, isTold] = [false, false];
	const beforeFirst = async (schema: number) => {
		if (hasBegun) return;
		await beforeUpgrade?.(schema);
		hasBegun = true;
	};
	for (let tries = 1; ; tries++) {
		try {
			return await tryMigrate(connection, beforeFirst, asked, endsByItself);
		} catch (thrown) {
			const code = codeOf(thrown);
			if (thrown instanceof EndsByItself) tries = 0;
			else if (!triedAgain.has(code)) throw thrown;
			if (tries === triesMax) throw fail("STORAGE_UNREACHABLE", `a table that the upgrade changes is in use by another program (${code})`).because(thrown);
			if (!isTold) log("warn", "a table that the upgrade changes is in use by another program; it is tried again");
			isTold = true;
			await pause(pauseMs);
		}
	}
}

/** Nothing was changed or waited for yet. */
class EndsByItself extends Error {}

async function tryMigrate(
	connection: Pick<PostgresConnection, "transaction">,
	beforeUpgrade: (schema: number) => Promise<void>,
	{ table, migrations }: History,
	endsByItself: (query: Query) => Promise<boolean>,
): Promise<void> {
	await connection.transaction("", async (inside) => {
		await lockTables(inside);
		const { query, script } = inside;
		await script(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
		await script(`CREATE TABLE IF NOT EXISTS ${table} (number BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`);
		const applied = (await query(`SELECT name, checksum FROM ${table} ORDER BY number`, [])).rows as readonly Applied[];
		refuseOthers(applied, migrations);
		if (applied.length === migrations.length) return;
		if (applied.length > 0) await beforeUpgrade(applied.length);
		// Others would wait behind an upgrade that waits for a table, and the database would end either this one or what it waits for.
		if (await endsByItself(query)) throw new EndsByItself();
		for (const [i, migration] of migrations.entries()) {
			if (i < applied.length) continue;
			await script(migration.sql);
			const row: readonly Binding[] = [i + 1, migration.name, checksumOf(migration), Date.now()];
			await query(`INSERT INTO ${table} (number, name, checksum, applied_at) VALUES ($1, $2, $3, $4)`, row);
		}
	});
}
