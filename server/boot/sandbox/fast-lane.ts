/** Which call the fast lane works on: one that has had little of its time goes before one that has had much. */

import type { SandboxChild } from "./sandbox-child.ts";

/** A call that waits in the queue for a child. */
export interface Waiting {
	/** Counts the calls in the order they came. */
	readonly number: number;
	/** How much time the lane has given it, in steps; it keeps what it has got when it is put back into the queue. */
	level: number;
}

/** A call that has a child. */
export interface Place<Job extends Waiting> {
	readonly job: Job;
	readonly child: SandboxChild;
	/** Whether it has one of the regular places; else it is in the lane, at work or paused. */
	isRegular: boolean;
}

/** Of those that had equally little time one that has a child goes first, for nothing is lost by it; then the newest. */
export function bestOf<Job extends Waiting>(lane: readonly Place<Job>[], waiting: readonly Job[]): Place<Job> | Job | undefined {
	const begins = (entry: Place<Job> | Job) => Number(!("child" in entry));
	const order = (a: Place<Job> | Job, b: Place<Job> | Job) => jobOf(a).level - jobOf(b).level || begins(a) - begins(b) || jobOf(b).number - jobOf(a).number;
	return [...lane, ...waiting].sort(order)[0];
}

/** The one that makes room when there are too many: it had most of the lane, and of several such it is the oldest, which is next for a regular place. */
export function worstOf<Job extends Waiting>(lane: readonly Place<Job>[]): Place<Job> | undefined {
	return lane.toSorted((a, b) => b.job.level - a.job.level || a.job.number - b.job.number)[0];
}

function jobOf<Job extends Waiting>(entry: Place<Job> | Job): Job {
	return "child" in entry ? entry.job : entry;
}
