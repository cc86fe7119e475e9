/**
 * Group commit: writes of one organisation would wait for each other, so those that wait share a transaction, and its lock, its commit and its
 * ways to the database are paid once. Each write still succeeds or fails alone: where one fails, all of its group are undone and each runs
 * by itself.
 */

import { fail } from "cairn-memory";
import type { Job, RecordKind } from "cairn-memory/stores";
import type { Program, SqlContext } from "../sql/executor.ts";
import { context, type PostgresConnection, type Query, runProgram, writeIdleMs } from "./connection.ts";
import { isConflict, isLost, tryAgain } from "./try-again.ts";
import type { Written } from "./write-hint.ts";
import { heldLeases, lockFor, queueOf } from "./write-locks.ts";

export interface AskedWrite<Result = unknown> {
	readonly name: string;
	readonly args: unknown;
	readonly program: (context: SqlContext) => Program<Result>;
	/** Whose rows it reads and writes, if no others. */
	readonly subject?: string | undefined;
	/** The job whose lease it needs: until the end of the transaction no other worker can claim it. */
	readonly job?: Job | undefined;
}

/** How far a transaction has come. From `commits` on it may be stored. */
type Stage = "waits" | "runs" | "commits";

interface Ran {
	/** Those are missing whose lease was lost: they have not run. */
	readonly results: ReadonlyMap<AskedWrite, unknown>;
	/** Those for which there was no time. */
	readonly left: ReadonlySet<AskedWrite>;
}

interface Waiting {
	readonly asked: AskedWrite;
	/** By the clock, in milliseconds. */
	readonly since: number;
	readonly resolve: (result: unknown) => void;
	readonly reject: (reason: unknown) => void;
}

interface Outcome {
	/** Those for which there was no time. */
	readonly left: readonly Waiting[];
	/** Why it failed, where that is no matter of what was written: others would fail as well. */
	readonly fault: unknown;
}

/** So many that what a transaction costs is small beside them. */
const groupMax = 32;
/** No write of a group begins after so long, so that those of another server, which wait for it, do not wait long. */
const groupMs = 100;
/** How many writes of different subjects are under way together. */
const besideMax = 8;

/**
 * Returns a function that runs a write and resolves when it is committed.
 * @param tell called after each commit that has changed something.
 */
export function writeGroups(
	connection: PostgresConnection,
	tell: (written: Written) => void,
	now = () => performance.now(),
): <Result>(asked: AskedWrite<Result>) => Promise<Result> {
	/** By organisation, while a transaction of it runs or is about to. */
	const queues = new Map<string, Waiting[]>();

	async function transact(writes: readonly AskedWrite[], onStage: (stage: Stage) => void): Promise<Ran> {
		let hint: Written | null = null;
		onStage("waits");
		const inside = async (query: Query) => {
			const allowed = await lockRows(writes, query);
			const run = (write: AskedWrite, ask: Query) =>
				runProgram(write.program(context), async (sql, params) => {
					const answer = await ask(sql, params);
					if (answer.changes > 0 && !isSilent(write)) hint = sql.startsWith("INSERT INTO jobs") ? "job" : (hint ?? "other");
					return answer;
				});
			onStage("runs");
			const found = await inOrder(allowed, query, run, now);
			onStage("commits");
			return found;
		};
		const ran = await connection.transaction("", ({ query }) => inside(query), writeIdleMs);
		if (hint !== null) tell(hint);
		return ran;
	}

	async function commit(waiting: readonly Waiting[]): Promise<Outcome> {
		const group = rejectLate(waiting);
		if (group.length === 0) return { left: [], fault: null };
		const writes = group.map(({ asked }) => asked);
		let stage = "waits" as Stage;
		const run = () => transact(writes, (reached) => (stage = reached));
		try {
			const { results, left } = await (group.length === 1 ? tryAgain(run) : run());
			const ended = group.filter(({ asked }) => !left.has(asked));
			for (const { asked, resolve, reject } of ended) results.has(asked) ? resolve(results.get(asked)) : reject(fail("LEASE_LOST"));
			return { left: group.filter(({ asked }) => left.has(asked)), fault: null };
		} catch (thrown) {
			// What never began, because it did not get its lock in time say, has no write that could be blamed.
			const isOfAll = isLost(thrown) || (stage === "waits" && !isConflict(thrown));
			if (group.length > 1 && stage !== "commits" && !isOfAll) return commitEach(group);
			for (const { reject } of group) reject(thrown);
			return { left: [], fault: isOfAll ? thrown : null };
		}
	}

	/** Each in a transaction of its own, until one fails as those after it would. */
	async function commitEach(group: readonly Waiting[]): Promise<Outcome> {
		for (const [i, one] of group.entries()) {
			const { fault } = await commit([one]);
			if (fault === null) continue;
			for (const { reject } of group.slice(i + 1)) reject(fault);
			break;
		}
		return { left: [], fault: null };
	}

	/** @returns those that have waited no longer than a statement may take */
	function rejectLate(waiting: readonly Waiting[]): readonly Waiting[] {
		const latest = now() - connection.statementTimeoutMs;
		const reason = `writes before it took more than ${connection.statementTimeoutMs} ms`;
		for (const { since, reject } of waiting) if (since < latest) reject(fail("STORAGE_UNREACHABLE", reason));
		return waiting.filter(({ since }) => since >= latest);
	}

	async function commitAll(organisation: string, queue: Waiting[]): Promise<void> {
		while (queue.length > 0) queue.unshift(...(await commit(queue.splice(0, groupMax))).left);
		queues.delete(organisation);
	}

	return <Result>(asked: AskedWrite<Result>) => {
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		const waiting: Waiting = { asked, since: now(), resolve, reject };
		const organisation = queueOf(asked.name, asked.args);
		const queue = organisation === null ? undefined : queues.get(organisation);
		if (organisation === null) void commit([waiting]);
		else if (queue !== undefined) queue.push(waiting);
		else {
			const begun = [waiting];
			queues.set(organisation, begun);
			// Writes that are asked in the same turn of the event loop go together.
			setImmediate(() => void commitAll(organisation, begun));
		}
		return promise as Promise<Result>;
	};
}

