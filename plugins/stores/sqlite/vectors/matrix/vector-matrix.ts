/**
 * The vectors of one partition in memory: ascending keys, and rows of 8-bit numbers. Up to one block of rows is scanned exactly by a
 * native library; of more rows only those with similar signs are, see `SignFilteredRows`.
 */

import type { Vector } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import { exactSearch, MetricKind } from "usearch";
import { rowProducts } from "./row-products.ts";
import type { Ranking } from "./sign-filter.ts";
import { lengthOf, SignFilteredRows } from "./sign-filtered-rows.ts";

/** Rows per block. A block of 256 dimensions is 1 MiB and takes 0.2 ms to scan exactly. */
export const blockRows = 4096;
/** The first block starts with this size and doubles, because most organisations of a large installation have only a few notes. */
const firstRows = 64;

const noRows: Ranking = { positions: new Int32Array(0), scores: new Float32Array(0) };

export class VectorMatrix {
	readonly dimensions: number;
	/**
	 * It has a buffer of its own: `exactSearch` ignores the offset of a view, so a slice of a longer buffer would silently be
	 * scanned from the buffer's start.
	 */
	#block: Int8Array<ArrayBuffer>;
	/** All rows, once they do not fit into the block. */
	#filtered: SignFilteredRows | null = null;
	#keys = new Float64Array(firstRows);
	#isDead = new Uint8Array(firstRows);
	#length = 0;
	#fileRows = 0;
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

	/** How many rows are known to be deleted from the tables and come from no file, so that they are gone when all is loaded again. */
	get deadCount(): number {
		return this.#deadCount;
	}

