/** The rows that their signs let through, and the best of them by full comparison. */

import { TopScores } from "../../words/scoring/top-scores.ts";

/** Positions in a matrix, best first. */
export interface Ranking {
	readonly positions: Int32Array;
	/** Cosines of the 8-bit rows, good to about ±0.002. */
	readonly scores: Float32Array;
}

/** When one of the best so many is in the last third of those let through, others like it may have been left out. */
const watched = 10;
const closeShare = 1 / 3;
/** One more than a sum can be. */
export const sumsMax = 32_768;

/** What has been let through, in ascending order; the arrays may be longer. */
export interface Through {
	size: number;
	positions: Int32Array<ArrayBuffer>;
	sums: Int32Array<ArrayBuffer>;
	scores: Float64Array<ArrayBuffer>;
}

export function newThrough(size: number): Through {
	return { size: 0, positions: new Int32Array(size), sums: new Int32Array(size), scores: new Float64Array(size) };
}

export function makeSpace(through: Through, more: number): void {
	if (through.size + more <= through.positions.length) return;
	const length = (through.size + more) * 2;
	through.positions = grown(through.positions, new Int32Array(length));
	through.sums = grown(through.sums, new Int32Array(length));
	through.scores = grown(through.scores, new Float64Array(length));
}

function grown<Numbers extends Int32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
	to.set(from);
	return to;
}

/** Equal scores keep their order. */
export function ranking({ size, positions, scores }: Through, count: number): Ranking & { readonly entries: readonly number[] } {
	const best = new TopScores(Math.min(count, size));
	let least = 0;
	for (let i = 0; i < size && count > 0; i++) {
		// The heap begins at nought: all are lifted.
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

/** Whether the best stand clear of those that were just let through. */
export function isClear({ size, sums }: Through, best: readonly number[]): boolean {
	let least = sumsMax;
	for (const entry of best.slice(0, watched)) least = Math.min(least, sums[entry] ?? 0);
	let below = 0;
	for (let i = 0; i < size; i++) if ((sums[i] ?? 0) < least) below += 1;
	return below >= size * closeShare;
}
