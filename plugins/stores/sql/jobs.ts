/** The durable job queue. A claim is a transaction, so that two workers never get the same job. */

import { randomUUID } from "node:crypto";
import { asId, limits, type OrganisationId } from "cairn-memory";
import type { Job, JobId, JobQueue, NewJob, Task } from "cairn-memory/stores";
import { durable, type Program, repeatable, type SqlContext, type SqlEngine } from "./executor.ts";

interface JobRow {
	readonly organisation: OrganisationId;
	readonly id: JobId;
	readonly task: Task;
	readonly subject: string;
	readonly notBefore: number;
	readonly attempt: number;
}

const columns = "organisation, id, task, subject, not_before AS notBefore, attempt";

/** Waiting jobs `j` that can be claimed, by their tasks and the time. */
const isDue = `lease IS NULL AND task IN (SELECT value FROM json_each(?)) AND not_before <= ?
	AND NOT EXISTS (SELECT 1 FROM jobs AS l WHERE l.lease IS NOT NULL AND l.organisation = j.organisation AND l.task = j.task AND l.subject = j.subject)`;

/** The longest wait of a job for documents: what a busy service may ask for. */
const waitMsMax = Math.max(limits.modelPauseMaxMs, limits.fetchPauseMaxMs, limits.retryDelayMaxMs);

export interface ClaimArgs {
	readonly worker: string;
	readonly tasks: readonly Task[];
	readonly limit: number;
	readonly now: Date;
	readonly leaseMs: number;
}

/**
 * Returns a function that adds a waiting job. If the same job waits already, it becomes due at the earlier of the two times, and its
 * attempts count from zero.
 */
export function jobAdder({ statement }: SqlContext): (job: NewJob) => Program<unknown> {
	const sql = `INSERT INTO jobs (organisation, id, task, subject, not_before) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (organisation, task, subject) WHERE lease IS NULL DO UPDATE SET not_before = min(jobs.not_before, excluded.not_before), attempt = 0
		ON CONFLICT (organisation, id) DO NOTHING`;
	return ({ organisation, id, task, subject, notBefore }) => statement(sql).run(organisation, id, task, subject, notBefore.getTime());
}

