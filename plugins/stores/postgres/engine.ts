/** Runs the programs of `plugins/stores/sql` on PostgreSQL: reads on any connection of the pool, and writes in transactions that they may share. */

import type { Job } from "cairn-memory/stores";
import type { Operations, Program, Question, SqlContext, SqlEngine } from "../sql/executor.ts";
import { createPrograms } from "../sql/operations.ts";
import { context, type PostgresConnection, runProgram } from "./connection.ts";
import { inPostgres } from "./dialect.ts";
import { writeGroups } from "./write-groups.ts";
import type { Written } from "./write-hint.ts";
import { settledLock } from "./write-locks.ts";

export interface PostgresEngine {
	readonly engine: SqlEngine;
	/** The same for a job whose lease every write needs: while a write runs, no other worker can claim the job. */
	readonly engineUnder: (job: Job) => SqlEngine;
	/** Runs a program as a write that is not an operation of a port. */
	readonly writeProgram: <Result>(name: string, program: (context: SqlContext) => Program<Result>) => Promise<Result>;
}

/** @param tell called after each commit that has changed something. */
export function postgresEngine(connection: PostgresConnection, tell: (written: Written) => void): PostgresEngine {
	const programs: Operations<Program<unknown>> = createPrograms(context);
	const write = writeGroups(connection, tell);
	const rowsOf = async <Row>({ sql, params }: Question) => (await connection.query(inPostgres(sql), params)).rows as readonly Row[];

	function operationNamed(name: string) {
		const found = programs[name];
		if (found === undefined) throw new Error(`there is no operation called ${name}`);
		return found;
	}

	function writeUnder(job?: Job): SqlEngine["write"] {
		return async (name, args) => {
			const { run, subject } = operationNamed(name);
			return write({ name, args, program: () => run(args), subject: subject?.(args), job }) as never;
		};
	}

	const engine: SqlEngine = {
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
		write: writeUnder(),
		aside: {
			read: async (asked) => (await rowsOf<{ part: Uint8Array }>(asked))[0]?.part ?? null,
			all: rowsOf,
		},
	};
	return {
		engine,
		engineUnder: (job) => ({ ...engine, write: writeUnder(job) }),
		writeProgram: (name, program) => write({ name, args: null, program }),
	};
}
