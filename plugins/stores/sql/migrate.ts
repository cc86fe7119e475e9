/** Brings the schema up to date, one transaction for each migration. */

import { createHash } from "node:crypto";
import { fail } from "cairn-memory";
import type { Connection } from "../sqlite/connection.ts";

export interface Migration {
	readonly name: string;
	readonly sql: string;
}

interface Applied {
	readonly name: string;
	readonly checksum: string;
}

/** @returns how many were applied. */
export function migrate({ db }: Connection, migrations: readonly Migration[]): number {
	db.run("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL)");
	const applied = db.query<Applied, []>("SELECT name, checksum FROM migrations ORDER BY number").all();
	if (applied.length > migrations.length) throw fail("STORAGE_NEWER", applied.length, migrations.length);
	for (const [i, { name, checksum }] of applied.entries()) {
		const known = migrations[i];
		// Not an older schema and not a newer one, but another: going on would write where the tables are not what we think.
		if (known === undefined || known.name !== name || checksum !== checksumOf(known))
			throw fail("STORAGE_UNREACHABLE", `migration ${name} was applied in another wording than this version knows`);
	}
	const missing = migrations.slice(applied.length);
	for (const [i, migration] of missing.entries()) apply(db, migration, applied.length + i + 1);
	return missing.length;
}

function apply(db: Connection["db"], migration: Migration, number: number): void {
	db.transaction(() => {
		db.run(migration.sql);
		db.query("INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)").run(number, migration.name, checksumOf(migration), Date.now());
	}).immediate();
}

function checksumOf({ sql }: Migration): string {
	return createHash("sha256").update(sql).digest("hex");
}
