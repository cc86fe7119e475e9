/** The worker: claims jobs, runs them under a lease that it renews, and settles them. There is one per process. */

import type { ServiceError } from "../errors/fail.ts";
import { asServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Job, JobQueue, NewJob, Task } from "../ports/job-queue.ts";
import type { World } from "../ports/world.ts";
import { retryDelayMs } from "../runtime/backoff.ts";
import { type Notifier, notifiedWithin } from "../runtime/notifier.ts";
import { createPace, type Pace } from "./pace.ts";

/** One attempt at a job. */
export interface Attempt {
	readonly run: (signal: AbortSignal) => Promise<void>;
	/** The jobs to add afterwards, in the transaction that settles this one. */
	readonly next?: () => Promise<readonly NewJob[]>;
	/** Whether it only waits, so that another job may begin. */
	readonly isWaiting?: () => boolean;
	/** Converts any error to the `ServiceError` that decides whether the job is tried again. */
	readonly toServiceError: (thrown: unknown) => ServiceError;
	/** Called before a failed job is put back or given up, so that the failure can be stored. `retryAt` is null if it will not be tried again. */
	readonly onFailure: (thrown: unknown, retryAt: Date | null) => Promise<void>;
}

/** Creates the attempt for a job of one task. */
export type Handler = (job: Job) => Attempt;

export interface WorkerOptions {
	readonly name: string;
	readonly jobs: JobQueue;
	/** Jobs of tasks without a handler are left to other workers. */
	readonly handlers: Readonly<Partial<Record<Task, Handler>>>;
	readonly world: World;
	readonly notifier: Notifier;
	/** The maximum number of concurrent jobs, not counting those that only wait; see `Pace`. */
	readonly concurrentMax: number;
}

interface Running {
	readonly job: Job;
	readonly attempt: Attempt;
	readonly stop: AbortController;
	readonly ended: Promise<void>;
}

/** The reasons for which the worker aborts a job. `stopping`: the job is put back without counting as an attempt. */
const stopping = Symbol("stopping");
const leaseLost = Symbol("lease lost");

/**
 * `remember` jobs wait while documents are waiting, but after this time one of them is run. After a short one the next is run sooner, so that
 * they get a fifth of the time, however many containers wait.
 */
const rememberEveryMs = 2_000;
const pausePerRememberMs = 4;

/** `remember` jobs that run beside each other when no document is waiting: while one waits for the store, the other computes. */
const concurrentRemembersMax = 2;

const concurrentChoresMax = 8;
const concurrentPollsMax = 2;
/** How often chores are claimed. Each claim costs a write. */
const choresEveryMs = 200;
const syncsEveryMs = 500;

/** How often it is checked whether a job only waits. Hundreds of files that were just added would otherwise keep the notes behind them waiting. */
const slotLookMs = 50;

/** The shortest sleep: a job that is due cannot be claimed while its subject is being processed, and the loop must not spin. */
const idleMsMin = 50;

/** Runs until the signal is aborted, then stops the running jobs, waits for them and puts them back. */
export async function work({ name, jobs, handlers, world, notifier, concurrentMax }: WorkerOptions, signal: AbortSignal): Promise<void> {
	const running = new Map<string, Running>();
	const pace = createPace(concurrentMax, world);
	const leaseRenewal = renewLeases(running, jobs, world, signal);
	let rememberDueAt = world.elapsedMs() + rememberEveryMs;
	const choreSchedules = choresOf(handlers).map((chore) => ({ ...chore, at: Number.NEGATIVE_INFINITY }));
	while (!signal.aborted) {
		try {
			const free = freeSlots(running, pace);
			const claimed = free > 0 ? [...(await jobs.claim(name, ["ingest"], free, world.steadyNow(), limits.leaseMs))] : [];
			for (const look of choreSchedules) for (const job of await claimDueChores(look)) start(job);
			const busy = [...running.values()].filter(({ job }) => isForDocuments(job));
			const isIdle = claimed.length === 0 && busy.length < concurrentRemembersMax && busy.every(({ job }) => job.task === "remember");
			const isOverdue = world.elapsedMs() > rememberDueAt;
			if (free > claimed.length && (isIdle || isOverdue)) {
				const remembering = await jobs.claim(name, ["remember"], 1, world.steadyNow(), limits.leaseMs);
				if (remembering.length > 0) rememberDueAt = world.elapsedMs() + rememberEveryMs;
				claimed.push(...remembering);
			}
			if (isIdle && claimed.length === 0 && handlers.renew !== undefined && running.size === 0)
				claimed.push(...(await jobs.claim(name, ["renew"], 1, world.steadyNow(), limits.leaseMs)));
			for (const job of claimed) start(job);
			if (free > 0 && claimed.length === 0) await idle(jobs, world, notifier, signal);
			else if (claimed.length >= free) await waitForSlot();
		} catch (thrown) {
			logFailure(thrown, "the worker could not claim jobs");
			await world.sleep(limits.pollIntervalMs, signal);
		}
	}
	for (const { stop } of running.values()) stop.abort(stopping);
	await Promise.all([...running.values()].map(({ ended }) => ended));
	await leaseRenewal;

	/** Damage is logged by the storage itself, once. */
	function logFailure(thrown: unknown, what: string, fields: Readonly<Record<string, string>> = {}): void {
		const { code, message } = asServiceError(thrown);
		if (code !== "STORAGE_DAMAGED") world.log("error", what, { ...fields, reason: message });
	}

	/** Waits until a job has ended or only waits, but not for long, because other tasks are claimed in the same loop. */
	async function waitForSlot(): Promise<void> {
		const until = world.elapsedMs() + limits.pollIntervalMs;
		do await notifiedWithin(notifier, slotLookMs, world, signal);
		while (!signal.aborted && world.elapsedMs() < until && freeSlots(running, pace) === 0);
	}

	async function claimDueChores(schedule: (typeof choreSchedules)[number]): Promise<readonly Job[]> {
		const busy = [...running.values()].filter(({ job }) => schedule.tasks.includes(job.task)).length;
		if (busy >= schedule.concurrentMax || world.elapsedMs() - schedule.at < schedule.everyMs) return [];
		schedule.at = world.elapsedMs();
		return await jobs.claim(name, schedule.tasks, schedule.concurrentMax - busy, world.steadyNow(), limits.leaseMs);
	}

	function start(job: Job): void {
		const stop = new AbortController();
		const startedAt = world.elapsedMs();
		const attempt = handlers[job.task]?.(job);
		if (attempt === undefined) throw new Error(`there is no handler for ${job.task}`);
		const run = () => runOne(job, attempt, stop.signal, jobs, world);
		const ended = (world.observer === undefined ? run() : world.observer.runJob(job, run))
			.catch((thrown: unknown) => logFailure(thrown, "a job could not be settled; its lease will run out", { job: job.id }))
			.finally(() => {
				running.delete(job.lease);
				const now = world.elapsedMs();
				if (job.task === "remember") rememberDueAt = Math.min(rememberDueAt, now + pausePerRememberMs * (now - startedAt));
				if (isForDocuments(job)) pace.documentEnded();
				notifier.notify();
			});
		running.set(job.lease, { job, attempt, stop, ended });
	}
}

