/** How often two words stand near each other, counted a block of rows at a time, so that a dense count fits into memory. */

import { type Corpus, textAt, textsIn } from "./data/corpus.ts";
import type { Random } from "./random.ts";
import type { Settings } from "./settings.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Rows of one block: 1,024 × 30,720 counts are 126 MB. */
const blockRows = 1_024;
/** Stands between two texts: a border no window reaches over. */
const border = -1;

/** Only raw text: pairs repeat much of it. The words that stay, in order, as rows; a word without a row takes its place too. */
export function thinned({ sources }: Corpus, vocabulary: Vocabulary, { thinAbove, window }: Settings, random: Random): Int32Array {
	const keep = vocabulary.counts.map((count) => Math.sqrt((thinAbove * vocabulary.total) / count));
	const raw = sources.filter(({ kind }) => kind === "raw");
	const stream = new Int32Array(raw.reduce((sum, { texts }) => sum + texts.numbers.length + textsIn(texts) * window, 0));
	let length = 0;
	for (const { texts } of raw) {
		for (let i = 0; i < textsIn(texts); i++) {
			for (const number of textAt(texts, i)) {
				const row = vocabulary.rowOf[number] ?? border;
				if (row === border || random.next() < (keep[row] ?? 1)) stream[length++] = row;
			}
			length += window;
			stream.fill(border, length - window, length);
		}
	}
	return stream.subarray(0, length);
}

/** Calls `take` for each row in order, with all its counts; the list is used again for the next rows. */
export function countNeighbours(stream: Int32Array, rows: number, window: number, take: (row: number, counts: Float32Array) => void): void {
	const counts = new Float32Array(Math.min(blockRows, rows) * rows);
	for (let first = 0; first < rows; first += blockRows) {
		counts.fill(0);
		const last = Math.min(rows, first + blockRows);
		for (let at = 0; at < stream.length; at++) {
			const row = stream[at] ?? border;
			if (row < first || row >= last) continue;
			const base = (row - first) * rows;
			for (let near = Math.max(0, at - window); near <= at + window && near < stream.length; near++) {
				const other = stream[near] ?? border;
				if (other !== border && near !== at) counts[base + other] = (counts[base + other] ?? 0) + 1;
			}
		}
		for (let row = first; row < last; row++) take(row, counts.subarray((row - first) * rows, (row - first + 1) * rows));
	}
}
