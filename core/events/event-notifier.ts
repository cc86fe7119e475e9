/**
 * Notifies listeners of new events. Other threads write them, so the log is read whenever something was written. One loop
 * reads for all listeners, and it runs only while there are any.
 */

import type { OrganisationId } from "../model/id.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createNotifier, notifiedWithin } from "../runtime/notifier.ts";

export interface EventNotifier {
	/** Resolves with the newest sequence as soon as it lies beyond the one given; with the one given when the signal is aborted. */
	readonly beyond: (organisation: OrganisationId, sequence: number, signal: AbortSignal) => Promise<number>;
}

interface Waiter {
	readonly organisation: OrganisationId;
	readonly sequence: number;
	readonly wake: (latest: number) => void;
}

/** Too short to notice; one look reads one row of an index. */
const lookEveryMs = 200;
/** Where the storage reports its writes, this only repairs what went wrong elsewhere. */
const lookAtLeastEveryMs = 5_000;

export function createEventNotifier(storage: Storage, world: World): EventNotifier {
	const waiters = new Set<Waiter>();
	/** Something was written, or a new listener waits for what may have been written before. */
	const worthLooking = createNotifier();
	let isLooking = false;

	async function look(): Promise<void> {
		isLooking = true;
		const stopListening = storage.onWritten?.(worthLooking.notify);
		const endless = new AbortController().signal;
		while (waiters.size > 0) {
			await world.sleep(lookEveryMs, endless);
			if (stopListening !== undefined) await notifiedWithin(worthLooking, lookAtLeastEveryMs, world, endless);
			for (const organisation of new Set([...waiters].map((waiter) => waiter.organisation))) {
				// A storage that does not answer is asked again; the caller gets the error when it reads.
				const latest = await storage
					.organisation(organisation)
					.events.latest()
					.catch(() => 0);
				for (const waiter of waiters) if (waiter.organisation === organisation && latest > waiter.sequence) waiter.wake(latest);
			}
		}
		stopListening?.();
		isLooking = false;
	}

	return {
		beyond: (organisation, sequence, signal) => {
			const { promise, resolve } = Promise.withResolvers<number>();
			const wake = (latest: number) => {
				waiters.delete(waiter);
				// The last waiter is gone: the loop ends.
				if (waiters.size === 0) worthLooking.notify();
				signal.removeEventListener("abort", stop);
				resolve(latest);
			};
			const stop = () => wake(sequence);
			const waiter: Waiter = { organisation, sequence, wake };
			waiters.add(waiter);
			worthLooking.notify();
			signal.addEventListener("abort", stop, { once: true });
			if (signal.aborted) stop();
			if (!isLooking) void look();
			return promise;
		},
	};
}
