/** A bell between those who add jobs and the worker that sleeps until there are some. */

import type { World } from "../ports/world.ts";

export interface WakeUp {
	readonly ring: () => void;
	/** Resolves at the next ring, at once when it has rung since the last wait, and when the signal is aborted. */
	readonly rung: (signal: AbortSignal) => Promise<void>;
}

/** Resolves when it rings, or after this long. */
export async function rungWithin(wakeUp: WakeUp, ms: number, world: World, signal: AbortSignal): Promise<void> {
	const awake = new AbortController();
	const either = AbortSignal.any([signal, awake.signal]);
	await Promise.race([world.sleep(ms, either), wakeUp.rung(either)]);
	awake.abort();
}

export function createWakeUp(): WakeUp {
	let pending = false;
	let waiting = Promise.withResolvers<void>();
	const ring = () => {
		pending = true;
		waiting.resolve();
	};
	return {
		ring,
		rung: async (signal) => {
			signal.addEventListener("abort", ring, { once: true });
			await (pending || signal.aborted ? undefined : waiting.promise);
			signal.removeEventListener("abort", ring);
			pending = false;
			waiting = Promise.withResolvers<void>();
		},
	};
}
