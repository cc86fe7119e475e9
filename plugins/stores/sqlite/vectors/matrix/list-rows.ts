/**
 * Copies of the rows of the lists that were searched last. While memories of a container are extracted, its list is searched hundreds of
 * times, and its rows are spread over the matrix. Side by side they take a quarter of the time: few rows are compared in full, more are scanned
 * by their signs.
 */

import type { Ranking } from "./sign-filter.ts";
import { SignFilteredRows } from "./sign-filtered-rows.ts";
import type { VectorMatrix } from "./vector-matrix.ts";

/** A shorter list is not copied, because comparing its rows in the matrix is as fast. */
const rowsMin = 64;
/** From this number on the rows are scanned by their signs. */
const scannedMin = 1_000;
/** A list with a larger share of the matrix is compared in full, and not copied if it is long: scanning the matrix is then as fast. */
const shareMax = 1 / 2;
const comparedMax = 4_096;
/** A longer list is scanned in the matrix: the copies of two lists of this length with 256 dimensions are 29 MB. */
const copiedMax = 50_000;

/** For each query the `count` rows of a list that are most like it. */
export type SearchList = (queries: readonly Int8Array<ArrayBuffer>[], count: number) => Promise<readonly Ranking[]>;

/** Copies of this many lists are kept, because the memories of two containers are extracted beside each other. */
const copiesMax = 2;

interface Copy {
	readonly rows: SignFilteredRows;
	/** The list that the rows are copied from. */
	readonly positions: Int32Array;
}

export class ListRows {
	readonly #matrix: VectorMatrix;
	/**
	 * The one that was searched last is the last. Their memories are used again, because a JavaScript engine allows few of them, and runs a
	 * full garbage collection before it allows more.
	 */
	readonly #copies: Copy[] = [];

	constructor(matrix: VectorMatrix) {
		this.#matrix = matrix;
	}

	get byteLength(): number {
		return this.#copies.reduce((sum, { rows }) => sum + rows.byteLength, 0);
	}

	/** @param positions in ascending order. @param queries how many searches follow: the rows are only copied if there are several. */
	of(positions: Int32Array, queries: number): SearchList {
		const isPart = positions.length <= this.#matrix.length * shareMax;
		const isWorthCopying = positions.length >= rowsMin && positions.length <= copiedMax && (isPart || positions.length <= comparedMax) && queries > 1;
		if (!isWorthCopying) return (some, count) => this.#matrix.topOfEach(some, positions, count);
		const copy = this.#copy(positions);
		const isScanned = isPart && positions.length >= scannedMin;
		return async (some, count) => {
			const found = await (isScanned ? copy.rows.topOfAll(some, count) : copy.rows.topComparedOfAll(some, count));
			// Another list may have taken its place in the meantime.
			if (!this.#copies.includes(copy)) return this.#matrix.topOfEach(some, positions, count);
			return found.map((ranked) => ({ positions: ranked.positions.map((i) => positions[i] ?? -1), scores: ranked.scores }));
		};
	}

	/** Usually a list only grows at its end, and only the new rows are copied. If it has changed otherwise, all are copied again. */
	#copy(positions: Int32Array): Copy {
		const known = this.#copies.findIndex((copy) => isBeginning(copy.positions, positions));
		const isReplacing = known >= 0 || this.#copies.length === copiesMax;
		const [before] = isReplacing ? this.#copies.splice(Math.max(0, known), 1) : [];
		const rows = before?.rows ?? new SignFilteredRows(this.#matrix.dimensions);
		if (known < 0) rows.clear();
		for (let i = known < 0 ? 0 : (before?.positions.length ?? 0); i < positions.length; i++) rows.append(this.#matrix.row(positions[i] ?? 0));
		const copy = { rows, positions };
		this.#copies.push(copy);
		return copy;
	}
}

function isBeginning(before: Int32Array, positions: Int32Array): boolean {
	return before.length <= positions.length && before.every((position, i) => positions[i] === position);
}
