/** Runs the programs of `plugins/stores/sql` on PostgreSQL: reads on any connection of the pool, and each write in a transaction. */

import { fail } from "cairn-memory";
import type { Job, RecordKind } from "cairn-memory/stores";
import type { Operations, Program, Question, SqlContext, SqlEngine } from "../sql/executor.ts";
import { createPrograms } from "../sql/operations.ts";
import { context, type PostgresConnection, type Query, runProgram } from "./connection.ts";
import { inPostgres } from "./dialect.ts";
import { tryAgain } from "./try-again.ts";
import type { Written } from "./write-hint.ts";
import { leaseLock, lockFor, settledLock } from "./write-locks.ts";

export interface PostgresEngine {
	readonly engine: SqlEngine;
	/** Runs a program as a write that is not an operation of a port. */
	readonly writeProgram: <Result>(name: string, args: unknown, program: (context: SqlContext) => Program<Result>) => Promise<Result>;
}

/** Who holds a job or a lock, and until when, concerns nobody who waits for changes. */
function isSilent(operation: string, args: unknown): boolean {
	return operation === "claimJobs" || operation === "renewJob" || (operation === "putRecord" && (args as { readonly kind: RecordKind }).kind === "lock");
}

/**
 * @param tell called after each commit that has changed something.
 * @param job whose lease every write needs: while a write runs, no other worker can claim the job.
 */
export function postgresEngine(connection: PostgresConnection, tell: (written: Written) => void, job?: Job): PostgresEngine {
	const programs: Operations<Program<unknown>> = createPrograms(context);
	const rowsOf = async <Row>({ sql, params }: Question) => (await connection.query(inPostgres(sql), params)).rows as readonly Row[];

	async function lockRows(name: string, args: unknown, query: Query): Promise<void> {
		const locks = [lockFor(name, args), job === undefined ? null : leaseLock(job)].filter((lock) => lock !== null);
		// Sent together, in this order.
		const answers = await Promise.all(locks.map(({ sql, params }) => query(sql, params)));
		if (answers.some(({ rows }) => rows.length === 0)) throw fail("LEASE_LOST");
	}

	async function tryWrite<Result>(name: string, args: unknown, program: (context: SqlContext) => Program<Result>): Promise<Result> {
		let changes = 0;
		let hasNewJob = false;
		const result = await connection.transaction("", async ({ query }) => {
			await lockRows(name, args, query);
			const counting: Query = async (sql, params) => {
				const answer = await query(sql, params);
				changes += answer.changes;
				hasNewJob ||= answer.changes > 0 && sql.startsWith("INSERT INTO jobs");
				return answer;
			};
			return runProgram(program(context), counting);
		});
		if (changes > 0 && !isSilent(name, args)) tell(hasNewJob ? "job" : "other");
		return result;
	}

	function writeProgram<Result>(name: string, args: unknown, program: (context: SqlContext) => Program<Result>): Promise<Result> {
		return tryAgain(() => tryWrite(name, args, program));
	}

	return {
		writeProgram,
		engine: {
			statement: context.statement,
			read: (program) => runProgram(program, connection.query),
			snapshot: (program, settled) => {
				if (settled === undefined) return connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY", ({ query }) => runProgram(program, query));
				// Each statement sees what is committed before it. While the lock is held, nothing of this organisation is committed.
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
