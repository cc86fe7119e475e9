/** The vectors of one room in memory: ascending keys beside rows of 8-bit numbers, scanned exactly by a native kernel. */

import type { Vector } from "cairn";
import { exactSearch, MetricKind } from "usearch";
import { createBreather } from "./breather.ts";

/** Rows per block. A block of 256 dimensions is 1 MiB and takes 0.2 ms to scan: fine slices, few of them. */
export const blockRows = 4096;
/** The first block starts small and doubles: most organisations of a large installation hold a few notes only. */
const firstRows = 64;

/** Positions in a matrix, best first. */
export interface Ranking {
	readonly positions: Int32Array;
	/** Cosines of the 8-bit rows, good to about ±0.002. */
	readonly scores: Float32Array;
}

const nothing: Ranking = { positions: new Int32Array(0), scores: new Float32Array(0) };

export class VectorMatrix {
	readonly dimensions: number;
	/**
	 * Each block has a buffer of its own: `exactSearch` ignores the offset of a view, so a slice of one long buffer would
	 * silently be scanned from the buffer's start.
	 */
	readonly #blocks: Int8Array<ArrayBuffer>[] = [];
	#keys = new Float64Array(firstRows);
	#isDead = new Uint8Array(firstRows);
	#length = 0;
	#deadCount = 0;
	#scratch: Int8Array<ArrayBuffer> | null = null;

	constructor(dimensions: number) {
		this.dimensions = dimensions;
	}

	get length(): number {
		return this.#length;
	}

	/** How many rows are known to be gone from the tables. */
	get deadCount(): number {
		return this.#deadCount;
	}

	get byteLength(): number {
		const rows = this.#blocks.reduce((sum, block) => sum + block.byteLength, 0);
		return rows + this.#keys.byteLength + this.#isDead.byteLength;
	}

	/** The newest key, 0 when empty. */
	get lastKey(): number {
		return this.#length === 0 ? 0 : this.key(this.#length - 1);
	}

	key(position: number): number {
		return this.#keys[position] ?? Number.NaN;
	}