export function jobOperations(connection: SqlContext) {
	const { statement, skipLocked } = connection;
	const addJob = jobAdder(connection);

	/** For each group of tasks the organisation that this program has served last. */
	const servedLast = new Map<string, string>();

	/** Up to `limit` organisations with due jobs: those after the one that was served last, by id, then the others. */
	function* inTurn({ limit }: ClaimArgs, taskList: string, time: number): Program<readonly string[]> {
		const next = statement<{ organisation: string }>(
			`SELECT organisation FROM jobs AS j INDEXED BY jobs_in_turn WHERE organisation > ? AND ${isDue} ORDER BY organisation LIMIT 1`,
		);
		const last = servedLast.get(taskList) ?? "";
		const found: string[] = [];
		for (const begin of last === "" ? [""] : [last, ""]) {
			for (let after = begin; found.length < limit; ) {
				const organisation = (yield* next.get(after, taskList, time))?.organisation;
				if (organisation === undefined || (begin !== last && organisation > last)) break;
				found.push(organisation);
				after = organisation;
			}
		}
		return found;
	}

	/**
	 * Jobs whose lease has expired, then waiting jobs that are due. Organisations take turns, so that the first job of one does not wait
	 * behind thousands of another; each has its oldest first.
	 */
	function* claimable(args: ClaimArgs): Program<readonly JobRow[]> {
		const taskList = JSON.stringify(args.tasks);
		const time = args.now.getTime();
		const claimed = yield* statement<JobRow>(
			`SELECT ${columns} FROM jobs WHERE lease IS NOT NULL AND leased_until <= ? AND task IN (SELECT value FROM json_each(?)) ORDER BY not_before, rowid LIMIT ?${skipLocked}`,
		).all(time, taskList, args.limit);
		const free = args.limit - claimed.length;
		const organisations = yield* inTurn({ ...args, limit: free }, taskList, time);
		const waiting = statement<JobRow>(
			`SELECT ${columns} FROM jobs AS j INDEXED BY jobs_in_turn WHERE organisation = ? AND ${isDue} ORDER BY not_before, rowid LIMIT ?${skipLocked}`,
		);
		for (const [i, organisation] of organisations.entries()) {
			// Each has an equal share of the places that are left. What one does not use is claimed the next time.
			const share = Math.ceil((args.limit - claimed.length) / (organisations.length - i));
			claimed.push(...(yield* waiting.all(organisation, taskList, time, share)));
			servedLast.set(taskList, organisation);
		}
		return claimed;
	}

	function* lease(row: JobRow, { worker, now, leaseMs }: ClaimArgs): Program<Job> {
		const name = randomUUID();
		const sql = "UPDATE jobs SET lease = ?, leased_until = ?, worker = ?, attempt = attempt + 1 WHERE organisation = ? AND id = ?";
		yield* statement(sql).run(name, now.getTime() + leaseMs, worker, row.organisation, row.id);
		return { ...row, notBefore: new Date(row.notBefore), attempt: row.attempt + 1, lease: name };
	}

	/** Ends the lease of a job. If another job with the same organisation, task and subject already waits, the two become one. */
	function* putBack({ organisation, id, task, subject }: JobRow, notBefore: number, attempt: number, why: string | null): Program<void> {
		const waiting = yield* statement<{ id: string }>("SELECT id FROM jobs WHERE organisation = ? AND task = ? AND subject = ? AND lease IS NULL").get(
			organisation,
			task,
			subject,
		);
		if (waiting === null) {
			yield* statement(
				"UPDATE jobs SET lease = NULL, leased_until = NULL, worker = NULL, not_before = ?, attempt = ?, why = ? WHERE organisation = ? AND id = ?",
			).run(notBefore, attempt, why, organisation, id);
			return;
		}
		yield* statement("DELETE FROM jobs WHERE organisation = ? AND id = ?").run(organisation, id);
		yield* statement("UPDATE jobs SET not_before = min(not_before, ?), why = ? WHERE organisation = ? AND id = ?").run(
			notBefore,
			why,
			organisation,
			waiting.id,
		);
	}

	function leased({ organisation, id, lease: name }: Job): Program<JobRow | null> {
		return statement<JobRow>(`SELECT ${columns} FROM jobs WHERE organisation = ? AND id = ? AND lease = ?`).get(organisation, id, name);
	}

	return {
		addJob: durable(function* (job: NewJob): Program<void> {
			yield* addJob(job);
		}),

		addJobs: durable(function* (jobs: readonly NewJob[]): Program<void> {
			for (const job of jobs) yield* addJob(job);
		}),

		claimJobs: repeatable(function* (args: ClaimArgs): Program<readonly Job[]> {
			const claimed: Job[] = [];
			if (args.limit > 0) for (const row of yield* claimable(args)) claimed.push(yield* lease(row, args));
			return claimed;
		}),

		renewJob: repeatable(function* ({ job, now, leaseMs }: { job: Job; now: Date; leaseMs: number }): Program<boolean> {
			const sql = "UPDATE jobs SET leased_until = ? WHERE organisation = ? AND id = ? AND lease = ?";
			return (yield* statement(sql).run(now.getTime() + leaseMs, job.organisation, job.id, job.lease)).changes > 0;
		}),

		finishJob: repeatable(function* ({ job: { organisation, id, lease: name }, next }: { job: Job; next: readonly NewJob[] }): Program<void> {
			const sql = "DELETE FROM jobs WHERE organisation = ? AND id = ? AND lease = ?";
			if ((yield* statement(sql).run(organisation, id, name)).changes > 0) for (const added of next) yield* addJob(added);
		}),

		retryJob: repeatable(function* ({ job, notBefore, why, freeOfCharge }: { job: Job; notBefore: Date; why: string; freeOfCharge: boolean }): Program<void> {
			const row = yield* leased(job);
			if (row !== null) yield* putBack(row, notBefore.getTime(), freeOfCharge ? row.attempt - 1 : row.attempt, why);
		}),

		/** Ends the leases of a worker and those that have expired, or all, and waits that are too long. @returns how many leases. */
		releaseLeases: durable(function* ({ worker, now }: { worker: string | null; now: Date }): Program<number> {
			const own = worker === null ? "" : " AND (worker = ? OR leased_until <= ?)";
			const leasedJobs = yield* statement<JobRow>(`SELECT ${columns} FROM jobs WHERE lease IS NOT NULL${own}`).all(
				...(worker === null ? [] : [worker, now.getTime()]),
			);
			for (const row of leasedJobs) yield* putBack(row, now.getTime(), row.attempt, "the server stopped");
			// Syncs and deliveries wait for days; whoever starts them adds their jobs again.
			const sql = "UPDATE jobs SET not_before = ? WHERE not_before > ? AND task NOT IN ('sync', 'deliver')";
			yield* statement(sql).run(now.getTime(), now.getTime() + waitMsMax);
			return leasedJobs.length;
		}),
	};
}

