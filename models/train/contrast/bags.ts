/** Texts as sparse rows over the table: which rows a text is made of, and how much each counts. */

import { type Features, spelledFeatures, type TableShape, wordFeatures } from "../../../plugins/embedders/static/features.ts";
import { countWeight } from "../../../plugins/embedders/static/pool.ts";
import type { Kernels, Matrix, SparseRows } from "../kernels/kernels.ts";
import type { Table } from "./table.ts";

/** The features of words by their number in the corpus, found when first asked for. */
export function createFeatureBook(words: readonly string[], rowOf: Int32Array, shape: TableShape): (number: number) => Features {
	const known: (Features | undefined)[] = new Array(words.length).fill(undefined);
	return (number) => {
		const found = known[number];
		if (found !== undefined) return found;
		const row = rowOf[number] ?? -1;
		const features = row >= 0 ? wordFeatures(row) : spelledFeatures(words[number] ?? "", shape);
		known[number] = features;
		return features;
	};
}

/** An entry is the share of a feature in its text times the weight of its row. */
export function fillBags(sparse: SparseRows, texts: readonly ArrayLike<number>[], featuresOf: (number: number) => Features, { logWeights }: Table): void {
	let entries = 0;
	for (const [i, text] of texts.entries()) {
		sparse.starts[i] = entries;
		for (const [number, count] of countsOf(text)) {
			const { rows, weights } = featuresOf(number);
			if (entries + rows.length > sparse.columns.length) throw new Error("the texts of a step have more words than there is room for");
			for (let k = 0; k < rows.length; k++) {
				const row = rows[k] ?? 0;
				sparse.columns[entries] = row;
				sparse.values[entries++] = (weights[k] ?? 0) * countWeight(count) * Math.exp(logWeights[row] ?? 0);
			}
		}
	}
	sparse.starts[texts.length] = entries;
}

function countsOf(text: ArrayLike<number>): Map<number, number> {
	const counts = new Map<number, number>();
	for (let i = 0; i < text.length; i++) counts.set(text[i] ?? 0, (counts.get(text[i] ?? 0) ?? 0) + 1);
	return counts;
}

/** The unit vectors of texts, and what their lengths were. */
export function poolBags(to: Matrix, lengths: Float64Array, sparse: SparseRows, { rows }: Table, kernels: Kernels): void {
	kernels.multiplySparse(to, sparse, rows, to.rows);
	for (let i = 0; i < to.rows; i++) {
		const vector = to.values.subarray(i * to.columns, (i + 1) * to.columns);
		let squares = 0;
		for (const value of vector) squares += value * value;
		const length = Math.sqrt(squares) || 1;
		lengths[i] = length;
		for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] ?? 0) / length;
	}
}

/** Slopes of unit vectors → slopes of the sums before they were made as long as one: what points along the vector is lost. */
export function slopesOfSums(slopes: Matrix, units: Matrix, lengths: Float64Array): void {
	const { columns } = slopes;
	for (let i = 0; i < slopes.rows; i++) {
		let along = 0;
		for (let k = i * columns; k < (i + 1) * columns; k++) along += (slopes.values[k] ?? 0) * (units.values[k] ?? 0);
		for (let k = i * columns; k < (i + 1) * columns; k++) slopes.values[k] = ((slopes.values[k] ?? 0) - along * (units.values[k] ?? 0)) / (lengths[i] ?? 1);
	}
}

/** Rows of the table that the bags touch, in order of touching, each with the texts that touch it: the same entries by column. */
export function turnBags(sparse: SparseRows, count: number, to: SparseRows, placeOf: Int32Array): Uint32Array {
	const entries = sparse.starts[count] ?? 0;
	const touched: number[] = [];
	const sizes: number[] = [];
	for (let at = 0; at < entries; at++) {
		const row = sparse.columns[at] ?? 0;
		if ((placeOf[row] ?? -1) < 0) {
			placeOf[row] = touched.push(row) - 1;
			sizes.push(0);
		}
		const place = placeOf[row] ?? 0;
		sizes[place] = (sizes[place] ?? 0) + 1;
	}
	to.starts[0] = 0;
	for (const [i, size] of sizes.entries()) to.starts[i + 1] = (to.starts[i] ?? 0) + size;
	const next = to.starts.slice(0, touched.length);
	for (let text = 0; text < count; text++) {
		for (let at = sparse.starts[text] ?? 0; at < (sparse.starts[text + 1] ?? 0); at++) {
			const place = placeOf[sparse.columns[at] ?? 0] ?? 0;
			const free = next[place] ?? 0;
			next[place] = free + 1;
			to.columns[free] = text;
			to.values[free] = sparse.values[at] ?? 0;
		}
	}
	for (const row of touched) placeOf[row] = -1;
	return Uint32Array.from(touched);
}
