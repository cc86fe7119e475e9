/** The tables in PostgreSQL. They have a history of their own, which begins with all that SQLite's migrations have come to. */

import type { Binding } from "../sql/executor.ts";
import { type Applied, checksumOf, type Migration, refuseOthers } from "../sql/migrations.ts";
import type { PostgresConnection } from "./connection.ts";
import init from "./migrations/0000_init.sql" with { type: "text" };
import { migrationLock } from "./write-locks.ts";

export const migrations: readonly Migration[] = [{ name: "0000_init", sql: init }];

const table = `CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`;

/** Brings the schema up to date, completely or not at all. Of several programs that start at once, one does it and the others wait. */
export async function migrate(connection: PostgresConnection, beforeUpgrade?: (schema: number) => Promise<void>): Promise<void> {
	await connection.transaction("", async ({ query, script }) => {
		await query(migrationLock.sql, migrationLock.params);
		await script(table);
		const applied = (await query("SELECT name, checksum FROM migrations ORDER BY number", [])).rows as readonly Applied[];
		refuseOthers(applied, migrations);
		if (applied.length > 0 && applied.length < migrations.length) await beforeUpgrade?.(applied.length);
		for (const [i, migration] of migrations.entries()) {
			if (i < applied.length) continue;
			await script(migration.sql);
			const row: readonly Binding[] = [i + 1, migration.name, checksumOf(migration), Date.now()];
			await query("INSERT INTO migrations (number, name, checksum, applied_at) VALUES ($1, $2, $3, $4)", row);
		}
	});
}
