/** PostgreSQL in this process, for tests that need no server: one migrated database, which is emptied for each test. */

import { PGlite, type Transaction } from "@electric-sql/pglite";
import type { PostgresConnection, Query } from "../../../../plugins/stores/postgres/connection.ts";
import { migrate } from "../../../../plugins/stores/postgres/migrations.ts";

/** As the connection to a server reads what it is sent. */
const parsers = {
	16: (text: string) => (text === "t" ? 1 : 0),
	17: (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), "hex")),
	20: Number,
	114: (text: string) => text,
	1700: Number,
	3802: (text: string) => text,
};

function queryOn(on: PGlite | Transaction): Query {
	return async (sql, params) => {
		const { rows, affectedRows } = await on.query(sql, [...params], { parsers });
		return { rows, changes: affectedRows ?? 0 };
	};
}

function connectionOf(database: PGlite): PostgresConnection {
	return {
		query: queryOn(database),
		script: async (sql) => void (await database.exec(sql)),
		transaction: (mode, run) =>
			database.transaction(async (inside) => {
				if (mode !== "") await inside.exec(`SET TRANSACTION ${mode}`);
				return run({ query: queryOn(inside), script: async (sql) => void (await inside.exec(sql)) });
			}),
		notify: async () => void (await database.query("NOTIFY cairn_written")),
		onNotified: () => undefined,
		close: async () => undefined,
	};
}

export interface EmptiedDatabase {
	/** Removes all rows. @returns a connection to the tables as they are after the first migration. */
	readonly empty: () => Promise<PostgresConnection>;
	readonly close: () => Promise<void>;
}

export async function openPglite(): Promise<EmptiedDatabase> {
	const database = await PGlite.create();
	const connection = connectionOf(database);
	await migrate(connection);
	const tables = await database.query<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'");
	const emptied = `TRUNCATE ${tables.rows.map(({ name }) => name).join(", ")} RESTART IDENTITY; INSERT INTO space_state ("only") VALUES (1)`;
	return {
		empty: async () => {
			await database.exec(emptied);
			return connection;
		},
		close: () => database.close(),
	};
}
