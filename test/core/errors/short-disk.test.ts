/** When a disk has only the room left that is kept for deletions. */

import { expect, test } from "bun:test";
import { isDiskShort } from "cairn-memory";

const mebibytes = (free: number, forAll = free) => ({ bsize: 4_096, blocks: 1_000_000, bfree: free * 256, bavail: forAll * 256 });

test("sixteen mebibytes are kept, of what the user may use", () => {
	for (const isRoot of [true, false]) {
		expect([0, 1, 15, 16, 17, 1_000].map((free) => isDiskShort(mebibytes(free), isRoot))).toEqual([true, true, true, false, false, false]);
		// As some network file systems answer.
		expect(isDiskShort({ bsize: 4_096, blocks: 0, bfree: 0, bavail: 0 }, isRoot)).toBe(false);
		expect(isDiskShort(mebibytes(100, 1), isRoot)).toBe(!isRoot);
	}
});
