/** Runs the programs of `plugins/stores/sql` on PostgreSQL: reads on any connection of the pool, and each write in a transaction. */

import type { Operations, Program, Question, SqlContext, SqlEngine } from "../sql/executor.ts";
import { createPrograms } from "../sql/operations.ts";
import { context, type PostgresConnection, type Query, runProgram } from "./connection.ts";
import { inPostgres } from "./dialect.ts";
import { lockFor, settledLock } from "./write-locks.ts";

/** The transaction had to give way to another one and would succeed now. A unique row was added meanwhile by somebody who takes no lock. */
const triedAgain: ReadonlySet<string> = new Set(["40001", "40P01", "23505"]);
const triesMax = 5;

export interface PostgresEngine {
	readonly engine: SqlEngine;
	/** Runs a program as a write that is not an operation of a port. */
	readonly writeProgram: <Result>(name: string, args: unknown, program: (context: SqlContext) => Program<Result>) => Promise<Result>;
}

/** @param tell called after each commit that has changed something. */
export function postgresEngine(connection: PostgresConnection, tell: () => void): PostgresEngine {
	const programs: Operations<Program<unknown>> = createPrograms(context);
	const rowsOf = async <Row>({ sql, params }: Question) => (await connection.query(inPostgres(sql), params)).rows as readonly Row[];

	async function tryWrite<Result>(name: string, args: unknown, program: (context: SqlContext) => Program<Result>): Promise<Result> {
		let changes = 0;
		const result = await connection.transaction("", async ({ query }) => {
			const lock = lockFor(name, args);
			if (lock !== null) await query(lock.sql, lock.params);
			const counting: Query = async (sql, params) => {
				const answer = await query(sql, params);
				changes += answer.changes;
				return answer;
			};
			return runProgram(program(context), counting);
		});
		if (changes > 0) tell();
		return result;
	}

	async function writeProgram<Result>(name: string, args: unknown, program: (context: SqlContext) => Program<Result>): Promise<Result> {
		for (let tries = 1; ; tries++) {
			try {
				return await tryWrite(name, args, program);
			} catch (thrown) {
				if (tries === triesMax || !triedAgain.has(codeOf(thrown))) throw thrown;
			}
		}
	}

	return {
		writeProgram,
		engine: {
			statement: context.statement,
			read: (program) => runProgram(program, connection.query),
			snapshot: (program, settled) => {
				if (settled === undefined) return connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY", ({ query }) => runProgram(program, query));
				// Each statement sees what is committed, and of this organisation nothing is while the lock is held.
				return connection.transaction("READ ONLY", async ({ query }) => {
					const lock = settledLock(settled);
					await query(lock.sql, lock.params);
					return runProgram(program, query);
				});
			},
			write: (name, args) => writeProgram(name, args, () => operationNamed(name).run(args)) as never,
			aside: {
				read: async (asked) => (await rowsOf<{ part: Uint8Array }>(asked))[0]?.part ?? null,
				all: rowsOf,
			},
		},
	};

	function operationNamed(name: string) {
		const found = programs[name];
		if (found === undefined) throw new Error(`there is no operation called ${name}`);
		return found;
	}
}

/** An error that was converted has the one of the database as its cause. */
function codeOf(thrown: unknown): string {
	const { code, cause } = thrown as { readonly code?: unknown; readonly cause?: unknown };
	return cause === undefined ? String(code) : codeOf(cause);
}