interface MissingRow {
	readonly organisation: string;
	readonly task: Task;
	readonly subject: string;
}

/**
 * Jobs that are missing: a document in progress needs an `ingest` job, and a published one that is still dreaming a `remember` job in
 * each of its containers. Waiting and leased jobs are asked for separately, because each has an index of its own.
 */
const hasNoJob = (task: Task, subject: string) =>
	["IS NULL", "IS NOT NULL"]
		.map(
			(lease) =>
				`NOT EXISTS (SELECT 1 FROM jobs j WHERE j.organisation = d.organisation AND j.task = '${task}' AND j.subject = ${subject} AND j.lease ${lease})`,
		)
		.join(" AND ");
const selectMissing = `
	SELECT d.organisation, 'ingest' AS task, d.id AS subject FROM documents d WHERE d.status <> 'done' AND d.status <> 'failed'
		AND ${hasNoJob("ingest", "d.id")}
	UNION
	SELECT d.organisation, 'remember', t.value FROM documents d, json_each(d.container_tags) t
		WHERE d.dreaming_status = 'dreaming' AND d.dreaming = 'dynamic' AND d.published_revision IS NOT NULL
		AND ${hasNoJob("remember", "t.value")}`;

export function jobQueue({ statement, read, write }: SqlEngine): JobQueue {
	return {
		add: (job) => write("addJob", job),
		claim: (worker, tasks, limit, now, leaseMs) => write("claimJobs", { worker, tasks, limit, now, leaseMs }),
		renew: (job, now, leaseMs) => write("renewJob", { job, now, leaseMs }),
		finish: (job, next = []) => write("finishJob", { job, next }),
		retry: (job, notBefore, why, freeOfCharge) => write("retryJob", { job, notBefore, why, freeOfCharge }),
		depth: async () => {
			// This is called often, so it counts along two indexes; the second has only the few leased jobs.
			const sql = `SELECT count(*) AS total, (SELECT count(*) FROM jobs INDEXED BY jobs_leased WHERE lease IS NOT NULL) AS leased FROM jobs`;
			const { total, leased } = (await read(statement<{ total: number; leased: number }>(sql).get())) ?? { total: 0, leased: 0 };
			return { waiting: total - leased, leased };
		},
		nextDue: async () => {
			const due = (await read(statement<{ due: number | null }>("SELECT min(not_before) AS due FROM jobs WHERE lease IS NULL").get()))?.due ?? null;
			return due === null ? null : new Date(due);
		},
		recover: async (worker, now, newId) => {
			const leases = await write("releaseLeases", { worker, now });
			const jobs = (await read(statement<MissingRow>(selectMissing).all())).map(
				(row): NewJob => ({ ...row, organisation: asId<OrganisationId>(row.organisation), id: asId<JobId>(newId()), notBefore: now }),
			);
			await write("addJobs", jobs);
			return { leases, jobs: jobs.length };
		},
	};
}
