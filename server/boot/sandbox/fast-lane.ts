/** Chooses the call that runs in the fast lane (see `SandboxPool`): calls that have used little of its time come first. */

import type { SandboxChild } from "./sandbox-child.ts";

/** A call that waits in the queue for a child. */
export interface WaitingCall {
	/** The number of the call, in the order of arrival. */
	readonly number: number;
	/** How much time the call has had in the lane, as an index of the pool's time steps. It is kept when the call returns to the queue. */
	level: number;
}

/** A call that has a child. */
export interface Assignment<Job extends WaitingCall> {
	readonly job: Job;
	readonly child: SandboxChild;
	/** Whether the call has a regular slot; otherwise it is in the lane, running or paused. */
	isRegular: boolean;
}

/** The call with the lowest level. Among equals, one that has a child comes first, because its work is not lost; then the newest. */
export function bestCall<Job extends WaitingCall>(lane: readonly Assignment<Job>[], waiting: readonly Job[]): Assignment<Job> | Job | undefined {
	const begins = (entry: Assignment<Job> | Job) => Number(!("child" in entry));
	const order = (a: Assignment<Job> | Job, b: Assignment<Job> | Job) =>
		jobOf(a).level - jobOf(b).level || begins(a) - begins(b) || jobOf(b).number - jobOf(a).number;
	return [...lane, ...waiting].sort(order)[0];
}

/** The call to evict: the one with most time in the lane. Among equals it is the oldest, which is next for a regular slot. */
export function callToEvict<Job extends WaitingCall>(lane: readonly Assignment<Job>[]): Assignment<Job> | undefined {
	return lane.toSorted((a, b) => b.job.level - a.job.level || a.job.number - b.job.number)[0];
}

function jobOf<Job extends WaitingCall>(entry: Assignment<Job> | Job): Job {
	return "child" in entry ? entry.job : entry;
}
