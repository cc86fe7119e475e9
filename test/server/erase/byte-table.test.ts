import { expect, test } from "bun:test";
import fc from "fast-check";
import { createNeedleTable, type Needle, type NeedleTable } from "../../../server/erase/byte-table.ts";

const hashed = 4;
const encode = (text: string) => new TextEncoder().encode(text);
const needleOf = (bytes: Uint8Array, labels: readonly string[] = []): Needle => ({ kind: "text", bytes, labels, isShared: false });

function scanned(table: NeedleTable, bytes: Uint8Array): readonly (readonly [string, number])[] {
	const found: [string, number][] = [];
	table.scan(bytes, (needle, offset) => found.push([Buffer.from(needle.bytes).toString("hex"), offset]));
	return found.toSorted();
}

/** Few different bytes, so that sequences begin alike, contain each other and overlap. */
const bytesOf = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength, min: 254 });

test("it finds each sequence wherever a plain search finds it", () => {
	fc.assert(
		fc.property(fc.array(bytesOf(hashed, 9), { maxLength: 12 }), bytesOf(0, 60), (sequences, bytes) => {
			const table = createNeedleTable(hashed);
			for (const sequence of sequences) table.add(needleOf(sequence));
			const distinct = new Map(sequences.map((sequence) => [Buffer.from(sequence).toString("hex"), sequence]));
			const wanted = [...distinct].flatMap(([name, sequence]) =>
				Array.from({ length: bytes.length }, (_, at) => at).flatMap((at) => (Buffer.from(bytes).indexOf(sequence, at) === at ? [[name, at] as const] : [])),
			);
			expect(scanned(table, bytes)).toEqual(wanted.toSorted());
		}),
	);
});

test("texts that are the same bytes keep all their names", () => {
	const table = createNeedleTable(hashed);
	expect(table.add(needleOf(encode("the lamp"), ["line 1"]))).toBe(true);
	expect(table.add(needleOf(encode("the lamp"), ["line 7"]))).toBe(false);
	const labels: string[] = [];
	table.scan(encode("see the lamp"), (needle) => labels.push(...needle.labels));
	expect(labels).toEqual(["line 1", "line 7"]);
});

test("a hundred thousand texts with one beginning are each found", () => {
	const table = createNeedleTable(hashed);
	const text = (i: number) => `the customer with the number ${String(i).padStart(6, "0")}`;
	for (let i = 0; i < 100_000; i++) table.add(needleOf(encode(text(i))));
	const some = [0, 50_000, 99_999].map(text);
	const found: string[] = [];
	table.scan(encode(some.join("; ")), ({ bytes }) => found.push(new TextDecoder().decode(bytes)));
	expect(found).toEqual(some);
});
