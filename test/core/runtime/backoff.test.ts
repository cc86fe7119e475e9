/** Delays double up to five minutes, and no two come at once. */

import { expect, test } from "bun:test";
import { retryDelayMs } from "../../../core/runtime/backoff.ts";

test("doubles up to five minutes", () => {
	expect([1, 2, 3, 4, 5, 8, 9, 30].map((attempt) => retryDelayMs(attempt, 0))).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 256_000, 300_000, 300_000]);
});

test("chance takes off up to half", () => {
	expect(retryDelayMs(3, 0.5)).toBe(6_000);
	expect(retryDelayMs(3, 0.999_999)).toBe(4_000);
});
