/** The queue in RAM. */

import { isFinished, type Job, type JobQueue, type NewJob, type Task } from "cairn-memory";
import type { AllTables, JobRow, JobRows } from "./tables.ts";

export function ramJobs(rows: JobRows, organisations: AllTables): JobQueue {
	let claims = 0;
	return {
		add: async (job) => enqueue(rows, job),
		claim: async (worker, tasks, limit, now, leaseMs) => {
			const claimed: Job[] = [];
			for (const row of claimable(rows, tasks, now)) {
				if (claimed.length >= limit) break;
				if (isBusy(rows, row.job, now)) continue;
				const lease = `${worker} ${++claims}`;
				const attempt = row.attempt + 1;
				rows.set(row.job.id, { job: row.job, attempt, lease: { name: lease, until: after(now, leaseMs) } });
				claimed.push({ ...row.job, attempt, lease });
			}
			return claimed;
		},
		renew: async (job, now, leaseMs) => {
			const row = leasedRow(rows, job);
			if (row === null) return false;
			rows.set(job.id, { ...row, lease: { name: job.lease, until: after(now, leaseMs) } });
			return true;
		},
		finish: async (job, next = []) => {
			if (leasedRow(rows, job) === null) return;
			rows.delete(job.id);
			for (const one of next) enqueue(rows, one);
		},
		retry: async (job, notBefore, _why, freeOfCharge) => {
			const row = leasedRow(rows, job);
			if (row !== null) giveBack(rows, { ...row, attempt: row.attempt - (freeOfCharge ? 1 : 0) }, notBefore);
		},
		depth: async () => {
			const leased = [...rows.values()].filter(({ lease }) => lease !== null).length;
			return { waiting: rows.size - leased, leased };
		},
		nextDue: async () => {
			const waiting = [...rows.values()].filter(({ lease }) => lease === null).map(({ job }) => job.notBefore.getTime());
			return waiting.length === 0 ? null : new Date(Math.min(...waiting));
		},
		recover: async (now, newId) => {
			const held = [...rows.values()].filter(({ lease }) => lease !== null);
			for (const row of held) giveBack(rows, row, now);
			const missing = [...unfinished(organisations)]
				.map((job) => ({ ...job, id: newId(), notBefore: now }))
				.filter((job) => waitingRow(rows, job) === undefined);
			for (const job of missing) enqueue(rows, job);
			return { leases: held.length, jobs: missing.length };
		},
	};
}

/** Adds a job, or lets the one that already waits for the same subject run earlier. */
export function enqueue(rows: JobRows, job: NewJob): void {
	const waiting = waitingRow(rows, job);
	if (waiting === undefined) rows.set(job.id, { job, attempt: 0, lease: null });
	else if (job.notBefore < waiting.job.notBefore) rows.set(waiting.job.id, { ...waiting, job: { ...waiting.job, notBefore: job.notBefore } });
}

/** Takes back a job that no worker has begun. */
export function withdraw(rows: JobRows, job: Subject): void {
	const waiting = waitingRow(rows, job);
	if (waiting !== undefined) rows.delete(waiting.job.id);
}

type Subject = Pick<NewJob, "organisation" | "task" | "subject">;

function isSame(a: Subject, b: Subject): boolean {
	return a.organisation === b.organisation && a.task === b.task && a.subject === b.subject;
}

function waitingRow(rows: JobRows, job: Subject): JobRow | undefined {
	return [...rows.values()].find((row) => row.lease === null && isSame(row.job, job));
}

function leasedRow(rows: JobRows, { id, lease }: Job): JobRow | null {
	const row = rows.get(id);
	return row?.lease?.name === lease ? row : null;
}

/** Ends a lease. When another job for the subject waits by now the two become one. */
function giveBack(rows: JobRows, row: JobRow, notBefore: Date): void {
	const other = waitingRow(rows, row.job);
	if (other === undefined) return void rows.set(row.job.id, { ...row, job: { ...row.job, notBefore }, lease: null });
	rows.delete(row.job.id);
	enqueue(rows, { ...row.job, notBefore });
}

function claimable(rows: JobRows, tasks: readonly Task[], now: Date): readonly JobRow[] {
	return [...rows.values()]
		.filter(({ job, lease }) => tasks.includes(job.task) && (lease === null ? job.notBefore <= now : lease.until <= now))
		.sort((a, b) => a.job.notBefore.getTime() - b.job.notBefore.getTime());
}

function isBusy(rows: JobRows, job: NewJob, now: Date): boolean {
	return [...rows.values()].some((row) => row.lease !== null && row.lease.until > now && isSame(row.job, job));
}

function* unfinished(organisations: AllTables): Generator<Subject> {
	for (const [organisation, { documents }] of organisations) {
		for (const { id, status } of documents.values()) if (!isFinished(status)) yield { organisation, task: "ingest", subject: id };
	}
}

function after(now: Date, ms: number): Date {
	return new Date(now.getTime() + ms);
}
