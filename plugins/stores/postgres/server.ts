/** Connects to a PostgreSQL server: a pool with a limit. It also works behind a pooler, see `hasPooler`. */

import { randomUUID } from "node:crypto";
import { fail, ServiceError } from "cairn-memory";
import type postgres from "postgres";
import type { Answer, PostgresConnection, Query } from "./connection.ts";
import { type Line, type LineOptions, linesTo, openLine } from "./lines.ts";
import { listenOn } from "./listen.ts";
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
/**
 * Compiling a statement (JIT) takes longer than any search. A page read out of order costs 4 by default, as on a turning disk: as a rule
 * PostgreSQL would read all documents and all chunks of them to show ten, since it takes each list of ids for a hundred.
 */
const planning = { jit: false, random_page_cost: 1.1 };
const connectTimeoutSeconds = 10;
/** How long the end waits for statements that run. */
const endSeconds = 5;

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
	const options: LineOptions = {
		prepare,
		types: types as never,
		// No statement takes or returns an array. The query for their types would fail without anybody to tell where a line is lost at its start.
		fetch_types: false,
		connect_timeout: connectTimeoutSeconds,
		onnotice: () => undefined,
		// A pooler does not keep the settings of a connection.
		connection: { application_name: applicationName, ...(prepare ? { statement_timeout: statementTimeoutMs, ...planning } : {}) },
	};
	const lines = linesTo(() => openLine(url, options), connectionsMax);
	const self = randomUUID();
	let hearing: { readonly end: () => Promise<void> } | null = null;

	function queryOn({ run }: Line): Query {
		return (text, params) => converted(async () => answerOf(await run(text, params, prepare)));
	}

	return {
		statementTimeoutMs,
		query: sentTogether(
			(text, params) => lines.use((line) => queryOn(line)(text, params)),
			(send) => lines.use(async (line) => void (await send(queryOn(line)))),
		),
		once: (text) => converted(async () => answerOf(lastOf(await lines.use(({ run }) => run(text))))),
		alone: (text, settings = {}) => converted(() => lines.use((line) => runAlone(line, text, prepare ? { ...settings, statement_timeout: "0" } : {}))),
		script: (text) => converted(async () => void (await lines.use(({ run }) => run(text)))),
		transaction: (mode, run, idleMs) =>
			converted(() =>
				lines.use((line) => {
					const settings = { ...(prepare ? {} : { statement_timeout: statementTimeoutMs }), ...(idleMs && { idle_in_transaction_session_timeout: idleMs }) };
					const begin = [`BEGIN ${mode}`, ...Object.entries(settings).map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)].join("; ");
					const inside = { query: queryOn(line), script: (text: string) => converted(async () => void (await line.run(text))) };
					return inTransaction(line, begin, () => run(inside));
				}),
			),
		notify: async (written) => void (await lines.use(({ run }) => run("SELECT pg_notify($1, $2)", [channel, `${self} ${written}`], prepare))),
		onNotified: (listener) => {
			if (!prepare) return;
			const hear = (message: string) => {
				const [from, written] = message.split(" ");
				if (from !== self) listener(written === "job" ? "job" : "other");
			};
			// When the connection was made, or made anew, what was told before was missed.
			hearing = listenOn({
				open: (onnotify, onLost) => openLine(url, { ...options, onnotify } as LineOptions, onLost),
				channel,
				hear,
				onBegun: () => listener("job"),
				log,
			});
		},
		close: async () => void (await Promise.all([lines.end(endSeconds), hearing?.end()])),
	};
}

/** Begins without waiting for the answer, so that the first statement is on its way too. */
async function inTransaction<Result>(line: Line, begin: string, run: () => Promise<Result>): Promise<Result> {
	const begun = line.run(begin);
	begun.catch(() => undefined);
	try {
		const result = await run();
		await begun;
		const { command } = await line.run("COMMIT");
		// A statement has failed, and whoever asked it went on.
		if (command !== "COMMIT") throw new Error(`the transaction ended with ${command}`);
		return result;
	} catch (thrown) {
		// Where the connection is lost, the server has rolled back, or does when it notices.
		if (!line.isBroken()) await line.run("ROLLBACK").catch(() => undefined);
		throw thrown;
	}
}

async function runAlone({ run }: Line, text: string, settings: Readonly<Record<string, string>>): Promise<void> {
	try {
		for (const [name, value] of Object.entries(settings)) await run(`SET ${name} = '${value}'`);
		await run(text);
	} finally {
		for (const name of Object.keys(settings)) await run(`RESET ${name}`).catch(() => undefined);
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
	// 25P03: nothing was asked in a transaction for too long.
	if (/^(08|28|3D|40|53|57)...$|^25P03$|^CONNECTION_|^CONNECT_TIMEOUT$|^E[A-Z]+$/.test(code))
		return fail("STORAGE_UNREACHABLE", `${thrown.message} (${code})`).because(thrown);
	return thrown;
}
