/** Chooses the call that the fast lane works on: those that have used little of its time come first. */

import type { SandboxChild } from "./sandbox-child.ts";

/** A call that waits in the queue for a child. */
export interface Waiting {
	/** Counts the calls in the order they came. */
	readonly number: number;
	/** How much time the lane has given it, in steps; kept when it goes back into the queue. */
	level: number;
}

/** A call that has a child. */
export interface Place<Job extends Waiting> {
	readonly job: Job;
	readonly child: SandboxChild;
	/** Whether it has a regular place; else it is in the lane, running or paused. */
	isRegular: boolean;
}

/** Among equals, one that has a child goes first, since no work is lost; then the newest. */
export function bestOf<Job extends Waiting>(lane: readonly Place<Job>[], waiting: readonly Job[]): Place<Job> | Job | undefined {
	const begins = (entry: Place<Job> | Job) => Number(!("child" in entry));
	const order = (a: Place<Job> | Job, b: Place<Job> | Job) => jobOf(a).level - jobOf(b).level || begins(a) - begins(b) || jobOf(b).number - jobOf(a).number;
	return [...lane, ...waiting].sort(order)[0];
}

/** The call that is evicted when there are too many: the one with most time in the lane; of several the oldest, which is next for a regular place. */
export function worstOf<Job extends Waiting>(lane: readonly Place<Job>[]): Place<Job> | undefined {
	return lane.toSorted((a, b) => b.job.level - a.job.level || a.job.number - b.job.number)[0];
}

function jobOf<Job extends Waiting>(entry: Place<Job> | Job): Job {
	return "child" in entry ? entry.job : entry;
}
