/** The postings of several terms as those of one word: who holds any of them, and how often the one it holds most. */

import type { Postings } from "./text-segment.ts";

export function unitedPostings(all: readonly Postings[]): Postings {
	return all.slice(1).reduce(united, all[0] ?? { slots: new Uint32Array(), counts: new Uint16Array() });
}

function united(a: Postings, b: Postings): Postings {
	const slots = new Uint32Array(a.slots.length + b.slots.length);
	const counts = new Uint16Array(slots.length);
	let [size, i, j] = [0, 0, 0];
	while (i < a.slots.length || j < b.slots.length) {
		const left = a.slots[i] ?? Number.POSITIVE_INFINITY;
		const right = b.slots[j] ?? Number.POSITIVE_INFINITY;
		slots[size] = Math.min(left, right);
		counts[size++] = Math.max(left <= right ? (a.counts[i] ?? 0) : 0, right <= left ? (b.counts[j] ?? 0) : 0);
		if (left <= right) i += 1;
		if (right <= left) j += 1;
	}
	return { slots: slots.subarray(0, size), counts: counts.subarray(0, size) };
}
