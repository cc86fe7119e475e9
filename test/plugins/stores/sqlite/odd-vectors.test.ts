/** The nearest rows of a matrix beside a plain scan of the vectors: of vectors spread at random, and of such as no embedder should make but some do. */

import { describe, expect, test } from "bun:test";
import type { Vector } from "../../../../core/index.ts";
import { soundVector } from "../../../../plugins/stores/sql/vectors.ts";
import { ListRows } from "../../../../plugins/stores/sqlite/vectors/matrix/list-rows.ts";
import type { Ranking } from "../../../../plugins/stores/sqlite/vectors/matrix/sign-filter.ts";
import { blockRows, quantize, VectorMatrix } from "../../../../plugins/stores/sqlite/vectors/matrix/vector-matrix.ts";
import { bytesOf, randomFrom, roundedTo } from "./vector-fixture.ts";

/** More than are compared in full. */
const count = blockRows + 500;
const limit = 12;
/** What docs/promises.md promises for large sets. */
const shareMin = 0.95;

type Filler = (vector: Float32Array, random: () => number, i: number) => void;

const spread: Filler = (vector, random) => {
	for (let at = 0; at < vector.length; at++) vector[at] = random() - 0.5;
};
/** All in one direction, but for what is taken from another one. */
const along = (vector: Float32Array, sign: number, share: number) => {
	for (let at = 0; at < vector.length; at++) vector[at] = ((at * 37) % 101) - 50.5 + share * (vector[at] ?? 0);
	if (sign < 0) for (let at = 0; at < vector.length; at++) vector[at] = -(vector[at] ?? 0);
};
const fillers: Readonly<Record<string, Filler>> = {
	"spread at random": spread,
	"all equal": (vector) => along(vector, 1, 0),
	"in two clusters of equal ones": (vector, _random, i) => along(vector, i % 2 === 0 ? 1 : -1, 0),
	"nought but for one number": (vector, random) => {
		vector[Math.floor(random() * vector.length)] = random() < 0.5 ? -1 : 1;
	},
	"close to each other, with some outside": (vector, random, i) => {
		spread(vector, random, i);
		if (i % 2_000 !== 7) along(vector, 1, 12);
	},
	"of huge and tiny norms": (vector, random, i) => {
		spread(vector, random, i);
		const norm = i % 2 === 0 ? 1e36 : 1e-36;
		for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * norm;
	},
};

describe.each([256, 1536])("%d dimensions", (dimensions) => {
	test.each(Object.entries(fillers))("vectors %s", async (_name, fill) => {
		const random = randomFrom(dimensions);
		const vectors = Array.from({ length: count }, () => new Float32Array(dimensions));
		for (const [i, vector] of vectors.entries()) fill(vector, random, i);
		const matrix = new VectorMatrix(dimensions);
		for (const [i, vector] of vectors.entries()) matrix.append(i + 1, vector);
		const queries = [0, 7, count - 1].map((i) => vectors[i] ?? new Float32Array());
		const rows = queries.map((query) => {
			const row = new Int8Array(dimensions);
			quantize(query, row, 0);
			return row;
		});
		const all = Int32Array.from(vectors.keys());
		const part = all.filter((i) => i % 3 !== 2 || i === count - 1);
		const few = all.filter((i) => i % 3 === 1);
		const lengths = vectors.map((vector) => Math.sqrt(dot(vector, vector)));
		const cosines = queries.map((query) => {
			const queryLength = Math.sqrt(dot(query, query));
			return vectors.map((vector, i) => dot(query, vector) / (lengths[i] ?? 1) / queryLength);
		});
		for (const [i, row] of rows.entries()) {
			expectNearest(await matrix.top(row, limit), cosines[i] ?? [], all);
			expectNearest(await matrix.topOf(row, part, limit), cosines[i] ?? [], part);
		}
		const lists = new ListRows(matrix);
		for (const list of [all, part, few])
			for (const [i, ranking] of (await (await lists.of(`${list.length}`, list, 8))(rows, limit)).entries()) expectNearest(ranking, cosines[i] ?? [], list);
	});

	test.each([300, count])("of %d equally near ones the first are taken, whichever nearer ones come behind them", async (equal) => {
		const [nearest, near] = [new Float32Array(dimensions), new Float32Array(dimensions)];
		along(nearest, 1, 0);
		for (const [at, value] of nearest.entries()) near[at] = at % 16 === 0 ? -value : value;
		const matrix = new VectorMatrix(dimensions);
		for (let i = 0; i < equal + 5; i++) matrix.append(i + 1, i < equal ? near : nearest);
		const query = new Int8Array(dimensions);
		quantize(nearest, query, 0);
		const expected = [...Array.from({ length: 5 }, (_, i) => equal + i), ...Array.from({ length: 91 }, (_, i) => i)];
		expect([...(await matrix.top(query, 96)).positions]).toEqual(expected);
		expect([
			...(
				await matrix.topOf(
					query,
					Int32Array.from({ length: equal + 5 }, (_, i) => i),
					96,
				)
			).positions,
		]).toEqual(expected);
	});

	test("vectors of nothing but noughts, or with a number that is none, are in no matrix", () => {
		for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY])
			expect(soundVector(bytesOf(new Float32Array(dimensions).fill(value)), { dimensions })).toBeNull();
	});
});

/** So many different rows of the list as were asked for, each with its cosine, and nearly all as near as those of the plain scan. */
function expectNearest({ positions, scores }: Ranking, cosines: readonly number[], list: Int32Array): void {
	const members = new Set(list);
	expect(new Set(positions.filter((position) => members.has(position))).size).toBe(limit);
	const least = Float64Array.from(list, (position) => cosines[position] ?? 0)
		.sort()
		.at(-limit);
	let right = 0;
	for (const [k, position] of positions.entries()) {
		const own = cosines[position] ?? Number.NaN;
		expect(Math.abs((scores[k] ?? Number.NaN) - own)).toBeLessThan(roundedTo);
		if (own >= (least ?? 2) - roundedTo) right += 1;
	}
	expect(right).toBeGreaterThanOrEqual(Math.floor(shareMin * limit));
}

function dot(a: Vector, b: Vector): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
	return sum;
}