	get byteLength(): number {
		return (this.#filtered?.byteLength ?? this.#block.byteLength) + this.#keys.byteLength + this.#isDead.byteLength;
	}

	/** The newest key; 0 if there are no rows. */
	get lastKey(): number {
		return this.#length === 0 ? 0 : this.key(this.#length - 1);
	}

	key(position: number): number {
		return this.#keys[position] ?? Number.NaN;
	}

	/** The position of a key, or -1. */
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

	/** Marks a row as deleted from the tables. A key is never reused, so this is final. */
	markDead(position: number): void {
		if (this.#isDead[position] !== 0) return;
		this.#isDead[position] = 1;
		if (position >= this.#fileRows) this.#deadCount += 1;
	}

	/** All rows so far are those of a file. */
	endFile(): void {
		this.#fileRows = this.#length;
	}

	/** Adds a vector. Keys must be added in ascending order. */
	append(key: number, vector: Vector): void {
		quantize(vector, this.#quantized, 0);
		this.appendRow(key, this.#quantized);
	}

	/** Adds a row that is already quantized to 8-bit numbers, from an index file. */
	appendRow(key: number, row: Int8Array): void {
		const position = this.#reserve(key);
		if (position === blockRows) this.#outgrow();
		if (this.#filtered === null) this.#block.set(row, position * this.dimensions);
		else this.#filtered.append(row);
	}

	row(position: number): Int8Array {
		if (this.#filtered !== null) return this.#filtered.row(position);
		return this.#block.subarray(position * this.dimensions, (position + 1) * this.dimensions);
	}

	/** The cosines of rows and a unit vector. Only the rows are rounded, so the error is about ±0.002. */
	cosines(query: Vector, positions: readonly number[]): Float64Array {
		const dots = rowProducts(
			query,
			positions.map((position) => ({ bytes: this.#filtered?.bytesOf(position) ?? this.#block, start: this.#startOf(position) })),
		);
		return dots.map((dot, i) => dot * this.#scale(positions[i] ?? 0));
	}

	#startOf(position: number): number {
		return this.#filtered?.startOf(position) ?? position * this.dimensions;
	}

	#scale(position: number): number {
		return this.#filtered?.scale(position) ?? 1 / lengthOf(this.row(position));
	}

	/** The `count` rows nearest to the query, among those from a position on. */
	async top(query: Int8Array<ArrayBuffer>, count: number, from = 0): Promise<Ranking> {
		if (from >= this.#length) return noRows;
		if (this.#filtered !== null) return this.#filtered.top(query, count, from);
		const end = this.#length * this.dimensions;
		const rows = from === 0 ? this.#block.subarray(0, end) : this.#block.slice(from * this.dimensions, end);
		return this.#scan(rows, query, count, (offset) => from + offset);
	}

	/** The `count` rows nearest to the query, among these positions, which must be in ascending order. */
	async topOf(query: Int8Array<ArrayBuffer>, positions: Int32Array, count: number): Promise<Ranking> {
		if (positions.length === 0) return noRows;
		if (this.#filtered !== null) return this.#filtered.topOf(query, positions, count);
		const rows = new Int8Array(positions.length * this.dimensions);
		for (let i = 0; i < positions.length; i++) rows.set(this.row(positions[i] ?? 0), i * this.dimensions);
		return this.#scan(rows, query, count, (offset) => positions[offset] ?? -1);
	}

	/** As `topOf`, for many queries. */
	async topOfEach(queries: readonly Int8Array<ArrayBuffer>[], positions: Int32Array, count: number): Promise<readonly Ranking[]> {
		if (this.#filtered !== null && positions.length > 0) return this.#filtered.topOfEach(queries, positions, count);
		const rankings: Ranking[] = [];
		for (const query of queries) {
			const pause = yieldIfDue();
			if (pause !== null) await pause;
			rankings.push(await this.topOf(query, positions, count));
		}
		return rankings;
	}

	/** Scans rows exactly, in a millisecond at most. Of equally near ones the first are taken. */
	#scan(rows: Int8Array<ArrayBuffer>, query: Int8Array<ArrayBuffer>, count: number, positionOf: (offset: number) => number): Ranking {
		const { keys, distances } = this.#cutBetweenScores(rows, query, count);
		const positions = Int32Array.from(keys, (key) => positionOf(Number(key)));
		const scores = distances.map((distance) => 1 - distance);
		return { positions: inOrder(positions, scores).subarray(0, count), scores: scores.subarray(0, count) };
	}

	/** At least `count` rows, and all that are as near as the last of them: of equally near ones at its end a scan finds any. */
	#cutBetweenScores(rows: Int8Array<ArrayBuffer>, query: Int8Array<ArrayBuffer>, count: number) {
		const length = rows.length / this.dimensions;
		for (let wanted = Math.min(count + 1, length); ; wanted = Math.min(4 * wanted, length)) {
			const found = exactSearch(rows, query, this.dimensions, wanted, MetricKind.Cos, 1);
			if (wanted === length || found.distances[count - 1] !== found.distances[wanted - 1]) return found;
		}
	}

	#outgrow(): void {
		const filtered = new SignFilteredRows(this.dimensions);
		for (let position = 0; position < blockRows; position++) filtered.append(this.row(position));
		this.#filtered = filtered;
		this.#block = new Int8Array();
	}

	#reserve(key: number): number {
		if (key <= this.lastKey) throw new RangeError(`key ${key} does not follow ${this.lastKey}`);
		const position = this.#length;
		if (position === this.#keys.length) {
			this.#keys = copyInto(this.#keys, new Float64Array(position * 2));
			this.#isDead = copyInto(this.#isDead, new Uint8Array(position * 2));
		}
		if (this.#filtered === null && position * this.dimensions === this.#block.length && position < blockRows) {
			this.#block = copyInto(this.#block, new Int8Array(this.#block.length * 2));
		}
		this.#keys[position] = key;
		this.#length += 1;
		return position;
	}
}

/** Puts the positions of equal scores in ascending order, in place: a scan leaves them in the order of its heap. */
function inOrder(positions: Int32Array, scores: Float32Array): Int32Array {
	for (let start = 0; start < scores.length; ) {
		let end = start + 1;
		while (end < scores.length && scores[end] === scores[start]) end += 1;
		if (end - start > 1) positions.subarray(start, end).sort();
		start = end;
	}
	return positions;
}

export function toUnitVector(vector: Vector): Vector {
	let squares = 0;
	for (let i = 0; i < vector.length; i++) squares += (vector[i] ?? 0) ** 2;
	const length = Math.sqrt(squares);
	return vector.map((value) => value / length);
}

/**
 * Quantizes a vector to 8-bit numbers with the largest at ±127, so that every vector uses the whole range. The scale is not stored,
 * because only directions are compared.
 */
export function quantize(vector: Vector, into: Int8Array, at: number): void {
	// Plain loops without calls are five times faster, and this runs for every vector that is read.
	let largest = 0;
	for (let i = 0; i < vector.length; i++) {
		const size = Math.abs(vector[i] ?? 0);
		if (size > largest) largest = size;
	}
	const scale = 127 / largest;
	for (let i = 0; i < vector.length; i++) {
		const value = (vector[i] ?? 0) * scale;
		into[at + i] = value < 0 ? value - 0.5 : value + 0.5; // storing truncates the fraction
	}
}

function copyInto<T extends Float64Array | Uint8Array | Int8Array>(from: T, to: T): T {
	to.set(from);
	return to;
}
