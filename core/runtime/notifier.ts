/** Wakes a waiting worker when there is something to do. */

import type { World } from "../ports/world.ts";

export interface Notifier {
	readonly notify: () => void;
	/** Resolves at the next notification, at once when there was one since the last wait, and when the signal is aborted. */
	readonly notified: (signal: AbortSignal) => Promise<void>;
}

/** Resolves when it is notified, or after this long. */
export async function notifiedWithin(notifier: Notifier, ms: number, world: World, signal: AbortSignal): Promise<void> {
	const awake = new AbortController();
	const either = AbortSignal.any([signal, awake.signal]);
	await Promise.race([world.sleep(ms, either), notifier.notified(either)]);
	awake.abort();
}

export function createNotifier(): Notifier {
	let pending = false;
	let waiting = Promise.withResolvers<void>();
	const notify = () => {
		pending = true;
		waiting.resolve();
	};
	return {
		notify,
		notified: async (signal) => {
			signal.addEventListener("abort", notify, { once: true });
			await (pending || signal.aborted ? undefined : waiting.promise);
			signal.removeEventListener("abort", notify);
			pending = false;
			waiting = Promise.withResolvers<void>();
		},
	};
}
