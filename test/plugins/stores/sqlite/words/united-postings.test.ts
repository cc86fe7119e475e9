/** Postings put together are what a map of all of them says, whichever way they were put together. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Postings } from "../../../../../plugins/stores/sqlite/words/scoring/text-segment.ts";
import { unitedPostings } from "../../../../../plugins/stores/sqlite/words/scoring/united-postings.ts";

function postings(counts: ReadonlyMap<number, number>): Postings {
	const sorted = [...counts].toSorted(([a], [b]) => a - b);
	return { documentNumbers: Uint32Array.from(sorted, ([number]) => number), counts: Uint16Array.from(sorted, ([, count]) => count) };
}

const few = fc.array(fc.tuple(fc.nat(5_000), fc.integer({ min: 1, max: 9 })), { maxLength: 30 }).map((pairs) => postings(new Map(pairs)));
/** So long that what is short beside it is put in, not merged. */
const many = fc
	.record({ step: fc.integer({ min: 1, max: 3 }), size: fc.integer({ min: 0, max: 4_000 }), count: fc.integer({ min: 1, max: 9 }) })
	.map(({ step, size, count }) => postings(new Map(Array.from({ length: size }, (_, i) => [i * step, count]))));

test("each document once, in order, with the greatest of its counts", () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(few, many), { maxLength: 4 }), (lists) => {
			const expected = new Map<number, number>();
			for (const { documentNumbers, counts } of lists)
				for (const [i, number] of documentNumbers.entries()) expected.set(number, Math.max(expected.get(number) ?? 0, counts[i] ?? 0));
			const united = unitedPostings(lists);
			const wanted = postings(expected);
			expect([[...united.documentNumbers], [...united.counts]]).toEqual([[...wanted.documentNumbers], [...wanted.counts]]);
		}),
		{ numRuns: 60 },
	);
});
