/** All migrations in their order. Those that a database lacks are applied in one transaction. A migration that has been released is never changed: add another. */

import { createHash } from "node:crypto";
import { fail } from "cairn-memory";
import type { SchemaExecutor } from "./executor.ts";
import init from "./migrations/0000_init.sql" with { type: "text" };
import words from "./migrations/0001_words.sql" with { type: "text" };
import accounts from "./migrations/0002_accounts.sql" with { type: "text" };
import events from "./migrations/0003_events.sql" with { type: "text" };
import profiles from "./migrations/0004_profiles.sql" with { type: "text" };
import removals from "./migrations/0005_removals.sql" with { type: "text" };
import wordIndexes from "./migrations/0006_word_indexes.sql" with { type: "text" };
import neighbours from "./migrations/0007_neighbours.sql" with { type: "text" };
import writtenBy from "./migrations/0008_written_by.sql" with { type: "text" };
import about from "./migrations/0009_about.sql" with { type: "text" };
import memoryTimes from "./migrations/0010_memory_times.sql" with { type: "text" };
import spaces from "./migrations/0011_spaces.sql" with { type: "text" };
import writers from "./migrations/0012_written_by_index.sql" with { type: "text" };
import firstChunks from "./migrations/0013_first_chunks.sql" with { type: "text" };
import fewerEdges from "./migrations/0014_fewer_edges.sql" with { type: "text" };
import scopeChanges from "./migrations/0015_scope_changes.sql" with { type: "text" };
import upkeep from "./migrations/0016_upkeep.sql" with { type: "text" };
import vectorSource from "./migrations/0017_vector_source.sql" with { type: "text" };
import indexedMemories from "./migrations/0018_indexed_memories.sql" with { type: "text" };
import memoryReturns from "./migrations/0019_memory_returns.sql" with { type: "text" };
import extractedBy from "./migrations/0020_extracted_by.sql" with { type: "text" };
import customIds from "./migrations/0021_custom_ids.sql" with { type: "text" };
import containerEmoji from "./migrations/0022_container_emoji.sql" with { type: "text" };
import memoryChanges from "./migrations/0023_memory_changes.sql" with { type: "text" };
import facets from "./migrations/0024_facets.sql" with { type: "text" };
import jobTraces from "./migrations/0025_job_traces.sql" with { type: "text" };
import jobCrashes from "./migrations/0026_job_crashes.sql" with { type: "text" };
import organisations from "./migrations/0027_organisations.sql" with { type: "text" };
import checksums from "./migrations/0028_checksums.sql" with { type: "text" };
import memoryHomes from "./migrations/0029_memory_homes.sql" with { type: "text" };
import jobsByTask from "./migrations/0030_jobs_by_task.sql" with { type: "text" };

export interface Migration {
	readonly name: string;
	readonly sql: string;
}

export interface Applied {
	readonly name: string;
	readonly checksum: string;
}

/** Brings the schema up to date: completely or, if any migration fails or the process ends, not at all. @returns how many were applied. */
export function migrate(executor: SchemaExecutor, migrations: readonly Migration[]): number {
	executor.script(
		"CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL)",
	);
	return executor.transaction(() => {
		const applied = executor.statement<Applied>("SELECT name, checksum FROM migrations ORDER BY number").all();
		refuseOthers(applied, migrations);
		const missing = migrations.slice(applied.length);
		for (const [i, migration] of missing.entries()) apply(executor, migration, applied.length + i + 1);
		return missing.length;
	});
}

/** How many migrations of an older version the database has; null if it has none, or all. */
export function outdatedSchema({ statement }: Pick<SchemaExecutor, "statement">, migrations: readonly Migration[]): number | null {
	if (statement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get() === null) return null;
	const applied = statement<{ count: number }>("SELECT count(*) AS count FROM migrations").get()?.count ?? 0;
	return applied > 0 && applied < migrations.length ? applied : null;
}

/** Listed among the migrations of a store that everything is being moved to. No server starts on it before the move has ended. */
export const unfinishedMove = "unfinished move";

export function refuseOthers(applied: readonly Applied[], migrations: readonly Migration[]): void {
	if (applied.some(({ name }) => name === unfinishedMove))
		throw fail("STORAGE_UNREACHABLE", "it is the target of a move that has not ended: give the command cairn migrate-store once more");
	if (applied.length > migrations.length) throw fail("STORAGE_NEWER", applied.length, migrations.length);
	for (const [i, { name, checksum }] of applied.entries()) {
		const known = migrations[i];
		// Not an older schema and not a newer one, but another: going on would write where the tables are not what we think.
		if (known === undefined || known.name !== name || checksum !== checksumOf(known))
			throw fail("STORAGE_UNREACHABLE", `migration ${name} was applied in another wording than this version knows`);
	}
}

function apply({ script, statement }: SchemaExecutor, migration: Migration, number: number): void {
	script(migration.sql);
	const sql = "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)";
	statement(sql).run(number, migration.name, checksumOf(migration), Date.now());
}

export function checksumOf({ sql }: Migration): string {
	return createHash("sha256").update(sql).digest("hex");
}

export const migrations: readonly Migration[] = [
	{ name: "0000_init", sql: init },
	{ name: "0001_words", sql: words },
	{ name: "0002_accounts", sql: accounts },
	{ name: "0003_events", sql: events },
	{ name: "0004_profiles", sql: profiles },
	{ name: "0005_removals", sql: removals },
	{ name: "0006_word_indexes", sql: wordIndexes },
	{ name: "0007_neighbours", sql: neighbours },
	{ name: "0008_written_by", sql: writtenBy },
	{ name: "0009_about", sql: about },
	{ name: "0010_memory_times", sql: memoryTimes },
	{ name: "0011_spaces", sql: spaces },
	{ name: "0012_written_by_index", sql: writers },
	{ name: "0013_first_chunks", sql: firstChunks },
	{ name: "0014_fewer_edges", sql: fewerEdges },
	{ name: "0015_scope_changes", sql: scopeChanges },
	{ name: "0016_upkeep", sql: upkeep },
	{ name: "0017_vector_source", sql: vectorSource },
	{ name: "0018_indexed_memories", sql: indexedMemories },
	{ name: "0019_memory_returns", sql: memoryReturns },
	{ name: "0020_extracted_by", sql: extractedBy },
	{ name: "0021_custom_ids", sql: customIds },
	{ name: "0022_container_emoji", sql: containerEmoji },
	{ name: "0023_memory_changes", sql: memoryChanges },
	{ name: "0024_facets", sql: facets },
	{ name: "0025_job_traces", sql: jobTraces },
	{ name: "0026_job_crashes", sql: jobCrashes },
	{ name: "0027_organisations", sql: organisations },
	{ name: "0028_checksums", sql: checksums },
	{ name: "0029_memory_homes", sql: memoryHomes },
	{ name: "0030_jobs_by_task", sql: jobsByTask },
];
