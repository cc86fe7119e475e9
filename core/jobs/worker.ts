/** Claims jobs, runs them under a lease that it renews, and settles them. There is one per process. */

import type { ServiceError } from "../errors/fail.ts";
import { asServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Job, JobQueue, NewJob, Task } from "../ports/job-queue.ts";
import type { World } from "../ports/world.ts";
import { retryDelayMs } from "../runtime/backoff.ts";
import { type Notifier, notifiedWithin } from "../runtime/notifier.ts";
import { createPace, type Pace } from "./pace.ts";

/** One try at a job. */
export interface Attempt {
	readonly run: (signal: AbortSignal) => Promise<void>;
	/** The job to add afterwards, in the write that settles this one. */
	readonly next?: () => Promise<readonly NewJob[]>;
	/** Whether it only waits, so that another job may begin beside it. */
	readonly isWaiting?: () => boolean;
	/** The error of ours that it comes down to. */
	readonly reason: (thrown: unknown) => ServiceError;
	/** Called before the job is put back or given up, so that the document can show it. `retryAt` is null for the last attempt. */
	readonly failed: (thrown: unknown, retryAt: Date | null) => Promise<void>;
}

/** What to do with a job of one task. */
export type Handler = (job: Job) => Attempt;

export interface WorkerOptions {
	readonly name: string;
	readonly jobs: JobQueue;
	/** Tasks without a handler are left to others. */
	readonly handlers: Readonly<Partial<Record<Task, Handler>>>;
	readonly world: World;
	readonly notifier: Notifier;
	/** How many jobs run at once at most, beside those that wait; see `Pace`. */
	readonly atOnce: number;
}

interface Running {
	readonly job: Job;
	readonly attempt: Attempt;
	readonly stop: AbortController;
	readonly ended: Promise<void>;
}

/** Why a job was stopped from outside; it is put back without counting as an attempt. */
const stopping = Symbol("stopping");
const leaseLost = Symbol("lease lost");

/** Memories wait while documents do, but not for ever: after this long they get a turn. */
const rememberAtLeastEveryMs = 2_000;

const choresAtOnce = 8;
/** A look costs a write. */
const choresEveryMs = 200;
const syncsEveryMs = 500;

/** A job that is due may still have to wait because its subject is being processed. Without this the loop would spin. */
const shortestNapMs = 50;

/** Runs until the signal is aborted, then waits for the running jobs to stop and gives them back. */
export async function work({ name, jobs, handlers, world, notifier, atOnce }: WorkerOptions, signal: AbortSignal): Promise<void> {
	const running = new Map<string, Running>();
	const pace = createPace(atOnce, world);
	const heartbeat = beat(running, jobs, world, signal);
	let rememberedAt = world.elapsedMs();
	const looks = choresOf(handlers).map((chore) => ({ ...chore, at: Number.NEGATIVE_INFINITY }));
	while (!signal.aborted) {
		try {
			const free = roomIn(running, pace);
			const claimed = free > 0 ? [...(await jobs.claim(name, ["ingest"], free, world.now(), limits.leaseMs))] : [];
			for (const look of looks) for (const job of await claimChores(look)) start(job);
			const isIdle = claimed.length === 0 && ![...running.values()].some(({ job }) => isForDocuments(job));
			const isOverdue = world.elapsedMs() - rememberedAt > rememberAtLeastEveryMs;
			if (free > claimed.length && (isIdle || isOverdue)) {
				const remembering = await jobs.claim(name, ["remember"], 1, world.now(), limits.leaseMs);
				if (remembering.length > 0) rememberedAt = world.elapsedMs();
				claimed.push(...remembering);
			}
			if (isIdle && claimed.length === 0 && handlers.renew !== undefined && running.size === 0)
				claimed.push(...(await jobs.claim(name, ["renew"], 1, world.now(), limits.leaseMs)));
			for (const job of claimed) start(job);
			if (free > 0 && claimed.length === 0) await idle(jobs, world, notifier, signal);
			else if (claimed.length >= free) await roomAgain(running, world, signal);
		} catch (thrown) {
			world.log("error", "the worker could not claim jobs", { reason: asServiceError(thrown).message });
			await world.sleep(limits.pollIntervalMs, signal);
		}
	}
	for (const { stop } of running.values()) stop.abort(stopping);
	await Promise.all([...running.values()].map(({ ended }) => ended));
	await heartbeat;

	async function claimChores(look: (typeof looks)[number]): Promise<readonly Job[]> {
		const busy = [...running.values()].filter(({ job }) => look.tasks.includes(job.task)).length;
		if (busy >= look.atOnce || world.elapsedMs() - look.at < look.everyMs) return [];
		look.at = world.elapsedMs();
		return await jobs.claim(name, look.tasks, look.atOnce - busy, world.now(), limits.leaseMs);
	}

	function start(job: Job): void {
		const stop = new AbortController();
		const attempt = handlers[job.task]?.(job);
		if (attempt === undefined) throw new Error(`nobody was to claim ${job.task}`);
		const ended = runOne(job, attempt, stop.signal, jobs, world)
			.catch((thrown: unknown) =>
				world.log("error", "a job could not be settled; its lease will run out", { job: job.id, reason: asServiceError(thrown).message }),
			)
			.finally(() => {
				running.delete(job.lease);
				if (isForDocuments(job)) pace.ended();
				notifier.notify();
			});
		running.set(job.lease, { job, attempt, stop, ended });
	}
}

