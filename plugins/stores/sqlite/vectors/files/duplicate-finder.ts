/** Finds equal vectors: thousands of them would make each other, and their surroundings, unreachable in a graph. */

import type { Vector } from "cairn-memory";
import { squareSum } from "../../../sql/vectors.ts";

export class DuplicateFinder {
	/** Two positions for every duplicate: the one that is in the graph, and its own. */
	readonly pairs: number[] = [];
	readonly #row: Int8Array;
	readonly #known = new Map<bigint, number>();

	constructor(dimensions: number) {
		this.#row = new Int8Array(dimensions);
	}

	get count(): number {
		return this.pairs.length / 2;
	}

	/**
	 * Whether an earlier vector looks the same to the graph, which keeps unit vectors times 127, rounded; notes the pair
	 * if so. Vectors are told apart by a hash of 64 bits: at a million vectors the chance that any two share one is 10⁻⁸.
	 */
	isDuplicate(vector: Vector, position: number): boolean {
		const scale = 127 / Math.sqrt(squareSum(vector));
		for (let i = 0; i < vector.length; i++) this.#row[i] = Math.round((vector[i] ?? 0) * scale);
		const hash = Bun.hash.xxHash64(this.#row);
		const known = this.#known.get(hash);
		if (known === undefined) {
			this.#known.set(hash, position);
			return false;
		}
		this.pairs.push(known, position);
		return true;
	}
}
