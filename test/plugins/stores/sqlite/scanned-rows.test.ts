/** The scan by signs beside plain arithmetic on the same 8-bit numbers. */

import { describe, expect, test } from "bun:test";
import type { Vector } from "../../../../core/index.ts";
import { rowProducts } from "../../../../plugins/stores/sqlite/vectors/matrix/row-products.ts";
import type { Ranking } from "../../../../plugins/stores/sqlite/vectors/matrix/sign-filter.ts";
import { SignFilteredRows } from "../../../../plugins/stores/sqlite/vectors/matrix/sign-filtered-rows.ts";
import { signTables } from "../../../../plugins/stores/sqlite/vectors/matrix/sign-tables.ts";
import { quantize } from "../../../../plugins/stores/sqlite/vectors/matrix/vector-matrix.ts";
import { clusteredVectors, randomFrom } from "./vector-fixture.ts";

const rowOf = (vector: Vector) => {
	const row = new Int8Array(vector.length);
	quantize(vector, row, 0);
	return row;
};

/** Most of its numbers are nought, as where each word has a place of its own: signs tell little of them. */
function sparseVectors(count: number, seed: number, dimensions: number): Vector[] {
	const random = randomFrom(seed);
	return Array.from({ length: count }, () => {
		const vector = new Float32Array(dimensions);
		for (let i = 0; i < dimensions / 8; i++) vector[Math.floor(random() * dimensions)] = random() < 0.5 ? -1 : 1;
		return vector.some((value) => value !== 0) ? vector : vector.fill(1, 0, 1);
	});
}

const noRanking: Ranking = { positions: new Int32Array(), scores: new Float32Array() };

/** Around one vector, as an embedder's vectors that all have a high cosine. */
function alike(count: number, seed: number, dimensions: number): Vector[] {
	const [middle = new Float32Array(dimensions), ...vectors] = clusteredVectors(count + 1, seed, count, dimensions);
	return vectors.map((vector) => vector.map((value, i) => value + 2 * (middle[i] ?? 0)));
}

/** In memories of one unit each, so that there are several. */
function filled(vectors: readonly Vector[]): { readonly scanned: SignFilteredRows; readonly rows: readonly Int8Array[] } {
	const scanned = new SignFilteredRows(vectors[0]?.length ?? 0, 1);
	const rows = vectors.map(rowOf);
	for (const row of rows) scanned.append(row);
	return { scanned, rows };
}

function dot(a: Int8Array, b: Int8Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
	return sum;
}

