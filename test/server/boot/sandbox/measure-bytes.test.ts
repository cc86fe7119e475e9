/** The measure of an output, against what structured clone really writes. */

import { expect, test } from "bun:test";
import { serialize } from "node:v8";
import fc from "fast-check";
import { measureBytes } from "../../../../server/boot/sandbox/measure-bytes.ts";

test("is about what structured clone writes", () => {
	for (const value of [
		"x".repeat(100_000),
		new Uint8Array(100_000),
		Array.from({ length: 20_000 }, (_, index) => index),
		{ blocks: Array(500).fill({ text: "a".repeat(200) }) },
	]) {
		const written = serialize(value).byteLength;
		const measured = measureBytes(value, Number.POSITIVE_INFINITY);
		expect(measured).toBeGreaterThan(written / 3);
		expect(measured).toBeLessThan(written * 3);
	}
});

test("is never less than the text and the bytes inside", () => {
	fc.assert(
		fc.property(fc.array(fc.record({ text: fc.string({ unit: "binary" }), bytes: fc.uint8Array() })), (parts) => {
			const held = parts.reduce((sum, { text, bytes }) => sum + Buffer.byteLength(text) + bytes.byteLength, 0);
			expect(measureBytes(parts, 1e9)).toBeGreaterThanOrEqual(held);
			if (held > 0) expect(measureBytes(parts, held - 1)).toBe(Number.POSITIVE_INFINITY);
		}),
		{ seed: 1, numRuns: 100 },
	);
});

test("counts what is shared once, circles too", () => {
	const bytes = new Uint8Array(1_000);
	const circle: unknown[] = [bytes, bytes];
	circle.push(circle);
	expect(measureBytes(circle, 1e6)).toBeLessThan(1_100);
});

test("stops as soon as it is too much, however deep or long", () => {
	let deep: unknown = "end";
	for (let level = 0; level < 100_000; level += 1) deep = [deep];
	expect(measureBytes(deep, 1e9)).toBeGreaterThan(100_000);
	expect(measureBytes(new Array(2 ** 31), 1e6)).toBe(Number.POSITIVE_INFINITY);
	expect(measureBytes(new Map([["a", new Set(["b".repeat(2_000)])]]), 1_000)).toBe(Number.POSITIVE_INFINITY);
});
