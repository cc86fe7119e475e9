/** Brings the schema up to date, one transaction for each migration. */

import { createHash } from "node:crypto";
import { fail } from "cairn-memory";
import type { SchemaExecutor } from "./executor.ts";

export interface Migration {
	readonly name: string;
	readonly sql: string;
}

interface Applied {
	readonly name: string;
	readonly checksum: string;
}

/** @returns how many were applied. */
export function migrate({ statement, script, transaction }: SchemaExecutor, migrations: readonly Migration[]): number {
	script("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL)");
	const applied = statement<Applied>("SELECT name, checksum FROM migrations ORDER BY number").all();
	if (applied.length > migrations.length) throw fail("STORAGE_NEWER", applied.length, migrations.length);
	for (const [i, { name, checksum }] of applied.entries()) {
		const known = migrations[i];
		// Not an older schema and not a newer one, but another: going on would write where the tables are not what we think.
		if (known === undefined || known.name !== name || checksum !== checksumOf(known))
			throw fail("STORAGE_UNREACHABLE", `migration ${name} was applied in another wording than this version knows`);
	}
	const missing = migrations.slice(applied.length);
	for (const [i, migration] of missing.entries()) apply(migration, applied.length + i + 1);
	return missing.length;

	function apply(migration: Migration, number: number): void {
		transaction(() => {
			script(migration.sql);
			const sql = "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)";
			statement(sql).run(number, migration.name, checksumOf(migration), Date.now());
		});
	}
}

function checksumOf({ sql }: Migration): string {
	return createHash("sha256").update(sql).digest("hex");
}
