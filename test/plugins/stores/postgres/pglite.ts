/** PostgreSQL in this process, for tests that need no server: one migrated database, which is emptied for each test. */

import { randomUUID } from "node:crypto";
import { PGlite, type Transaction } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import type { PostgresConnection, Query } from "../../../../plugins/stores/postgres/connection.ts";
import { hasPgvector } from "../../../../plugins/stores/postgres/indexes/pgvector.ts";
import { migrate, vectorHistory } from "../../../../plugins/stores/postgres/migrations.ts";

const channel = "cairn_written";

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
	const self = randomUUID();
	return {
		statementTimeoutMs: 60_000,
		query: queryOn(database),
		once: async (sql) => ({ rows: (await database.exec(sql, { parsers })).at(-1)?.rows ?? [], changes: 0 }),
		alone: async (sql) => void (await database.exec(sql)),
		script: async (sql) => void (await database.exec(sql)),
		transaction: (mode, run) =>
			database.transaction(async (inside) => {
				if (mode !== "") await inside.exec(`SET TRANSACTION ${mode}`);
				return run({ query: queryOn(inside), script: async (sql) => void (await inside.exec(sql)) });
			}),
		notify: async (written) => void (await database.query("SELECT pg_notify($1, $2)", [channel, `${self} ${written}`])),
		onNotified: (listener) => {
			const hear = (message: string) => {
				const [from, written] = message.split(" ");
				if (from !== self) listener(written === "job" ? "job" : "other");
			};
			void database.listen(channel, hear);
		},
		close: async () => undefined,
	};
}

export interface EmptiedDatabase {
	/** Removes all rows. @returns a connection to the tables as they are after the first migration. */
	readonly empty: () => Promise<PostgresConnection>;
	/** A connection as another program has it; what two of them do is done one after the other. */
	readonly connect: () => PostgresConnection;
	readonly close: () => Promise<void>;
}

/** A database without tables. */
export async function emptyPglite(): Promise<PostgresConnection> {
	const database = await PGlite.create({ extensions: { vector } });
	return { ...connectionOf(database), close: () => database.close() };
}

export async function openPglite(): Promise<EmptiedDatabase> {
	const database = await PGlite.create({ extensions: { vector } });
	const connection = connectionOf(database);
	await migrate(connection);
	if (!(await hasPgvector(connection, () => undefined))) throw new Error("there is no pgvector");
	await migrate(connection, undefined, { history: vectorHistory });
	const tables = await database.query<{ name: string }>(
		"SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'vector_migrations')",
	);
	const emptied = `TRUNCATE ${tables.rows.map(({ name }) => name).join(", ")} RESTART IDENTITY; INSERT INTO space_state ("only") VALUES (1)`;
	let times = 0;
	return {
		empty: async () => {
			// The number of a collection never comes back, as a graph that is still being made has it in its name.
			await database.exec(`${emptied}; ALTER SEQUENCE index_collections_number_seq RESTART WITH ${++times * 1_000}`);
			return connection;
		},
		connect: () => connectionOf(database),
		close: () => database.close(),
	};
}
