/** What the engine needs of PostgreSQL, so that it can be a server over a network or one in this process. */

import type { Asked, Binding, Program, SqlContext } from "../sql/executor.ts";
import { inPostgres } from "./dialect.ts";

export interface Answer {
	/** Numbers are numbers, booleans 0 or 1, JSON is text, and bytes have a buffer of their own: as SQLite answers. */
	readonly rows: readonly unknown[];
	/** How many rows were written. */
	readonly changes: number;
}

export type Query = (sql: string, params: readonly Binding[]) => Promise<Answer>;

export interface PostgresConnection {
	readonly query: Query;
	/** Several statements without parameters. */
	readonly script: (sql: string) => Promise<void>;
	/** Runs on one connection within `BEGIN mode`, and commits unless it rejects. */
	readonly transaction: <Result>(mode: string, run: (inside: Pick<PostgresConnection, "query" | "script">) => Promise<Result>) => Promise<Result>;
	/** Tells the listeners of other programs that something was written. */
	readonly notify: () => Promise<void>;
	/** Called soon after another program has notified; never, where the database or what lies before it cannot do so. */
	readonly onNotified: (listener: () => void) => void;
	readonly close: () => Promise<void>;
}

/** Statements of programs become questions, which `runProgram` answers. */
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

async function answer({ sql, params, want }: Asked, query: Query): Promise<unknown> {
	const { rows, changes } = await query(inPostgres(sql), params);
	if (want === "run") return { changes };
	return want === "all" ? rows : (rows[0] ?? null);
}
