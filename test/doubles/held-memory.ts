/** What this thread holds in JavaScript after a full collection: for tests that a cache keeps what it says and nothing else. */

import { fullGC, heapStats } from "bun:jsc";

/** Live objects with what they own outside the heap, texts included. */
export function heldMegabytes(): number {
	fullGC();
	return heapStats().heapSize / 2 ** 20;
}
