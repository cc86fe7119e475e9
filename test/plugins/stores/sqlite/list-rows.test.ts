/** The copy of a list's rows: whatever becomes of the list, it finds what the matrix finds. */

import { expect, test } from "bun:test";
import { ListRows } from "../../../../plugins/stores/sqlite/vectors/matrix/list-rows.ts";
import { quantize, VectorMatrix } from "../../../../plugins/stores/sqlite/vectors/matrix/vector-matrix.ts";
import { clusteredVectors } from "./vector-fixture.ts";

const vectors = clusteredVectors(6_000, 11);
const dimensions = vectors[0]?.length ?? 0;
const matrix = new VectorMatrix(dimensions);
for (const [i, vector] of vectors.entries()) matrix.append(i + 1, vector);

const every = (step: number, from: number, count: number) => Int32Array.from({ length: count }, (_, i) => from + i * step);
const queries = vectors
	.filter((_, i) => i % 997 === 0)
	.map((vector) => {
		const row = new Int8Array(dimensions);
		quantize(vector, row, 0);
		return row;
	});

/** By their scores: rows that are equally like the query may come in either order. */
async function agrees(list: ListRows, positions: Int32Array, name = "one"): Promise<void> {
	const search = await list.of(name, positions, queries.length);
	for (const [i, found] of (await search(queries, 20)).entries()) {
		expect(found.scores).toEqual((await matrix.topOf(queries[i] ?? new Int8Array(dimensions), positions, 20)).scores);
		for (const position of found.positions) expect(positions.includes(position)).toBe(true);
	}
}

test("a list that grows, one that loses rows in the middle, and another one in its place", async () => {
	const list = new ListRows(matrix);
	await agrees(list, every(2, 0, 1_200));
	await agrees(list, every(2, 0, 2_400));
	await agrees(
		list,
		every(2, 0, 2_400).filter((position) => position % 6 !== 0),
	);
	await agrees(list, every(3, 1, 1_500));
});

test("two lists are kept, and a third takes the place of the one that was searched first", async () => {
	const list = new ListRows(matrix);
	await agrees(list, every(3, 0, 1_200), "first");
	const one = list.byteLength;
	await agrees(list, every(3, 1, 1_200), "second");
	await agrees(list, every(3, 0, 1_300), "first");
	expect(list.byteLength).toBe(2 * one);
	await agrees(list, every(3, 2, 1_200), "third");
	await agrees(list, every(3, 0, 1_400), "first");
	expect(list.byteLength).toBe(2 * one);
});

test("who searches a list whose place another has taken gets an answer from the matrix", async () => {
	const list = new ListRows(matrix);
	const first = every(3, 0, 1_200);
	const search = await list.of("first", first, queries.length);
	for (const from of [1, 2]) await list.of(`from ${from}`, every(3, from, 1_200), queries.length);
	expect(await search(queries, 20)).toEqual(await matrix.topOfEach(queries, first, 20));
});

test("lists that are copied beside each other", async () => {
	const list = new ListRows(matrix);
	await Promise.all(Array.from({ length: 6 }, (_, i) => agrees(list, every(3, i % 3, 1_200 + 100 * i), `list ${i % 3}`)));
	expect(list.byteLength).toBeGreaterThan(0);
});

test("a short list, and one that is most of the matrix", async () => {
	const list = new ListRows(matrix);
	await agrees(list, every(1, 0, 100));
	await agrees(list, every(1, 0, 500));
	await agrees(list, every(1, 0, 4_000));
	expect(list.byteLength).toBeGreaterThan(0);
});

test("what is very short, or long and most of the matrix, is not copied", async () => {
	const list = new ListRows(matrix);
	await agrees(list, every(1, 0, 50));
	await agrees(list, every(1, 0, 5_900));
	expect(list.byteLength).toBe(0);
});

test("a list is copied once searching it in the matrix has cost as much", async () => {
	const list = new ListRows(matrix);
	for (let searched = 0; searched < 4; searched++) await list.of("one", every(2, 0, 1_200), 1);
	expect(list.byteLength).toBe(0);
	await list.of("other", every(2, 1, 1_200), 1);
	expect(list.byteLength).toBe(0);
	await list.of("one", every(2, 0, 1_200), 1);
	expect(list.byteLength).toBeGreaterThan(0);
});

test("who searches a copy that was given back gets an answer from the matrix", async () => {
	const list = new ListRows(matrix);
	const positions = every(3, 0, 1_200);
	const search = await list.of("one", positions, queries.length);
	expect(list.byteLength).toBeGreaterThan(0);
	list.drop();
	expect(list.byteLength).toBe(0);
	expect(await search(queries, 20)).toEqual(await matrix.topOfEach(queries, positions, 20));
});
