/** Time, random numbers and the log of this machine. */

import type { Log, World } from "../../core/ports/world.ts";
import { createObserver, type ThreadObserver } from "../observation/observer.ts";

/** Bun's timers have 31 bits; a longer sleep is split. */
const timerMsMax = 2 ** 31 - 1;

export interface ServerWorld extends World {
	readonly observer?: ThreadObserver;
}

export function createWorld({ log, observer = createObserver(null) }: { readonly log: Log; readonly observer?: ThreadObserver }): ServerWorld {
	return {
		now: () => new Date(),
		elapsedMs: () => performance.now(),
		sleep,
		randomBytes: (byteLength) => crypto.getRandomValues(new Uint8Array(byteLength)),
		random: () => Math.random(),
		log,
		observer,
	};
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
