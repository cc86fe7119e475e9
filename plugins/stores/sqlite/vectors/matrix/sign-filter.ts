/** The rows that pass the filter by signs, and the best of them by full comparison. */

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
	const entries = likelyBest(scores, size, count).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
	if (entries.length > count) entries.length = count;
	const ranked = { positions: new Int32Array(entries.length), scores: new Float32Array(entries.length), entries };
	for (let i = 0; i < entries.length; i++) {
		ranked.positions[i] = positions[entries[i] ?? 0] ?? -1;
		ranked.scores[i] = scores[entries[i] ?? 0] ?? 0;
	}
	return ranked;
}

/** Cosines are counted in this many steps between -1 and 1. */
const steps = 512;
/** If more than this have nearly the best scores, as copies of one text have, exact scores choose among them: sorting all takes ten times as long. */
const crowdMin = 1_024;
const crowdPerWanted = 8;
/** How many scores are in each step. It is shared, because `likelyBest` never pauses. */
const stepCounts = new Int32Array(steps);

/**
 * The entries with the best scores: at least `count` of them, if there are that many, and some with nearly equal scores. Counting the scores
 * by steps is five times faster than a heap.
 */
function likelyBest(scores: Float64Array, size: number, count: number): number[] {
	stepCounts.fill(0);
	for (let i = 0; i < size; i++) {
		const step = stepOf(scores[i] ?? 0);
		stepCounts[step] = (stepCounts[step] ?? 0) + 1;
	}
	let least = steps;
	for (let above = 0; above < count && least > 0; ) above += stepCounts[--least] ?? 0;
	const found: number[] = [];
	for (let i = 0; i < size; i++) if (stepOf(scores[i] ?? 0) >= least) found.push(i);
	return found.length <= crowdMin + count * crowdPerWanted ? found : exactlyBest(found, scores, count);
}

/** The `count` best of these entries; of those with the same score the first. */
function exactlyBest(entries: readonly number[], scores: Float64Array, count: number): number[] {
	const least = Float64Array.from(entries, (entry) => scores[entry] ?? 0)
		.sort()
		.at(-count);
	if (least === undefined) return [];
	const better = entries.filter((entry) => (scores[entry] ?? 0) > least);
	const equal = entries.filter((entry) => scores[entry] === least);
	return [...better, ...equal.slice(0, count - better.length)];
}

function stepOf(score: number): number {
	return Math.max(0, Math.min(steps - 1, ((score + 1) * (steps / 2)) | 0));
}

/** Whether the best rows passed the filter by a clear margin. */
export function hasMargin({ size, sums }: FilteredRows, best: readonly number[]): boolean {
	let least = sumsMax;
	for (const entry of best.slice(0, checkedBest)) least = Math.min(least, sums[entry] ?? 0);
	let below = 0;
	for (let i = 0; i < size; i++) if ((sums[i] ?? 0) < least) below += 1;
	return below >= size * marginShare;
}
