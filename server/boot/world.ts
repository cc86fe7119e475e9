/** Time, random numbers and the log of this machine. */

import type { Log, World } from "../../core/ports/world.ts";
import { createObserver, type ThreadObserver } from "../observation/observer.ts";

/** Bun's timers have 31 bits; a longer sleep is split. */
const timerMsMax = 2 ** 31 - 1;

export interface ServerWorld extends World {
	readonly observer?: ThreadObserver;
	/** Sets what `steadyNow` returns now; it goes on from there. */
	readonly setSteadyNow: (now: Date) => void;
}

export interface WorldOptions {
	readonly log: Log;
	readonly observer?: ThreadObserver;
	/** What the first thread of the program has, see `clockOffsetOf`; absent in the first thread. */
	readonly clockOffsetMs?: number;
}

export function createWorld({ log, observer = createObserver(null), clockOffsetMs = Date.now() - machineMs() }: WorldOptions): ServerWorld {
	let offsetMs = clockOffsetMs;
	return {
		now: () => new Date(),
		steadyNow: () => new Date(offsetMs + machineMs()),
		setSteadyNow: (now) => {
			offsetMs = now.getTime() - machineMs();
		},
		elapsedMs: () => performance.now(),
		sleep,
		randomBytes: (byteLength) => crypto.getRandomValues(new Uint8Array(byteLength)),
		random: () => Math.random(),
		log,
		observer,
	};
}

/** How far the steady clock is ahead of the machine's: the same at any time, for another thread. */
export function clockOffsetOf({ steadyNow }: Pick<World, "steadyNow">): number {
	return steadyNow().getTime() - machineMs();
}

/** The monotonic clock of the machine. That of `performance` begins anew in each thread. */
function machineMs(): number {
	const [seconds, nanoseconds] = process.hrtime();
	return seconds * 1_000 + nanoseconds / 1_000_000;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
	for (let remainingMs = ms; remainingMs > 0 && !signal.aborted; remainingMs -= timerMsMax) await sleepOnce(Math.min(remainingMs, timerMsMax), signal);
}

/** Removes its abort listener at the end, since one signal may be used for millions of sleeps. */
function sleepOnce(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const wake = () => {
			clearTimeout(timer);
			signal.removeEventListener("abort", wake);
			resolve();
		};
		const timer = setTimeout(wake, ms);
		signal.addEventListener("abort", wake, { once: true });
	});
}
