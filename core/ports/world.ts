/** The environment of the process: clock, randomness and log. Tests replace it. */

import type { RandomBytes } from "../model/id.ts";
import type { Observer } from "./observer.ts";

export interface World {
	/** The current date and time. */
	readonly now: () => Date;
	/**
	 * What `now` would be if nobody had set the clock since the program started; all its threads share it. The queue of jobs uses it, so
	 * that setting the clock neither ends a lease nor makes a job wait for hours.
	 */
	readonly steadyNow: () => Date;
	/** A monotonic clock in milliseconds, for durations. */
	readonly elapsedMs: () => number;
	/** Resolves after `ms`, or at once if the signal is aborted. Never rejects. */
	readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
	readonly randomBytes: RandomBytes;
	/** A random number from 0 to less than 1, for jitter. */
	readonly random: () => number;
	readonly log: Log;
	/** Absent if nothing is observed. */
	readonly observer?: Observer;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Writes a structured log line. `details` must not contain document content or secrets. */
export type Log = (level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>) => void;
