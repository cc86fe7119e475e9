/** Ids: of one form, different, and in the order of the times they were made for. */

import { expect, test } from "bun:test";
import { isId, type MemoryId, newId } from "../../../core/model/id.ts";

const chance = (byteLength: number) => crypto.getRandomValues(new Uint8Array(byteLength));

test("an id has one form, with a time in front and without", () => {
	for (const at of [null, new Date(0), new Date("2026-11-22T10:00:00Z"), new Date("5000-01-01T00:00:00Z")])
		expect(isId(newId<MemoryId>(chance, at))).toBe(true);
});

test("of two times the later one makes the later id", () => {
	const times = [0, 1, 57, 58, 3_363, 3_364, 1_790_000_000_000, 1_790_000_000_001, 1_790_000_000_058, 95_617_584_000_000];
	const ids = times.map((time) => newId<MemoryId>(chance, new Date(time)));
	expect(ids.toSorted()).toEqual(ids);
});

test("those of one moment differ, and begin alike", () => {
	const at = new Date("2026-11-22T10:00:00Z");
	const ids = Array.from({ length: 1_000 }, () => newId<MemoryId>(chance, at));
	expect(new Set(ids).size).toBe(1_000);
	expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(1);
	expect(new Set(ids.map((id) => id.slice(8))).size).toBe(1_000);
});