/** Who holds a job or a lock, and until when, concerns nobody who waits for changes. */
function isSilent({ name, args }: AskedWrite): boolean {
	return name === "claimJobs" || name === "renewJob" || (name === "putRecord" && (args as { readonly kind: RecordKind }).kind === "lock");
}

/** Takes the lock of all. @returns those whose leases are held, or that need none. */
async function lockRows(writes: readonly AskedWrite[], query: Query): Promise<readonly AskedWrite[]> {
	const [first] = writes;
	const lock = first === undefined ? null : lockFor(first.name, first.args);
	const jobs = writes.flatMap(({ job }) => job ?? []);
	const questions = [lock, jobs.length === 0 ? null : heldLeases(jobs)];
	// Sent together, in this order.
	const [, held] = await Promise.all(questions.map((asked) => asked && query(asked.sql, asked.params)));
	const leases = new Set(held?.rows.map((row) => (row as { readonly lease: string }).lease));
	return writes.filter(({ job }) => job === undefined || leases.has(job.lease));
}

/** Runs writes one after the other, but those of different subjects beside each other. When it settles, nothing more of them is sent. */
async function inOrder(writes: readonly AskedWrite[], query: Query, run: (write: AskedWrite, ask: Query) => Promise<unknown>, now: () => number): Promise<Ran> {
	const began = now();
	const results = new Map<AskedWrite, unknown>();
	const failures: unknown[] = [];
	const ask: Query = (sql, params) => (failures.length > 0 ? Promise.reject(failures[0]) : query(sql, params));
	const runOne = async (write: AskedWrite) => {
		if (failures.length > 0) return;
		try {
			results.set(write, await run(write, ask));
		} catch (thrown) {
			failures.push(thrown);
		}
	};
	const running = new Map<string, Promise<void>>();
	const left = new Set<AskedWrite>();
	for (const [i, write] of writes.entries()) {
		if (write.subject === undefined || running.size === besideMax) {
			await Promise.all(running.values());
			running.clear();
		}
		if (i > 0 && now() - began > groupMs) {
			for (const late of writes.slice(i)) left.add(late);
			break;
		}
		if (write.subject === undefined) {
			await runOne(write);
			continue;
		}
		const before = running.get(write.subject);
		running.set(write.subject, before === undefined ? runOne(write) : before.then(() => runOne(write)));
	}
	await Promise.all(running.values());
	if (failures.length > 0) throw failures[0];
	return { results, left };
}
