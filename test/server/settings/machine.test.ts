/** Defaults that go by the machine. */

import { expect, test } from "bun:test";
import { documentsAtOnce, memoryBytes } from "../../../server/settings/machine.ts";

const gigabyte = 2 ** 30;

test("the cores tell how many documents are worth having in hand, and the memory how many there may be", () => {
	expect(documentsAtOnce(1, 16 * gigabyte)).toBe(128);
	expect(documentsAtOnce(2, 16 * gigabyte)).toBe(256);
	expect(documentsAtOnce(64, 256 * gigabyte)).toBe(256);
	expect(documentsAtOnce(4, gigabyte)).toBe(68);
	expect(documentsAtOnce(4, gigabyte / 8)).toBe(16);
});

test("what this process may take is told", () => {
	expect(memoryBytes()).toBeGreaterThan(gigabyte / 16);
});