/** Tasks that mostly wait for other machines, or write a little: they run beside documents. */
interface Chore {
	readonly tasks: readonly Task[];
	readonly atOnce: number;
	readonly everyMs: number;
}

/** A sync may take hours. Syncs have places of their own, so that webhooks are delivered in the meantime. */
function choresOf(handlers: WorkerOptions["handlers"]): readonly Chore[] {
	const quick = (["merge", "deliver"] as const).filter((task) => handlers[task] !== undefined);
	const slow = (["sync"] as const).filter((task) => handlers[task] !== undefined);
	const chores: readonly Chore[] = [
		{ tasks: quick, atOnce: choresAtOnce, everyMs: choresEveryMs },
		{ tasks: slow, atOnce: limits.concurrentSyncsMax, everyMs: syncsEveryMs },
	];
	return chores.filter(({ tasks }) => tasks.length > 0);
}

function roomIn(running: ReadonlyMap<string, Running>, pace: Pace): number {
	let busy = 0;
	for (const { job, attempt } of running.values()) if (isForDocuments(job) && attempt.isWaiting?.() !== true) busy++;
	return Math.max(0, Math.min(pace.atOnce() - busy, limits.documentsStartedMax - running.size));
}

function isForDocuments({ task }: Job): boolean {
	return task === "ingest" || task === "remember";
}

/** Until a job has ended, or it is time to check whether one only waits. */
async function roomAgain(running: ReadonlyMap<string, Running>, world: World, signal: AbortSignal): Promise<void> {
	const looking = new AbortController();
	const look = world.sleep(limits.pollIntervalMs, AbortSignal.any([signal, looking.signal]));
	await Promise.race([look, ...[...running.values()].map(({ ended }) => ended)]);
	looking.abort();
}

async function runOne(job: Job, attempt: Attempt, signal: AbortSignal, jobs: JobQueue, world: World): Promise<void> {
	let next: readonly NewJob[] = [];
	try {
		await attempt.run(signal);
		next = (await attempt.next?.()) ?? [];
	} catch (thrown) {
		if (signal.reason === leaseLost) return;
		if (signal.reason === stopping) return jobs.retry(job, world.now(), "the server stopped", true);
		const reason = attempt.reason(thrown);
		if (reason.code === "DOCUMENT_SUPERSEDED") return jobs.finish(job);
		const isFree = reason.mayPass && reason.retryAfterMs !== null;
		const triesAgain = reason.mayPass && (isFree || job.attempt < limits.attemptsMax);
		const delayMs = reason.retryAfterMs ?? Math.max(retryDelayMs(job.attempt, world.random()), reason.earliestRetryMs);
		const retryAt = triesAgain ? new Date(world.now().getTime() + delayMs) : null;
		await attempt.failed(thrown, retryAt);
		return retryAt === null ? jobs.finish(job) : jobs.retry(job, retryAt, reason.code, isFree);
	}
	await jobs.finish(job, next);
}

/** Renews every lease three times before it would run out. A lease that is lost stops its job: another worker has it. */
async function beat(running: ReadonlyMap<string, Running>, jobs: JobQueue, world: World, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		await world.sleep(limits.leaseMs / 3, signal);
		for (const { job, stop } of running.values()) {
			const kept = await jobs.renew(job, world.now(), limits.leaseMs).catch(() => true);
			if (!kept) stop.abort(leaseLost);
		}
	}
}

/** Sleeps until it is notified, the next job is due, or the poll interval is over, whichever comes first. */
async function idle(jobs: JobQueue, world: World, notifier: Notifier, signal: AbortSignal): Promise<void> {
	const due = await jobs.nextDue();
	const untilDue = due === null ? limits.pollIntervalMs : due.getTime() - world.now().getTime();
	await notifiedWithin(notifier, Math.min(limits.pollIntervalMs, Math.max(shortestNapMs, untilDue)), world, signal);
}
