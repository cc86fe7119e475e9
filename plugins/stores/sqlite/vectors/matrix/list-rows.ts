/**
 * Copies of the rows of the lists that were searched last. While memories of a container are extracted, its list is searched hundreds of
 * times, and its rows are spread over the matrix. Side by side they take a quarter of the time: few rows are compared in full, more are scanned
 * by their signs.
 */

import { BoundedMap, yieldIfDue } from "cairn-memory/words";
import type { Ranking } from "./sign-filter.ts";
import { comparisonsForEach, SignFilteredRows } from "./sign-filtered-rows.ts";
import type { VectorMatrix } from "./vector-matrix.ts";

/** A shorter list is not copied, because comparing its rows in the matrix is as fast. */
const rowsMin = 64;
/** From this number on the rows are scanned by their signs. */
const scannedMin = 1_000;
/** A list with a larger share of the matrix is compared in full, and not copied if it is long: scanning the matrix is then as fast. */
const shareMax = 1 / 2;
const comparedMax = 4_096;
/** A longer list is only copied up to a smaller share, so that two copies of long lists take half the memory of the matrix at most. */
const longMin = 50_000;
const longShareMax = 1 / 4;
/** A row is copied in the time of this many full comparisons. A list is copied when as much was spent on searching it in the matrix. */
const copyPrice = 5;
/** Numbers that are copied between two looks at the clock: 1 ms. */
const numbersPerLook = 2 ** 18;

/** For each query the `count` rows of a list that are most like it. */
export type SearchList = (queries: readonly Int8Array<ArrayBuffer>[], count: number) => Promise<readonly Ranking[]>;

/** Copies of this many lists are kept, because the memories of two containers are extracted beside each other. */
const copiesMax = 2;
/** For this many lists it is known what was spent. */
const spentMax = 1_000;

interface Copy {
	readonly name: string;
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
	/**
	 * What was spent on searching lists in the matrix since they were copied last, in full comparisons of each row. So copying takes no longer
	 * than these searches, however many lists take turns.
	 */
	readonly #spent = new BoundedMap<string, number>(spentMax);

	constructor(matrix: VectorMatrix) {
		this.#matrix = matrix;
	}

	get byteLength(): number {
		return this.#copies.reduce((sum, { rows }) => sum + rows.byteLength, 0);
	}

	/** Gives the memory back. What is being searched is searched in the matrix instead. */
	drop(): void {
		this.#copies.length = 0;
	}

	/** @param positions in ascending order. @param queries how many searches follow. */
	async of(name: string, positions: Int32Array, queries: number): Promise<SearchList> {
		const isPart = positions.length <= this.#matrix.length * shareMax;
		const copy = this.#mayCopy(positions) ? await this.#copy(name, positions, queries) : null;
		if (copy === null) return (some, count) => this.#matrix.topOfEach(some, positions, count);
		const isScanned = isPart && positions.length >= scannedMin;
		return async (some, count) => {
			const found = await (isScanned ? copy.rows.topOfAll(some, count) : copy.rows.topComparedOfAll(some, count));
			// Another list may have taken its place in the meantime.
			if (!this.#copies.includes(copy)) return this.#matrix.topOfEach(some, positions, count);
			return found.map((ranked) => ({ positions: ranked.positions.map((i) => positions[i] ?? -1), scores: ranked.scores }));
		};
	}

	#mayCopy({ length }: Int32Array): boolean {
		const share = length / this.#matrix.length;
		return length >= rowsMin && (length <= comparedMax || share <= (length <= longMin ? shareMax : longShareMax));
	}

	/**
	 * Usually a list only grows at its end, and only the new rows are copied. If it has changed otherwise, it is as if it had no copy.
	 * @returns null if a copy is not worth it yet.
	 */
	async #copy(name: string, positions: Int32Array, queries: number): Promise<Copy | null> {
		const known = this.#copies.findIndex((copy) => copy.name === name);
		const isGrown = known >= 0 && isBeginning(this.#copies[known]?.positions ?? positions, positions);
		if (!isGrown && !this.#isWorthCopying(name, positions, queries)) return null;
		const isReplacing = known >= 0 || this.#copies.length === copiesMax;
		const [before] = isReplacing ? this.#copies.splice(Math.max(0, known), 1) : [];
		const rows = before?.rows ?? new SignFilteredRows(this.#matrix.dimensions);
		if (!isGrown) rows.clear();
		const rowsPerLook = Math.ceil(numbersPerLook / this.#matrix.dimensions);
		for (let i = rows.length; i < positions.length; i++) {
			rows.append(this.#matrix.row(positions[i] ?? 0));
			const pause = i % rowsPerLook === 0 ? yieldIfDue() : null;
			if (pause !== null) await pause;
		}
		const copy = { name, rows, positions };
		// Another list may have been copied meanwhile.
		if (this.#copies.length === copiesMax) this.#copies.shift();
		this.#copies.push(copy);
		return copy;
	}

	#isWorthCopying(name: string, { length }: Int32Array, queries: number): boolean {
		const spent = (this.#spent.get(name) ?? 0) + (queries * comparisonsForEach(queries, length, this.#matrix.length)) / length;
		const isWorth = spent >= copyPrice;
		this.#spent.set(name, isWorth ? 0 : spent);
		return isWorth;
	}
}

function isBeginning(before: Int32Array, positions: Int32Array): boolean {
	if (before.length > positions.length) return false;
	let same = 0;
	while (same < before.length && before[same] === positions[same]) same += 1;
	return same === before.length;
}
