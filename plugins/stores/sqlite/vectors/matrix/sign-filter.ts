/** The rows that pass the filter by signs, and the best of them by full comparison. */

import { TopScores } from "../../words/scoring/top-scores.ts";

/** Positions in a matrix, best first. */
export interface Ranking {
	readonly positions: Int32Array;
	/** Cosines of the 8-bit rows, with an error of about ±0.002. */
	readonly scores: Float32Array;
}

/** If one of the best rows is among the lower third of the filtered rows by its sum, similar rows may have failed the filter. */
const checkedBest = 10;
const marginShare = 1 / 3;
/** One more than the largest possible sum. */
export const sumsMax = 32_768;

/** The rows that passed the filter, by ascending position. The arrays may be longer than `size`. */
export interface FilteredRows {
	size: number;
	positions: Int32Array<ArrayBuffer>;
	/** The sum of each row's signs, see `sign-tables.ts`. */
	sums: Int32Array<ArrayBuffer>;
	/** Cosines. */
	scores: Float64Array<ArrayBuffer>;
}

export function newFilteredRows(size: number): FilteredRows {
	return { size: 0, positions: new Int32Array(size), sums: new Int32Array(size), scores: new Float64Array(size) };
}

export function reserveRows(rows: FilteredRows, more: number): void {
	if (rows.size + more <= rows.positions.length) return;
	const length = (rows.size + more) * 2;
	rows.positions = copyInto(rows.positions, new Int32Array(length));
	rows.sums = copyInto(rows.sums, new Int32Array(length));
	rows.scores = copyInto(rows.scores, new Float64Array(length));
}

function copyInto<Numbers extends Int32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
	to.set(from);
	return to;
}

/** The best `count` rows. Rows with equal scores keep their order. `entries` are their indices in the filtered rows. */
export function ranking({ size, positions, scores }: FilteredRows, count: number): Ranking & { readonly entries: readonly number[] } {
	const best = new TopScores(Math.min(count, size));
	let least = 0;
	for (let i = 0; i < size && count > 0; i++) {
		// The heap accepts scores above 0 only, so 1 is added to each cosine.
		const score = 1 + (scores[i] ?? 0);
		if (score >= least) least = best.offer(score, i);
	}
	const sorted = best.sorted();
	return {
		entries: sorted.map(({ documentNumber }) => documentNumber),
		positions: Int32Array.from(sorted, ({ documentNumber }) => positions[documentNumber] ?? -1),
		scores: Float32Array.from(sorted, ({ score }) => score - 1),
	};
}

/** Whether the best rows passed the filter by a clear margin. */
export function hasMargin({ size, sums }: FilteredRows, best: readonly number[]): boolean {
	let least = sumsMax;
	for (const entry of best.slice(0, checkedBest)) least = Math.min(least, sums[entry] ?? 0);
	let below = 0;
	for (let i = 0; i < size; i++) if ((sums[i] ?? 0) < least) below += 1;
	return below >= size * marginShare;
}