	/** Where a key is, or -1. */
	position(key: number): number {
		let low = 0;
		let high = this.#length - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const found = this.key(middle);
			if (found === key) return middle;
			if (found < key) low = middle + 1;
			else high = middle - 1;
		}
		return -1;
	}

	isDead(position: number): boolean {
		return this.#isDead[position] === 1;
	}

	/** Notes that the tables no longer hold this row. A key never comes back, so this is for good. */
	bury(position: number): void {
		if (this.#isDead[position] !== 0) return;
		this.#isDead[position] = 1;
		this.#deadCount += 1;
	}

	/** Keys must come in ascending order. */
	append(key: number, vector: Vector): void {
		const position = this.#reserve(key);
		quantize(vector, this.#block(position), (position % blockRows) * this.dimensions);
	}

	/** A row that is already made of 8-bit numbers, as an index file holds it. */
	appendRow(key: number, row: Int8Array): void {
		const position = this.#reserve(key);
		this.#block(position).set(row, (position % blockRows) * this.dimensions);
	}

	row(position: number): Int8Array {
		const start = (position % blockRows) * this.dimensions;
		return this.#block(position).subarray(start, start + this.dimensions);
	}

	/** The `count` rows most like the query, among all from a position on. */
	async top(query: Int8Array<ArrayBuffer>, count: number, from = 0): Promise<Ranking> {
		const breather = createBreather();
		const end = this.#length;
		let best = nothing;
		for (let start = from; start < end; ) {
			const stop = Math.min(end, start - (start % blockRows) + blockRows);
			const isWhole = start % blockRows === 0;
			const rows = isWhole ? this.#block(start).subarray(0, (stop - start) * this.dimensions) : this.#gather(start, stop);
			const base = start;
			best = merge(best, this.#scan(rows, query, count), (offset) => base + offset, count);
			start = stop;
			const pause = breather.breathe();
			if (pause) await pause;
		}
		return best;
	}

	/** The `count` rows most like the query, among these positions, which ascend. */
	async topOf(query: Int8Array<ArrayBuffer>, positions: Int32Array, count: number): Promise<Ranking> {
		const breather = createBreather();
		let best = nothing;
		for (let start = 0; start < positions.length; start += blockRows) {
			const part = positions.subarray(start, start + blockRows);
			const rows = this.#gatherOf(part);
			best = merge(best, this.#scan(rows, query, count), (offset) => part[offset] ?? -1, count);
			const pause = breather.breathe();
			if (pause) await pause;
		}
		return best;
	}

	#scan(rows: Int8Array<ArrayBuffer>, query: Int8Array<ArrayBuffer>, count: number): { readonly keys: BigUint64Array; readonly distances: Float32Array } {
		const rowCount = rows.length / this.dimensions;
		return exactSearch(rows, query, this.dimensions, Math.min(count, rowCount), MetricKind.Cos, 1);
	}

	/** Copies rows side by side, whole runs at once: the chunks of one document lie together. */
	#gatherOf(positions: Int32Array): Int8Array<ArrayBuffer> {
		const scratch = this.#openScratch();
		for (let i = 0; i < positions.length; ) {
			const first = positions[i] ?? 0;
			const blockEnd = first - (first % blockRows) + blockRows;
			let run = 1;
			while (i + run < positions.length && positions[i + run] === first + run && first + run < blockEnd) run += 1;
			const start = (first % blockRows) * this.dimensions;
			scratch.set(this.#block(first).subarray(start, start + run * this.dimensions), i * this.dimensions);
			i += run;
		}
		return scratch.subarray(0, positions.length * this.dimensions);
	}

	#gather(start: number, stop: number): Int8Array<ArrayBuffer> {
		const scratch = this.#openScratch();
		const first = (start % blockRows) * this.dimensions;
		scratch.set(this.#block(start).subarray(first, first + (stop - start) * this.dimensions));
		return scratch.subarray(0, (stop - start) * this.dimensions);
	}

	/** Safe to share between searches: it is filled and scanned without a pause between. */
	#openScratch(): Int8Array<ArrayBuffer> {
		this.#scratch ??= new Int8Array(blockRows * this.dimensions);
		return this.#scratch;
	}

	#block(position: number): Int8Array<ArrayBuffer> {
		const block = this.#blocks[Math.floor(position / blockRows)];
		if (block === undefined) throw new RangeError(`no row at ${position}`);
		return block;
	}

	#reserve(key: number): number {
		if (key <= this.lastKey) throw new RangeError(`key ${key} does not follow ${this.lastKey}`);
		const position = this.#length;
		if (position === this.#keys.length) {
			this.#keys = grown(this.#keys, new Float64Array(position * 2));
			this.#isDead = grown(this.#isDead, new Uint8Array(position * 2));
		}
		const inBlock = position % blockRows;
		const last = this.#blocks.length - 1;
		const hasRoom = position < this.#blocks.length * blockRows;
		if (!hasRoom) {
			this.#blocks.push(new Int8Array((this.#blocks.length === 0 ? firstRows : blockRows) * this.dimensions));
		} else {
			const block = this.#block(position);
			if (inBlock * this.dimensions === block.length) this.#blocks[last] = grown(block, new Int8Array(block.length * 2));
		}
		this.#keys[position] = key;
		this.#length += 1;
		return position;
	}
}

/**
 * A vector as 8-bit numbers, its largest at ±127: that spends the whole range on every vector, and the kernel compares
 * directions only, so the scale need not be kept.
 */
export function quantize(vector: Vector, into: Int8Array, at: number): void {
	// Counted loops and no calls: this runs for every vector that is read, and is five times faster so.
	let largest = 0;
	for (let i = 0; i < vector.length; i++) {
		const size = Math.abs(vector[i] ?? 0);
		if (size > largest) largest = size;
	}
	const scale = 127 / largest;
	for (let i = 0; i < vector.length; i++) {
		const value = (vector[i] ?? 0) * scale;
		into[at + i] = value < 0 ? value - 0.5 : value + 0.5; // storing cuts the fraction off
	}
}

function grown<T extends Float64Array | Uint8Array | Int8Array>(from: T, to: T): T {
	to.set(from);
	return to;
}

/** The best of two rankings. Equal scores keep the order of `best` first, which holds the older keys. */
function merge(
	best: Ranking,
	found: { readonly keys: BigUint64Array; readonly distances: Float32Array },
	positionOf: (offset: number) => number,
	count: number,
): Ranking {
	const length = Math.min(count, best.positions.length + found.keys.length);
	const positions = new Int32Array(length);
	const scores = new Float32Array(length);
	let left = 0;
	let right = 0;
	for (let i = 0; i < length; i++) {
		const leftScore = best.scores[left] ?? Number.NEGATIVE_INFINITY;
		const rightScore = right < found.distances.length ? 1 - (found.distances[right] ?? 0) : Number.NEGATIVE_INFINITY;
		if (leftScore >= rightScore) {
			positions[i] = best.positions[left++] ?? -1;
			scores[i] = leftScore;
		} else {
			positions[i] = positionOf(Number(found.keys[right++] ?? 0n));
			scores[i] = rightScore;
		}
	}
	return { positions, scores };
}
