/** Finds duplicate vectors. Thousands of equal vectors would make each other and their neighbours unreachable in a graph. */

import type { Vector } from "cairn-memory";
import { squareSum } from "../../../sql/vectors.ts";

export class DuplicateFinder {
	/** Two positions per duplicate: that of the equal vector in the graph, and its own. */
	readonly pairs: number[] = [];
	readonly #row: Int8Array;
	/** Positions by the hash of the quantized vector. */
	readonly #known = new Map<bigint, number>();

	constructor(dimensions: number) {
		this.#row = new Int8Array(dimensions);
	}

	get count(): number {
		return this.pairs.length / 2;
	}

	/**
	 * Whether an earlier vector is the same to the graph, which stores unit vectors times 127, rounded; if so, the pair is recorded.
	 * Vectors are compared by a 64-bit hash: with a million vectors the probability that two different ones have the same is 10⁻⁸.
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
