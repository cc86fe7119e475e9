/**
 * The vectors of one partition in memory: ascending keys beside rows of 8-bit numbers. A few are scanned exactly by a native
 * kernel; once there are more than a block of them they are scanned by their signs, see `ScannedRows`.
 */

import type { Vector } from "cairn-memory";
import { exactSearch, MetricKind } from "usearch";
import type { Ranking } from "./let-through.ts";
import { lengthOf, ScannedRows } from "./scanned-rows.ts";

/** Rows per block. A block of 256 dimensions is 1 MiB and takes 0.2 ms to scan exactly. */
export const blockRows = 4096;
/** The first block starts small and doubles: most organisations of a large installation hold a few notes only. */
const firstRows = 64;

const nothing: Ranking = { positions: new Int32Array(0), scores: new Float32Array(0) };

export class VectorMatrix {
	readonly dimensions: number;
	/**
	 * It has a buffer of its own: `exactSearch` ignores the offset of a view, so a slice of a longer buffer would silently be
	 * scanned from the buffer's start.
	 */
	#block: Int8Array<ArrayBuffer>;
	/** All rows, once they do not fit into the block. */
	#scanned: ScannedRows | null = null;
	#keys = new Float64Array(firstRows);
	#isDead = new Uint8Array(firstRows);
	#length = 0;
	#deadCount = 0;
	readonly #quantized: Int8Array<ArrayBuffer>;

	constructor(dimensions: number) {
		this.dimensions = dimensions;
		this.#quantized = new Int8Array(dimensions);
		this.#block = new Int8Array(firstRows * dimensions);
	}

	get length(): number {
		return this.#length;
	}

	/** How many rows are known to be gone from the tables. */
	get deadCount(): number {
		return this.#deadCount;
	}

	get byteLength(): number {
		return (this.#scanned?.byteLength ?? this.#block.byteLength) + this.#keys.byteLength + this.#isDead.byteLength;
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
		quantize(vector, this.#quantized, 0);
		this.appendRow(key, this.#quantized);
	}

	/** A row that is already made of 8-bit numbers, as an index file holds it. */
	appendRow(key: number, row: Int8Array): void {
		const position = this.#reserve(key);
		if (position === blockRows) this.#outgrow();
		if (this.#scanned === null) this.#block.set(row, position * this.dimensions);
		else this.#scanned.append(row);
	}

	row(position: number): Int8Array {
		if (this.#scanned !== null) return this.#scanned.row(position);
		return this.#block.subarray(position * this.dimensions, (position + 1) * this.dimensions);
	}

	/** The cosine of a row to a query of length one. Only the row is rounded: good to ±0.002. */
	cosine(query: Vector, position: number): number {
		const row = this.row(position);
		let dot = 0;
		for (let i = 0; i < row.length; i++) dot += (row[i] ?? 0) * (query[i] ?? 0);
		return dot * (this.#scanned?.scale(position) ?? 1 / lengthOf(row));
	}

	/** The `count` rows most like the query, among all from a position on. */
	async top(query: Int8Array<ArrayBuffer>, count: number, from = 0): Promise<Ranking> {
		if (from >= this.#length) return nothing;
		if (this.#scanned !== null) return this.#scanned.top(query, count, from);
		const end = this.#length * this.dimensions;
		const rows = from === 0 ? this.#block.subarray(0, end) : this.#block.slice(from * this.dimensions, end);
		return this.#scan(rows, query, count, (offset) => from + offset);
	}

	/** The `count` rows most like the query, among these positions, which ascend. */
	async topOf(query: Int8Array<ArrayBuffer>, positions: Int32Array, count: number): Promise<Ranking> {
		if (positions.length === 0) return nothing;
		if (this.#scanned !== null) return this.#scanned.topOf(query, positions, count);
		const rows = new Int8Array(positions.length * this.dimensions);
		for (let i = 0; i < positions.length; i++) rows.set(this.row(positions[i] ?? 0), i * this.dimensions);
		return this.#scan(rows, query, count, (offset) => positions[offset] ?? -1);
	}

	/** A millisecond at most. */
	#scan(rows: Int8Array<ArrayBuffer>, query: Int8Array<ArrayBuffer>, count: number, positionOf: (offset: number) => number): Ranking {
		const wanted = Math.min(count, rows.length / this.dimensions);
		const { keys, distances } = exactSearch(rows, query, this.dimensions, wanted, MetricKind.Cos, 1);
		return { positions: Int32Array.from(keys, (key) => positionOf(Number(key))), scores: distances.map((distance) => 1 - distance) };
	}

	#outgrow(): void {
		const scanned = new ScannedRows(this.dimensions);
		for (let position = 0; position < blockRows; position++) scanned.append(this.row(position));
		this.#scanned = scanned;
		this.#block = new Int8Array();
	}

	#reserve(key: number): number {
		if (key <= this.lastKey) throw new RangeError(`key ${key} does not follow ${this.lastKey}`);
		const position = this.#length;
		if (position === this.#keys.length) {
			this.#keys = grown(this.#keys, new Float64Array(position * 2));
			this.#isDead = grown(this.#isDead, new Uint8Array(position * 2));
		}
		if (this.#scanned === null && position * this.dimensions === this.#block.length && position < blockRows) {
			this.#block = grown(this.#block, new Int8Array(this.#block.length * 2));
		}
		this.#keys[position] = key;
		this.#length += 1;
		return position;
	}
}

export function ofLengthOne(vector: Vector): Vector {
	let squares = 0;
	for (let i = 0; i < vector.length; i++) squares += (vector[i] ?? 0) ** 2;
	const length = Math.sqrt(squares);
	return vector.map((value) => value / length);
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
