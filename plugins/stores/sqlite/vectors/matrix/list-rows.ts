/**
 * The rows of the list that was asked about last, copied side by side. While memories of a container are extracted its list is asked
 * about hundreds of times, and its rows lie all over the matrix: side by side they are scanned by their signs, in a quarter of the time.
 */

import type { Ranking } from "./let-through.ts";
import { ScannedRows } from "./scanned-rows.ts";
import type { VectorMatrix } from "./vector-matrix.ts";

/** A shorter list is compared as quickly where its rows are. */
const rowsMin = 1_000;
/** With fewer rows beside them in the matrix there is little to gain. */
const shareMax = 1 / 2;

/** The `count` rows of a list that are most like the query. */
export type SearchList = (query: Int8Array<ArrayBuffer>, count: number) => Promise<Ranking>;

export class ListRows {
	readonly #matrix: VectorMatrix;
	/** One for all lists: an engine gives out few memories of WebAssembly, and clears up everything before it gives out more. */
	#rows: ScannedRows | null = null;
	/** Whose rows these are. */
	#positions: Int32Array = new Int32Array();

	constructor(matrix: VectorMatrix) {
		this.#matrix = matrix;
	}

	get byteLength(): number {
		return this.#rows?.byteLength ?? 0;
	}

	/** @param positions ascending; copied only where there are queries enough to make up for it */
	of(positions: Int32Array, queries: number): SearchList {
		const { length } = this.#matrix;
		const isWorth = positions.length >= rowsMin && positions.length <= length * shareMax && queries > 1;
		if (!isWorth) return (query, count) => this.#matrix.topOf(query, positions, count);
		const rows = this.#copied(positions);
		return async (query, count) => {
			const { positions: found, scores } = await rows.top(query, count);
			// Another list may have taken its place meanwhile.
			if (this.#positions !== positions) return this.#matrix.topOf(query, positions, count);
			return { positions: found.map((i) => positions[i] ?? -1), scores };
		};
	}

	/** What a list gains comes at its end as a rule; where it has changed before that it is copied anew. */
	#copied(positions: Int32Array): ScannedRows {
		this.#rows ??= new ScannedRows(this.#matrix.dimensions);
		const before = this.#positions;
		const isLonger = before.length <= positions.length && before.every((position, i) => positions[i] === position);
		if (!isLonger) this.#rows.clear();
		for (let i = isLonger ? before.length : 0; i < positions.length; i++) this.#rows.append(this.#matrix.row(positions[i] ?? 0));
		this.#positions = positions;
		return this.#rows;
	}
}