/** Tasks that mostly wait for other machines, or write little. They run in addition to documents. */
interface Chore {
	readonly tasks: readonly Task[];
	readonly concurrentMax: number;
	readonly everyMs: number;
}

/** A sync may take hours, and a provider that is asked about a sign-in may hang. They have separate slots, so that webhooks are delivered meanwhile. */
function choresOf(handlers: WorkerOptions["handlers"]): readonly Chore[] {
	const quick = (["merge", "deliver"] as const).filter((task) => handlers[task] !== undefined);
	const polls = (["sign-in"] as const).filter((task) => handlers[task] !== undefined);
	const slow = (["sync"] as const).filter((task) => handlers[task] !== undefined);
	const chores: readonly Chore[] = [
		{ tasks: quick, concurrentMax: concurrentChoresMax, everyMs: choresEveryMs },
		{ tasks: polls, concurrentMax: concurrentPollsMax, everyMs: choresEveryMs },
		{ tasks: slow, concurrentMax: limits.concurrentSyncsMax, everyMs: syncsEveryMs },
	];
	return chores.filter(({ tasks }) => tasks.length > 0);
}

function freeSlots(running: ReadonlyMap<string, Running>, pace: Pace): number {
	let busy = 0;
	for (const { job, attempt } of running.values()) if (isForDocuments(job) && attempt.isWaiting?.() !== true) busy++;
	return Math.max(0, Math.min(pace.concurrentMax() - busy, limits.documentsStartedMax - running.size));
}

function isForDocuments({ task }: Job): boolean {
	return task === "ingest" || task === "remember";
}

async function runOne(job: Job, attempt: Attempt, signal: AbortSignal, jobs: JobQueue, world: World): Promise<void> {
	let next: readonly NewJob[] = [];
	try {
		await attempt.run(signal);
		next = (await attempt.next?.()) ?? [];
	} catch (thrown) {
		if (signal.reason === leaseLost || attempt.toServiceError(thrown).code === "LEASE_LOST") return;
		if (signal.reason === stopping) return jobs.retry(job, world.steadyNow(), "the server stopped", true);
		const reason = attempt.toServiceError(thrown);
		if (reason.code === "DOCUMENT_SUPERSEDED") return jobs.finish(job);
		const freeOfCharge = reason.mayPass && reason.retryAfterMs !== null;
		const willRetry = reason.mayPass && (freeOfCharge || job.attempt - job.crashes < limits.attemptsMax);
		const delayMs = reason.retryAfterMs ?? Math.max(retryDelayMs(job.attempt, world.random()), reason.earliestRetryMs);
		const afterDelay = (now: Date) => new Date(now.getTime() + delayMs);
		world.observer?.jobFailed(job, reason.code);
		await attempt.onFailure(thrown, willRetry ? afterDelay(world.now()) : null);
		return willRetry ? jobs.retry(job, afterDelay(world.steadyNow()), reason.code, freeOfCharge) : jobs.finish(job);
	}
	await jobs.finish(job, next);
}

/** Renews every lease three times before it would expire. If a lease is lost, its job is stopped, since another worker has it. */
async function renewLeases(running: ReadonlyMap<string, Running>, jobs: JobQueue, world: World, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		await world.sleep(limits.leaseMs / 3, signal);
		for (const { job, stop } of running.values()) {
			const kept = await jobs.renew(job, world.steadyNow(), limits.leaseMs).catch(() => true);
			if (!kept) stop.abort(leaseLost);
		}
	}
}

/** Sleeps until it is notified, the next job is due, or the poll interval has passed, whichever comes first. */
async function idle(jobs: JobQueue, world: World, notifier: Notifier, signal: AbortSignal): Promise<void> {
	const due = await jobs.nextDue();
	const untilDue = due === null ? limits.pollIntervalMs : due.getTime() - world.steadyNow().getTime();
	await notifiedWithin(notifier, Math.min(limits.pollIntervalMs, Math.max(idleMsMin, untilDue)), world, signal);
}
