/**
 * Notifies listeners of new events. Other threads write them, so the log is read whenever something was written. One loop reads for all
 * listeners; it runs only while there are listeners.
 */

import type { OrganisationId } from "../model/id.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createNotifier, notifiedWithin } from "../runtime/notifier.ts";

export interface EventNotifier {
	/** Resolves with the newest sequence as soon as it is greater than `sequence`, or with `sequence` if the signal is aborted. */
	readonly waitForNewer: (organisation: OrganisationId, sequence: number, signal: AbortSignal) => Promise<number>;
}

interface Waiter {
	readonly organisation: OrganisationId;
	readonly sequence: number;
	readonly wake: (latest: number) => void;
}

/** A delay that nobody notices. Each look reads one row of a database index. */
const lookEveryMs = 200;
/** If the storage reports its writes, this only catches a missed report. */
const lookAtLeastEveryMs = 5_000;

export function createEventNotifier(storage: Storage, world: World): EventNotifier {
	const waiters = new Set<Waiter>();
	/** Notified when something was written, or when a new listener waits for something that may have been written before. */
	const changed = createNotifier();
	let isLooking = false;

	async function lookForEvents(): Promise<void> {
		isLooking = true;
		const stopListening = storage.onWritten?.(changed.notify);
		const never = new AbortController().signal;
		while (waiters.size > 0) {
			await world.sleep(lookEveryMs, never);
			if (stopListening !== undefined) await notifiedWithin(changed, lookAtLeastEveryMs, world, never);
			for (const organisation of new Set([...waiters].map((waiter) => waiter.organisation))) {
				// If the storage fails, it is asked again; the listener gets the error when it reads.
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
		waitForNewer: (organisation, sequence, signal) => {
			const { promise, resolve } = Promise.withResolvers<number>();
			const wake = (latest: number) => {
				waiters.delete(waiter);
				// If this was the last waiter, the loop wakes up and ends.
				if (waiters.size === 0) changed.notify();
				signal.removeEventListener("abort", stop);
				resolve(latest);
			};
			const stop = () => wake(sequence);
			const waiter: Waiter = { organisation, sequence, wake };
			waiters.add(waiter);
			changed.notify();
			signal.addEventListener("abort", stop, { once: true });
			if (signal.aborted) stop();
			if (!isLooking) void lookForEvents();
			return promise;
		},
	};
}
