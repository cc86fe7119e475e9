/** The connection to PostgreSQL as the engine needs it: to a server over a network, or to one in this process. */

import type { Asked, AskedAtOnce, Binding, Program, SqlContext } from "../sql/executor.ts";
import { inPostgres } from "./dialect.ts";
import type { Written } from "./write-hint.ts";

export interface Answer {
	/** The same types as SQLite returns: numbers, 0 or 1 for booleans, text for JSON, and each byte array with a buffer of its own. */
	readonly rows: readonly unknown[];
	/** How many rows were written. */
	readonly changes: number;
}

/** For transactions that others wait for, and that ask one statement after the other. */
export const writeIdleMs = 30_000;

export type Query = (sql: string, params: readonly Binding[]) => Promise<Answer>;

export interface PostgresConnection {
	/** A statement that takes longer is cancelled. */
	readonly statementTimeoutMs: number;
	readonly query: Query;
	/** Runs a statement without parameters that is hardly run again. It is planned for its own values, and for settings before it (`SET LOCAL …;`), which end with it. */
	readonly once: (sql: string) => Promise<Answer>;
	/** Runs a statement that may take long, outside of any transaction. @param settings of the connection meanwhile; behind a pooler they are the database's */
	readonly alone: (sql: string, settings?: Readonly<Record<string, string>>) => Promise<void>;
	/** Runs several statements without parameters. */
	readonly script: (sql: string) => Promise<void>;
	/**
	 * Runs on one connection within `BEGIN mode`, and commits unless it rejects.
	 * @param idleMs where nothing is asked in it for so long, because this program was paused say, the database ends it and its locks
	 */
	readonly transaction: <Result>(
		mode: string,
		run: (inside: Pick<PostgresConnection, "query" | "script">) => Promise<Result>,
		idleMs?: number,
	) => Promise<Result>;
	/** Tells the listeners of other programs that something was written. */
	readonly notify: (written: Written) => Promise<void>;
	/**
	 * Called soon after another program has called `notify`, and after a time in which notifications were missed; never, if the database or
	 * a pooler before it does not support this.
	 */
	readonly onNotified: (listener: (written: Written) => void) => void;
	readonly close: () => Promise<void>;
}

/** In this context each statement of a program is a question, which `runProgram` answers. */
export const context: SqlContext = {
	statement: (sql) => ({
		all: (...params) => ask({ sql, params, want: "all" }),
		get: (...params) => ask({ sql, params, want: "get" }),
		run: (...params) => ask({ sql, params, want: "run" }),
	}),
	skipLocked: " FOR UPDATE SKIP LOCKED",
};

function* ask<Result>(asked: Asked): Generator<Asked, Result, Result> {
	return yield asked;
}

/** Runs a program, one statement after the other. */
export async function runProgram<Result>(program: Program<Result>, query: Query): Promise<Result> {
	const steps = program[Symbol.iterator]();
	let step = steps.next();
	while (step.done !== true) step = steps.next(await answer(step.value, query));
	return step.value;
}

async function answer(asked: AskedAtOnce, query: Query): Promise<unknown> {
	if (!("sql" in asked)) return Promise.all(asked.map((each) => answer(each, query)));
	const { sql, params, want } = asked;
	const { rows, changes } = await query(inPostgres(sql), params);
	if (want === "run") return { changes };
	return want === "all" ? rows : (rows[0] ?? null);
}
