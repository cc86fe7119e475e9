/** Connects to a PostgreSQL server: a pool with a limit, which works behind a pooler that lends connections for one transaction. */

import { randomUUID } from "node:crypto";
import { fail, ServiceError } from "cairn-memory";
import postgres from "postgres";
import type { Answer, PostgresConnection, Query } from "./connection.ts";

export interface ServerOptions {
	/** `postgres://user:password@host:port/database?sslmode=require` */
	readonly url: string;
	/** How many connections each thread of the server opens at most. */
	readonly connectionsMax: number;
	/** Off behind a pooler that lends connections for one transaction, such as pgbouncer. Notifications of other programs are off with them. */
	readonly prepare: boolean;
	/** A statement that takes longer is given up. */
	readonly statementTimeoutMs: number;
	readonly log: (level: "warn", message: string) => void;
}

const channel = "cairn_written";
const connectTimeoutSeconds = 10;

/** What the server sends as text, as SQLite would answer. */
const types = {
	number: { to: 20, from: [20, 23, 21, 700, 701, 1700], parse: Number, serialize: String },
	bool: { to: 16, from: [16], parse: (text: string) => (text === "t" ? 1 : 0), serialize: String },
	json: { to: 114, from: [114, 3802], parse: (text: string) => text, serialize: String },
	// In a buffer of its own, because vectors are read from it in place.
	bytea: {
		to: 17,
		from: [17],
		parse: (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), "hex")),
		serialize: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}`,
	},
};

export function connectServer({ url, connectionsMax, prepare, statementTimeoutMs, log }: ServerOptions): PostgresConnection {
	const sql = postgres(url, {
		max: connectionsMax,
		prepare,
		types: types as never,
		fetch_types: false,
		connect_timeout: connectTimeoutSeconds,
		onnotice: () => undefined,
		// Behind a pooler a connection has no settings of its own.
		connection: { application_name: "cairn", ...(prepare ? { statement_timeout: statementTimeoutMs } : {}) },
	});
	const self = randomUUID();

	function queryOn(on: postgres.Sql | postgres.TransactionSql): Query {
		return (text, params) => converted(async () => answerOf(await on.unsafe(text, params as never[], { prepare })));
	}

	return {
		query: queryOn(sql),
		script: (text) => converted(async () => void (await sql.unsafe(text))),
		transaction: <Result>(mode: string, run: Parameters<PostgresConnection["transaction"]>[1]) =>
			converted(() =>
				sql.begin(mode, async (inside) => {
					if (!prepare) await inside.unsafe(`SET LOCAL statement_timeout = ${statementTimeoutMs}`);
					return run({ query: queryOn(inside), script: async (text) => void (await inside.unsafe(text)) });
				}),
			) as Promise<Result>,
		notify: async () => void (await sql.notify(channel, self)),
		onNotified: (listener) => {
			if (!prepare) return;
			sql
				.listen(channel, (from) => {
					if (from !== self) listener();
				})
				.catch((thrown: unknown) => log("warn", `changes by other programs are only noticed by asking: ${String(thrown)}`));
		},
		close: () => sql.end({ timeout: 5 }),
	};
}

function answerOf(rows: postgres.RowList<readonly postgres.Row[]>): Answer {
	return { rows, changes: rows.command === "SELECT" ? 0 : rows.count };
}

async function converted<Result>(run: () => Promise<Result>): Promise<Result> {
	try {
		return await run();
	} catch (thrown) {
		throw asStorageError(thrown);
	}
}

/** Converts an error of the server or of the way to it to one of ours; others stay what they are. */
export function asStorageError(thrown: unknown): unknown {
	if (thrown instanceof ServiceError || !(thrown instanceof Error) || !("code" in thrown)) return thrown;
	const code = String(thrown.code);
	if (code === "53100") return fail("STORAGE_FULL").because(thrown);
	if (/^(25006|42501)$/.test(code)) return fail("STORAGE_READ_ONLY", code).because(thrown);
	if (/^(XX001|XX002)$/.test(code)) return fail("STORAGE_DAMAGED", `${thrown.message} (${code})`).because(thrown);
	// 08: the connection, 28 and 3D: who may connect to what, 53: too little of something, 57: ended by somebody, 40: give way to another.
	if (/^(08|28|3D|40|53|57)...$|^CONNECTION_|^CONNECT_TIMEOUT$|^E[A-Z]+$/.test(code))
		return fail("STORAGE_UNREACHABLE", `${thrown.message} (${code})`).because(thrown);
	return thrown;
}
