/** Connects to a PostgreSQL server: a pool with a limit. It also works behind a pooler, see `hasPooler`. */

import { randomUUID } from "node:crypto";
import { fail, ServiceError } from "cairn-memory";
import postgres from "postgres";
import type { Answer, PostgresConnection, Query } from "./connection.ts";
import { sentTogether } from "./sent-together.ts";

export interface ServerOptions {
	/** `postgres://user:password@host:port/database?sslmode=require` */
	readonly url: string;
	/** How many connections each thread of the server opens at most. */
	readonly connectionsMax: number;
	/** Whether statements are prepared. Off behind a pooler such as pgbouncer; then there are no notifications of other programs either. */
	readonly prepare: boolean;
	/** A statement that takes longer is cancelled. */
	readonly statementTimeoutMs: number;
	readonly log: (level: "warn", message: string) => void;
	/** As the database lists its connections; by default that of a server. */
	readonly applicationName?: string;
}

const channel = "cairn_written";
const connectTimeoutSeconds = 10;

/** Converts the values that the server sends as text to the types that SQLite returns. */
const types = {
	number: { to: 20, from: [20, 23, 21, 700, 701, 1700], parse: Number, serialize: String },
	bool: { to: 16, from: [16], parse: (text: string) => (text === "t" ? 1 : 0), serialize: String },
	json: { to: 114, from: [114, 3802], parse: (text: string) => text, serialize: String },
	// The bytes get a buffer of their own, because vectors are read from it without a copy.
	bytea: {
		to: 17,
		from: [17],
		parse: (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), "hex")),
		serialize: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}`,
	},
};

export function connectServer({ url, connectionsMax, prepare, statementTimeoutMs, log, applicationName = "cairn" }: ServerOptions): PostgresConnection {
	const sql = postgres(url, {
		max: connectionsMax,
		prepare,
		types: types as never,
		// Without its question for types, postgres.js 3.4.9 never hands out a connection that was opened for `reserve`.
		fetch_types: true,
		connect_timeout: connectTimeoutSeconds,
		onnotice: () => undefined,
		// A pooler does not keep the settings of a connection. Compiling a statement (JIT) takes longer than any search.
		connection: { application_name: applicationName, ...(prepare ? { statement_timeout: statementTimeoutMs, jit: false } : {}) },
	});
	const self = randomUUID();

	function queryOn(on: postgres.Sql | postgres.TransactionSql): Query {
		return (text, params) => converted(async () => answerOf(await on.unsafe(text, params as never[], { prepare })));
	}

	return {
		query: sentTogether(queryOn(sql), (send) =>
			converted(async () => {
				const connection = await sql.reserve();
				try {
					await send(queryOn(connection));
				} finally {
					connection.release();
				}
			}),
		),
		once: (text) => converted(async () => answerOf(lastOf(await sql.unsafe(text)))),
		alone: (text) => converted(() => runAlone(sql, text, prepare)),
		script: (text) => converted(async () => void (await sql.unsafe(text))),
		transaction: <Result>(mode: string, run: Parameters<PostgresConnection["transaction"]>[1]) =>
			converted(() =>
				sql.begin(mode, async (inside) => {
					if (!prepare) await inside.unsafe(`SET LOCAL statement_timeout = ${statementTimeoutMs}`);
					return run({ query: queryOn(inside), script: async (text) => void (await inside.unsafe(text)) });
				}),
			) as Promise<Result>,
		notify: async (written) => void (await sql.notify(channel, `${self} ${written}`)),
		onNotified: (listener) => {
			if (!prepare) return;
			const hear = (message: string) => {
				const [from, written] = message.split(" ");
				if (from !== self) listener(written === "job" ? "job" : "other");
			};
			sql
				// The connection was made, or made anew: what was told before was missed.
				.listen(channel, hear, () => listener("job"))
				.catch((thrown: unknown) => log("warn", `changes by other programs are only noticed by asking: ${String(thrown)}`));
		},
		close: () => sql.end({ timeout: 5 }),
	};
}

/** Without the limit for statements, which a connection behind a pooler does not have. */
async function runAlone(sql: postgres.Sql, text: string, hasSettings: boolean): Promise<void> {
	const connection = await sql.reserve();
	try {
		if (hasSettings) await connection.unsafe("SET statement_timeout = 0");
		await connection.unsafe(text);
	} finally {
		if (hasSettings) await connection.unsafe("RESET statement_timeout").catch(() => undefined);
		connection.release();
	}
}

function answerOf(rows: postgres.RowList<readonly postgres.Row[]>): Answer {
	return { rows, changes: rows.command === "SELECT" ? 0 : rows.count };
}

/** Several statements have several answers. */
function lastOf(answer: postgres.RowList<readonly postgres.Row[]>): postgres.RowList<readonly postgres.Row[]> {
	return Array.isArray(answer[0]) ? lastOf(answer.at(-1) as never) : answer;
}

async function converted<Result>(run: () => Promise<Result>): Promise<Result> {
	try {
		return await run();
	} catch (thrown) {
		throw asStorageError(thrown);
	}
}

/** Converts an error of the server or of the connection to a ServiceError. Other errors are returned unchanged. */
export function asStorageError(thrown: unknown): unknown {
	if (thrown instanceof ServiceError || !(thrown instanceof Error) || !("code" in thrown)) return thrown;
	const code = String(thrown.code);
	if (code === "53100") return fail("STORAGE_FULL").because(thrown);
	if (/^(25006|42501)$/.test(code)) return fail("STORAGE_READ_ONLY", code).because(thrown);
	if (/^(XX001|XX002)$/.test(code)) return fail("STORAGE_DAMAGED", `${thrown.message} (${code})`).because(thrown);
	// Classes of SQLSTATE: 08 connection failed, 28 and 3D not authorized or no such database, 53 out of resources, 57 ended by an operator, 40 conflict with another transaction.
	if (/^(08|28|3D|40|53|57)...$|^CONNECTION_|^CONNECT_TIMEOUT$|^E[A-Z]+$/.test(code))
		return fail("STORAGE_UNREACHABLE", `${thrown.message} (${code})`).because(thrown);
	return thrown;
}