function cosine(a: Int8Array, b: Int8Array): number {
	return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function nearest(query: Int8Array, rows: readonly Int8Array[], count: number, from = 0): { readonly position: number; readonly score: number }[] {
	const scored = rows.map((row, position) => ({ position, score: cosine(query, row) })).slice(from);
	return scored.sort((a, b) => b.score - a.score || a.position - b.position).slice(0, count);
}

describe("rows that are scanned by their signs", () => {
	for (const dimensions of [5, 16, 37, 64]) {
		test(`come back, and are compared in full where all are wanted, with ${dimensions} dimensions`, async () => {
			const { scanned, rows } = filled(clusteredVectors(900, dimensions, 20, dimensions));
			for (const position of [0, 1, 17, 899]) expect(scanned.row(position)).toEqual(rows[position] ?? new Int8Array());
			const [query = new Int8Array()] = clusteredVectors(1, 99, 1, dimensions).map(rowOf);
			const right = nearest(query, rows, 900);
			const found = await scanned.top(query, 900);
			for (const [i, { score }] of right.entries()) expect(found.scores[i]).toBeCloseTo(score, 5);
			expect(new Set(found.positions).size).toBe(900);
			expect([...(await scanned.top(query, 5, 893)).positions].sort()).toEqual(
				nearest(query, rows, 5, 893)
					.map(({ position }) => position)
					.sort(),
			);
		});
	}

	for (const [kind, vectors] of [
		["dense", clusteredVectors(9_010, 3, 60, 64)],
		["sparse", sparseVectors(9_010, 4, 64)],
	] as const) {
		test(`hold the best ten, and only of those asked about, when they are ${kind}`, async () => {
			const { scanned, rows } = filled(vectors.slice(10));
			const some = Int32Array.from({ length: 4_400 }, (_, i) => i * 2);
			let hits = 0;
			for (const query of vectors.slice(0, 5).map(rowOf)) {
				const right = nearest(query, rows, 10);
				const found = await scanned.top(query, 40);
				expect(found.positions.length).toBe(40);
				hits += found.scores.filter((score) => score >= (right.at(-1)?.score ?? 2) - 1e-6).length >= 10 ? 10 : 0;
				const among = await scanned.topOf(query, some, 3);
				const rightAmong = nearest(
					query,
					Array.from(some, (position) => rows[position] ?? new Int8Array()),
					3,
				);
				for (const [i, { score }] of rightAmong.entries()) expect(among.scores[i]).toBeCloseTo(score, 5);
				expect(among.positions.every((position) => some.includes(position))).toBe(true);
			}
			expect(hits).toBe(50);
		});
	}

	for (const [kind, dimensions, vectors] of [
		["dense", 64, clusteredVectors(12_010, 6, 60, 64)],
		["dense, of an odd number of dimensions", 37, clusteredVectors(12_010, 7, 60, 37)],
		["sparse", 64, sparseVectors(12_010, 8, 64)],
	] as const) {
		test(`are found for ten queries together, when they are ${kind}`, async () => {
			const { scanned, rows } = filled(vectors.slice(10));
			expect(scanned.dimensions).toBe(dimensions);
			const queries = vectors.slice(0, 10).map(rowOf);
			const some = Int32Array.from({ length: 6_000 }, (_, i) => i * 2);
			const ofSome = Array.from(some, (position) => rows[position] ?? new Int8Array());
			const [all, among] = [await scanned.topOfAll(queries, 40), await scanned.topOfEach(queries, some, 40)];
			for (const [i, query] of queries.entries()) {
				for (const [found, known] of [
					[all[i], rows],
					[among[i], ofSome],
				] as const) {
					const right = nearest(query, known, 10);
					expect(found?.positions.length).toBe(40);
					for (const [k, { score }] of right.entries()) expect(found?.scores[k]).toBeCloseTo(score, 5);
				}
				expect(among[i]?.positions.every((position) => position % 2 === 0)).toBe(true);
			}
		});
	}

	test("are missed no more often for queries together than for each alone, when all are nearly alike", async () => {
		const vectors = alike(12_032, 9, 64);
		const { scanned, rows } = filled(vectors.slice(32));
		const queries = vectors.slice(0, 32).map(rowOf);
		const together = await scanned.topOfAll(queries, 40);
		const hits = { alone: 0, together: 0 };
		for (const [i, query] of queries.entries()) {
			const least = (nearest(query, rows, 10).at(-1)?.score ?? 2) - 1e-6;
			const right = ({ scores }: Ranking) => Math.min(10, scores.filter((score) => score >= least).length);
			hits.alone += right(await scanned.top(query, 40));
			hits.together += right(together[i] ?? noRanking);
		}
		expect(hits.together).toBeGreaterThanOrEqual(hits.alone * 0.98);
	});

	test("are found for many queries together while one of them is searched for alone", async () => {
		const { scanned, rows } = filled(clusteredVectors(9_000, 5, 60, 32));
		const queries = rows.slice(0, 20);
		const together = scanned.topOfAll(queries, 3);
		const alone = await Promise.all(queries.map((query) => scanned.top(query, 3)));
		expect((await together).map(({ scores }) => scores)).toEqual(alone.map(({ scores }) => scores));
	});

	test("are found in their order where thousands are equal", async () => {
		const [one = new Float32Array(), ...others] = clusteredVectors(1_000, 10, 60, 32);
		const { scanned } = filled([...others, ...Array.from({ length: 9_000 }, () => one)]);
		const first = Int32Array.from({ length: 30 }, (_, i) => others.length + i);
		expect((await scanned.top(rowOf(one), 30)).positions).toEqual(first);
		for (const { positions } of await scanned.topOfAll([one, one, one, one].map(rowOf), 30)) expect(positions).toEqual(first);
	});

	test("are found by the searches of many at once", async () => {
		const { scanned, rows } = filled(clusteredVectors(9_000, 5, 60, 32));
		const queries = rows.slice(0, 20);
		const found = await Promise.all(queries.flatMap((query) => [scanned.top(query, 3), scanned.topOf(query, Int32Array.from(rows.keys()), 3)]));
		for (const [i, { positions }] of found.entries()) expect(positions[0]).toBe(i >> 1);
	});
});

test("a vector is multiplied with rows in several arrays, of any number, as with each alone", () => {
	const vectors = clusteredVectors(11, 5);
	const [vector = new Float32Array()] = vectors;
	const rows = vectors.map(rowOf);
	const alone = rows.map((row) => row.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0));
	const all = Int8Array.from(rows.flatMap((row) => [...row]));
	const placed = rows.map((row, i) => (i % 3 === 0 ? { bytes: row, start: 0 } : { bytes: all, start: i * row.length }));
	for (let count = 0; count <= rows.length; count++) expect([...rowProducts(vector, placed.slice(0, count))]).toEqual(alone.slice(0, count));
});

test("what four signs are worth is on one scale, from nought to 63", () => {
	const tables = signTables(Int8Array.of(10, -20, 0, 30, 1, 1, 1, 1), 1);
	expect(tables.length).toBe(64);
	// From all against the query to all with it.
	expect([tables[0b0010], tables[0b1001], tables[0b1101]]).toEqual([0, 63, 63]);
	expect([tables[0b0000], tables[0b1000]]).toEqual([21, 53]);
	expect(tables[16 + 0b1111]).toBe(4);
	expect(tables.subarray(32).every((value) => value === 0)).toBe(true);
	expect(Math.max(...signTables(new Int8Array(4_096).fill(5), 256))).toBe(31);
});
