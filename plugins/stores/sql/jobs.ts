/** The durable job queue. A claim is a transaction, so that two workers never get the same job. */

import { randomUUID } from "node:crypto";
import { asId, limits, type OrganisationId } from "cairn-memory";
import { crashPauseMs, type Job, type JobId, type JobQueue, type NewJob, type Task } from "cairn-memory/stores";
import { durable, type Program, repeatable, type SqlContext, type SqlEngine } from "./executor.ts";

interface JobRow {
	readonly organisation: OrganisationId;
	readonly id: JobId;
	readonly task: Task;
	readonly subject: string;
	readonly notBefore: number;
	readonly attempt: number;
	readonly crashes: number;
	readonly trace: string | null;
}

const columns = "organisation, id, task, subject, not_before AS notBefore, attempt, crashes, trace";

/** The tasks beside which a document is not alone. */
const documentTasks: readonly Task[] = ["ingest", "remember", "renew"];
/** Those whose jobs are claimed alone after crashes. */
const aloneTasks: readonly Task[] = ["ingest", "remember"];
/** Jobs that are claimed alone. The first two conditions name the index. */
const isAlone = `task IN ('ingest', 'remember') AND crashes > 0 AND crashes >= ${limits.crashesBesideOthersMax}`;
/** A document that was added again is another one; a container with one more document still has the one that crashed. */
const keptCrashes = "CASE jobs.task WHEN 'remember' THEN jobs.crashes ELSE 0 END";
/** A document that is added ends no pause after a crash, but any longer pause. */
const dueWithAdded = `CASE WHEN jobs.task = 'remember' AND jobs.crashes >= ${limits.crashesBesideOthersMax} THEN min(jobs.not_before, excluded.not_before + ${limits.retryDelayMaxMs})
	ELSE min(jobs.not_before, excluded.not_before) END`;

