/** Time, random numbers and the log of this machine. */

import type { Log, World } from "../../core/ports/world.ts";

/** A timer of Bun's holds 31 bits; what sleeps longer sleeps in pieces. */
const timerMsMax = 2 ** 31 - 1;

export function createWorld({ log }: { readonly log: Log }): World {
	return {
		now: () => new Date(),
		elapsedMs: () => performance.now(),
		sleep,
		randomBytes: (byteLength) => crypto.getRandomValues(new Uint8Array(byteLength)),
		random: () => Math.random(),
		log,
	};
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
	for (let left = ms; left > 0 && !signal.aborted; left -= timerMsMax) await nap(Math.min(left, timerMsMax), signal);
}

/** The listener goes with the timer: a signal may outlive a million naps. */
function nap(ms: number, signal: AbortSignal): Promise<void> {
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
