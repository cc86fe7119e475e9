/** Time, randomness and a log. Tests replace them. */

import type { RandomBytes } from "../model/id.ts";

export interface World {
	/** The wall clock, for what people read. */
	readonly now: () => Date;
	/** Milliseconds that never run backwards, for durations. */
	readonly elapsedMs: () => number;
	/** Resolves after a while, or at once when the signal is aborted. Never rejects. */
	readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
	readonly randomBytes: RandomBytes;
	/** From 0 up to 1, for jitter. */
	readonly random: () => number;
	readonly log: Log;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Structured lines. Facts hold no content and no secret. */
export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;
