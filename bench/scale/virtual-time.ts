/** A clock for simulations: it jumps from one event to the next, so that an hour takes as long as what happens in it. There are no timers. */

import type { World } from "cairn-memory";
import { seededRandom } from "../../test/contract/samples.ts";

export interface VirtualTime {
	readonly world: World;
	/** @param atMs from the start on */
	readonly at: (atMs: number, happen: () => void) => void;
	/** Lets everything happen up to this time, in order. */
	readonly run: (untilMs: number) => Promise<void>;
}

interface Event {
	readonly atMs: number;
	readonly happen: () => void;
}

export function createVirtualTime(seed: number): VirtualTime {
	const start = Date.parse("2026-01-01T00:00:00Z");
	const random = seededRandom(seed);
	/** In the order of their times; of two at the same time the one that was added first. */
	const events: Event[] = [];
	let nowMs = 0;

	function at(atMs: number, happen: () => void): void {
		let [low, high] = [0, events.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((events[middle] as Event).atMs <= atMs) low = middle + 1;
			else high = middle;
		}
		events.splice(low, 0, { atMs, happen });
	}

	const now = () => new Date(start + nowMs);
	return {
		at,
		run: async (untilMs) => {
			for (;;) {
				// A turn of the event loop begins when all promises that can be kept have been.
				await new Promise((resolve) => setImmediate(resolve));
				const next = events[0];
				if (next === undefined || next.atMs > untilMs) break;
				nowMs = next.atMs;
				while (events[0]?.atMs === nowMs) events.shift()?.happen();
			}
			nowMs = untilMs;
		},
		world: {
			now,
			steadyNow: now,
			elapsedMs: () => nowMs,
			sleep: (ms, signal) => {
				const { promise, resolve } = Promise.withResolvers<void>();
				if (signal.aborted) resolve();
				else {
					signal.addEventListener("abort", () => resolve(), { once: true });
					at(nowMs + ms, resolve);
				}
				return promise;
			},
			random,
			randomBytes: (byteLength) => Uint8Array.from({ length: byteLength }, () => Math.floor(random() * 256)),
			log: () => undefined,
		},
	};
}