/** Waiting jobs `j` that can be claimed, by the time. */
const isDue = `lease IS NULL AND not_before <= ?
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

export interface FinishArgs {
	readonly job: Job;
	readonly next: readonly NewJob[];
}

/**
 * Returns a function that adds a waiting job. If the same job waits already, it becomes due at the earlier of the two times, and its
 * attempts count from zero, but for the crashes of a container and the pause after them.
 */
export function jobAdder({ statement }: SqlContext): (job: NewJob) => Program<unknown> {
	const sql = `INSERT INTO jobs (organisation, id, task, subject, not_before, trace) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (organisation, task, subject) WHERE lease IS NULL DO UPDATE SET not_before = ${dueWithAdded},
			attempt = ${keptCrashes}, crashes = ${keptCrashes}
		ON CONFLICT (organisation, id) DO NOTHING`;
	return ({ organisation, id, task, subject, notBefore, trace }) => statement(sql).run(organisation, id, task, subject, notBefore.getTime(), trace);
}

function keyOf(tasks: readonly Task[]): string {
	return tasks.join(" ");
}

export function jobOperations(connection: SqlContext) {
	const { statement, skipLocked } = connection;
	const addJob = jobAdder(connection);

	/** For each group of tasks the organisation that this program has served last. */
	const servedLast = new Map<string, string>();

	/** Puts back the jobs whose lease has expired, so that they are claimed like others. */
	function* endExpired({ tasks, limit, now }: ClaimArgs): Program<void> {
		const expired = yield* statement<JobRow>(
			`SELECT ${columns} FROM jobs WHERE lease IS NOT NULL AND leased_until <= ? AND task IN (SELECT value FROM json_each(?)) ORDER BY not_before, rowid LIMIT ?${skipLocked}`,
		).all(now.getTime(), JSON.stringify(tasks), limit);
		for (const row of expired) yield* putBackCrashed(row, row.notBefore, now, "its lease expired");
	}

	/** The job that a worker has to claim alone, nothing, or null if it may claim as many others as it likes. */
	function* claimableAlone(args: ClaimArgs): Program<readonly JobRow[] | null> {
		const any = yield* statement<{ one: number }>(`SELECT 1 AS one FROM jobs WHERE ${isAlone} LIMIT 1`).get();
		if (any === null) return null;
		const held = yield* statement<{ count: number; alone: number }>(
			`SELECT count(*) AS count, coalesce(sum(CASE WHEN ${isAlone} THEN 1 ELSE 0 END), 0) AS alone FROM jobs
				WHERE lease IS NOT NULL AND worker = ? AND task IN (SELECT value FROM json_each(?))`,
		).get(args.worker, JSON.stringify(documentTasks));
		if ((held?.alone ?? 0) > 0) return [];
		const first = yield* statement<JobRow>(
			`SELECT ${columns} FROM jobs AS j WHERE ${isDue} AND ${isAlone} ORDER BY not_before, rowid LIMIT 1${skipLocked}`,
		).get(args.now.getTime());
		if (first === null) return null;
		return (held?.count ?? 0) > 0 || !args.tasks.includes(first.task) ? [] : [first];
	}

	/** Up to `limit` organisations with jobs to claim: those after the one that was served last, by id, then the others. */
	function* inTurn({ tasks, limit, now }: ClaimArgs): Program<readonly string[]> {
		// The first of each task is looked up in the index: jobs of other tasks, of which many may wait, are not read.
		const next = statement<{ organisation: string | null }>(
			`SELECT min(first) AS organisation FROM (SELECT (SELECT j.organisation FROM jobs AS j INDEXED BY jobs_in_turn
				WHERE j.task = t.value AND j.organisation > ? AND ${isDue} AND NOT (${isAlone}) ORDER BY j.organisation LIMIT 1) AS first FROM json_each(?) t) found`,
		);
		const last = servedLast.get(keyOf(tasks)) ?? "";
		const found: string[] = [];
		for (const begin of last === "" ? [""] : [last, ""]) {
			for (let after = begin; found.length < limit; ) {
				const organisation = (yield* next.get(after, now.getTime(), JSON.stringify(tasks)))?.organisation ?? null;
				if (organisation === null || (begin !== last && organisation > last)) break;
				found.push(organisation);
				after = organisation;
			}
		}
		return found;
	}

	/** The oldest jobs of one organisation that can be claimed. Only these are locked, so that workers who claim at once get the next ones. */
	function* oldest(organisation: string, { tasks, now }: ClaimArgs, limit: number): Program<readonly JobRow[]> {
		const ofTask = (task: Task, most: number, lock: string) =>
			statement<JobRow>(
				`SELECT ${columns} FROM jobs AS j INDEXED BY jobs_in_turn WHERE task = ? AND organisation = ? AND ${isDue} AND NOT (${isAlone}) ORDER BY not_before, rowid LIMIT ?${lock}`,
			).all(task, organisation, now.getTime(), most);
		const [first, ...others] = tasks;
		if (first !== undefined && others.length === 0) return yield* ofTask(first, limit, skipLocked);
		const found: JobRow[] = [];
		for (const task of tasks) found.push(...(yield* ofTask(task, limit, "")));
		const byTime = (a: JobRow, b: JobRow) => a.notBefore - b.notBefore;
		const chosen = found.sort(byTime).slice(0, limit);
		if (skipLocked === "") return chosen;
		const locked: JobRow[] = [];
		for (const task of tasks) locked.push(...(yield* ofTask(task, chosen.filter((row) => row.task === task).length, skipLocked)));
		return locked.sort(byTime);
	}

	/** Organisations take turns, so that the first job of one does not wait behind thousands of another; each has its oldest first. */
	function* besideOthers(args: ClaimArgs): Program<readonly JobRow[]> {
		const claimed: JobRow[] = [];
		const organisations = yield* inTurn(args);
		for (const [i, organisation] of organisations.entries()) {
			// Each has an equal share of the places that are left. What one does not use is claimed the next time.
			const share = Math.ceil((args.limit - claimed.length) / (organisations.length - i));
			claimed.push(...(yield* oldest(organisation, args, share)));
			servedLast.set(keyOf(args.tasks), organisation);
		}
		return claimed;
	}

	function* claimable(args: ClaimArgs): Program<readonly JobRow[]> {
		yield* endExpired(args);
		const isForDocuments = args.tasks.some((task) => documentTasks.includes(task));
		const alone = isForDocuments ? yield* claimableAlone(args) : null;
		return alone ?? (yield* besideOthers(args));
	}

	function* lease(row: JobRow, { worker, now, leaseMs }: ClaimArgs): Program<Job> {
		const name = randomUUID();
		const sql = "UPDATE jobs SET lease = ?, leased_until = ?, worker = ?, attempt = attempt + 1 WHERE organisation = ? AND id = ?";
		yield* statement(sql).run(name, now.getTime() + leaseMs, worker, row.organisation, row.id);
		return { ...row, notBefore: new Date(row.notBefore), attempt: row.attempt + 1, lease: name };
	}

	/** Ends a lease that was not settled. */
	function putBackCrashed(row: JobRow, notBefore: number, now: Date, why: string): Program<void> {
		const crashes = row.crashes + 1;
		const pauseMs = aloneTasks.includes(row.task) ? crashPauseMs(crashes) : 0;
		return putBack({ ...row, crashes }, pauseMs === 0 ? notBefore : Math.max(notBefore, now.getTime() + pauseMs), why);
	}

	/** Ends the lease of a job. If another job with the same organisation, task and subject already waits, the two become one. */
	function* putBack({ organisation, id, task, subject, attempt, crashes }: JobRow, notBefore: number, why: string | null): Program<void> {
		const waiting = yield* statement<{ id: string }>("SELECT id FROM jobs WHERE organisation = ? AND task = ? AND subject = ? AND lease IS NULL").get(
			organisation,
			task,
			subject,
		);
		if (waiting === null) {
			yield* statement(
				"UPDATE jobs SET lease = NULL, leased_until = NULL, worker = NULL, not_before = ?, attempt = ?, crashes = ?, why = ? WHERE organisation = ? AND id = ?",
			).run(notBefore, attempt, crashes, why, organisation, id);
			return;
		}
		yield* statement("DELETE FROM jobs WHERE organisation = ? AND id = ?").run(organisation, id);
		yield* statement(
			`UPDATE jobs SET not_before = CASE WHEN task = 'remember' AND ?3 >= ${limits.crashesBesideOthersMax} THEN max(not_before, ?1) ELSE min(not_before, ?1) END, why = ?2,
				crashes = CASE task WHEN 'remember' THEN max(crashes, ?3) ELSE crashes END, attempt = CASE task WHEN 'remember' THEN max(attempt, ?3) ELSE attempt END
				WHERE organisation = ?4 AND id = ?5`,
		).run(notBefore, why, crashes, organisation, waiting.id);
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

		finishJob: {
			...repeatable(function* ({ job: { organisation, id, lease: name }, next }: FinishArgs): Program<void> {
				const sql = "DELETE FROM jobs WHERE organisation = ? AND id = ? AND lease = ?";
				if ((yield* statement(sql).run(organisation, id, name)).changes > 0) for (const added of next) yield* addJob(added);
			}),
			// Jobs that are added may be added by another one as well, in one statement each, and which comes first makes no difference.
			subject: ({ job }: FinishArgs) => job.subject,
		},

		retryJob: repeatable(function* ({ job, notBefore, why, freeOfCharge }: { job: Job; notBefore: Date; why: string; freeOfCharge: boolean }): Program<void> {
			const row = yield* leased(job);
			if (row !== null) yield* putBack({ ...row, attempt: freeOfCharge ? row.attempt - 1 : row.attempt }, notBefore.getTime(), why);
		}),

		/** Ends the leases of a worker and those that have expired, or all, and waits that are too long. @returns how many leases. */
		releaseLeases: durable(function* ({ worker, now }: { worker: string | null; now: Date }): Program<number> {
			const own = worker === null ? "" : " AND (worker = ? OR leased_until <= ?)";
			const leasedJobs = yield* statement<JobRow>(`SELECT ${columns} FROM jobs WHERE lease IS NOT NULL${own}`).all(
				...(worker === null ? [] : [worker, now.getTime()]),
			);
			for (const row of leasedJobs) yield* putBackCrashed(row, now.getTime(), now, "the server stopped");
			// Syncs and deliveries wait for days; whoever starts them adds their jobs again.
			const sql = "UPDATE jobs SET not_before = ? WHERE not_before > ? AND task NOT IN ('sync', 'deliver')";
			yield* statement(sql).run(now.getTime(), now.getTime() + waitMsMax);
			// In earlier versions a document could become one that is only searched, and wait for memories for ever.
			yield* statement("UPDATE documents SET dreaming_status = 'done' WHERE dreaming_status = 'dreaming' AND task_type = 'superrag' AND status = 'done'").run();
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
 * Jobs that are missing: a document in progress needs an `ingest` job, and a finished one that is still dreaming a `remember` job in
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
		WHERE d.dreaming_status = 'dreaming' AND d.status = 'done' AND d.published_revision = d.revision AND d.task_type = 'memory'
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
				(row): NewJob => ({ ...row, organisation: asId<OrganisationId>(row.organisation), id: asId<JobId>(newId()), notBefore: now, trace: null }),
			);
			await write("addJobs", jobs);
			return { leases, jobs: jobs.length };
		},
	};
}
