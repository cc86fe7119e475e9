/**
 * Rows of 8-bit numbers that are scanned by their signs: a hundred thousand in a fraction of a millisecond, where comparing
 * all of them takes five. The signs let so many through that the best by full comparison are nearly always among them (of 256
 * dimensions 1 in 1,000 is missed); where the best came close to being left out, more are let through.
 */

import { TopScores } from "../words/top-scores.ts";
import { createBreather } from "./breather.ts";
import { blockVectors, entryBytes, groupDimensions, scanModule, tablesAt } from "./scan-module.ts";
import { signTables } from "./sign-tables.ts";

/** Positions in a matrix, best first. */
export interface Ranking {
	readonly positions: Int32Array;
	/** Cosines of the 8-bit rows, good to about ±0.002. */
	readonly scores: Float32Array;
}

/** Signs and rows lie together by so many: memory grows by as much. */
const unitRows = 4096;
const unitBlocks = unitRows / blockVectors;
const pageBytes = 65_536;

/** How many the signs let through: of so many, or so many times as many as are wanted, hardly one of the best ten is missing. */
const throughMin = 1_024;
const throughPerWanted = 6;
/** One more than a sum can be. */
const sumsMax = 32_768;
/** One block of so many tells how sums are spread. */
const sampled = 16;
/** When one of the best so many is in the last third of those let through, others like it may have been left out. */
const watched = 10;
const closeShare = 1 / 3;
const widening = 4;

interface Kernel {
	readonly memory: WebAssembly.Memory;
	readonly scan: (codes: number, groups: number, first: number, end: number, step: number, least: number, out: number) => number;
	readonly enter: (row: number, groups: number, codes: number) => number;
	readonly compare: (query: number, rows: number, rowBytes: number, out: number, count: number) => void;
}

/** What has been let through, in ascending order; the arrays may be longer. */
interface Through {
	size: number;
	positions: Int32Array<ArrayBuffer>;
	sums: Int32Array<ArrayBuffer>;
	scores: Float64Array<ArrayBuffer>;
}

let compiled: WebAssembly.Module | null = null;

export class ScannedRows {
	readonly dimensions: number;
	readonly #groups: number;
	readonly #rowBytes: number;
	readonly #unitBytes: number;
	readonly #queryAt: number;
	readonly #outAt: number;
	readonly #unitsAt: number;
	readonly #kernel: Kernel;
	#queryScale = 1;
	#bytes = new Int8Array();
	#ints = new Int32Array();
	/** By position, one by the length of its row. */
	#scales = new Float32Array(unitRows);
	#length = 0;

	constructor(dimensions: number) {
		this.dimensions = dimensions;
		this.#groups = Math.ceil(dimensions / groupDimensions);
		this.#rowBytes = this.#groups * groupDimensions;
		this.#unitBytes = unitRows * (this.#rowBytes + this.#groups * 2);
		this.#queryAt = tablesAt + this.#groups * 64;
		this.#outAt = this.#queryAt + this.#rowBytes;
		this.#unitsAt = aligned(this.#outAt + unitRows * entryBytes);
		compiled ??= scanModule();
		this.#kernel = new WebAssembly.Instance(compiled).exports as unknown as Kernel;
	}

	get byteLength(): number {
		return this.#bytes.length + this.#scales.byteLength;
	}

	append(row: Int8Array): void {
		const position = this.#length++;
		if (position % unitRows === 0) this.#grow();
		const [inUnit, at] = [position % unitRows, this.#rowAt(position)];
		this.#bytes.set(row, at);
		const block = Math.floor(inUnit / blockVectors) * this.#groups * 2 * blockVectors;
		const squares = this.#kernel.enter(at, this.#groups, this.#codesAt(Math.floor(position / unitRows)) + block + (inUnit % blockVectors));
		this.#scales[position] = 1 / Math.sqrt(squares);
	}

	row(position: number): Int8Array {
		const at = this.#rowAt(position);
		return this.#bytes.subarray(at, at + this.dimensions);
	}

	/** The `count` rows most like the query, among all from a position on. */
	async top(query: Int8Array, count: number, from = 0): Promise<Ranking> {
		const rows = this.#length - from;
		const tables = signTables(query, this.#groups);
		for (let wanted = Math.max(throughMin, count * throughPerWanted); ; wanted *= widening) {
			const least = wanted < rows ? this.#leastSum(query, tables, wanted / rows, from) : 0;
			const through = await this.#through(query, tables, least, from);
			const ranked = ranking(through, Math.min(count, rows));
			if (least === 0 || (ranked.entries.length === Math.min(count, rows) && isClear(through, ranked.entries))) return ranked;
		}
	}

	/** The `count` rows most like the query, among these positions, which ascend. */
	async topOf(query: Int8Array, positions: Int32Array, count: number): Promise<Ranking> {
		const breather = createBreather();
		const through = newThrough(positions.length);
		this.#ask(query, null);
		for (let i = 0; i < positions.length; ) {
			const unit = Math.floor((positions[i] ?? 0) / unitRows);
			let found = 0;
			for (; i < positions.length && Math.floor((positions[i] ?? 0) / unitRows) === unit; i++) {
				this.#ints[(this.#outAt + found++ * entryBytes) >> 2] = (positions[i] ?? 0) % unitRows;
			}
			this.#compare(unit, found, 0, through);
			const pause = breather.breathe();
			if (pause === null) continue;
			await pause;
			this.#ask(query, null);
		}
		return ranking(through, count);
	}

	/** Whoever searches meanwhile writes a question of its own: to be asked again after each pause. */
	#ask(query: Int8Array, tables: Uint8Array | null): void {
		this.#bytes.set(query, this.#queryAt);
		this.#queryScale = 1 / lengthOf(query);
		if (tables !== null) this.#bytes.set(tables, tablesAt);
	}

	/** The sum that about this share of the rows comes to. */
	#leastSum(query: Int8Array, tables: Uint8Array, share: number, from: number): number {
		this.#ask(query, tables);
		const counts = new Int32Array(sumsMax);
		let [all, greatest] = [0, 0];
		for (let unit = Math.floor(from / unitRows); unit * unitRows < this.#length; unit++) {
			const found = this.#scan(unit, sampled, 0);
			for (let i = 0; i < found; i++) {
				const at = (this.#outAt + i * entryBytes) >> 2;
				const position = unit * unitRows + (this.#ints[at] ?? 0);
				if (position < from || position >= this.#length) continue;
				const sum = this.#ints[at + 1] ?? 0;
				counts[sum] = (counts[sum] ?? 0) + 1;
				if (sum > greatest) greatest = sum;
				all += 1;
			}
		}
		let [least, above] = [greatest, counts[greatest] ?? 0];
		while (above < all * share && least > 0) above += counts[--least] ?? 0;
		return least;
	}

	async #through(query: Int8Array, tables: Uint8Array, least: number, from: number): Promise<Through> {
		const breather = createBreather();
		const through = newThrough(throughMin * 2);
		this.#ask(query, tables);
		for (let unit = Math.floor(from / unitRows); unit * unitRows < this.#length; unit++) {
			this.#compare(unit, this.#scan(unit, 1, least), from, through);
			const pause = breather.breathe();
			if (pause === null) continue;
			await pause;
			this.#ask(query, tables);
		}
		return through;
	}

	/** @returns how many of a unit come to the sum; the last of all may be past the end. */
	#scan(unit: number, step: number, least: number): number {
		const blocks = Math.min(unitBlocks, Math.ceil((this.#length - unit * unitRows) / blockVectors));
		return this.#kernel.scan(this.#codesAt(unit), this.#groups, 0, blocks, step, least, this.#outAt) / entryBytes;
	}

	#compare(unit: number, found: number, from: number, through: Through): void {
		const rowsAt = this.#rowAt(unit * unitRows);
		this.#kernel.compare(this.#queryAt, rowsAt, this.#rowBytes, this.#outAt, found);
		makeRoom(through, found);
		const { positions, sums, scores } = through;
		const [ints, scales, queryScale, length] = [this.#ints, this.#scales, this.#queryScale, this.#length];
		let [size, at] = [through.size, this.#outAt >> 2];
		for (let i = 0; i < found; i++, at += entryBytes >> 2) {
			const position = unit * unitRows + (ints[at] ?? 0);
			if (position < from || position >= length) continue;
			positions[size] = position;
			sums[size] = ints[at + 1] ?? 0;
			scores[size++] = (ints[at + 2] ?? 0) * (scales[position] ?? 0) * queryScale;
		}
		through.size = size;
	}

	#codesAt(unit: number): number {
		return this.#unitsAt + unit * this.#unitBytes;
	}

	#rowAt(position: number): number {
		const inUnit = position % unitRows;
		return this.#codesAt(Math.floor(position / unitRows)) + unitRows * this.#groups * 2 + inUnit * this.#rowBytes;
	}

	#grow(): void {
		const { memory } = this.#kernel;
		const needed = this.#unitsAt + Math.ceil(this.#length / unitRows) * this.#unitBytes;
		const missing = Math.ceil((needed - memory.buffer.byteLength) / pageBytes);
		if (missing > 0) memory.grow(missing);
		this.#bytes = new Int8Array(memory.buffer);
		this.#ints = new Int32Array(memory.buffer);
		if (this.#length <= this.#scales.length) return;
		const scales = new Float32Array(this.#scales.length * 2);
		scales.set(this.#scales);
		this.#scales = scales;
	}
}

function newThrough(size: number): Through {
	return { size: 0, positions: new Int32Array(size), sums: new Int32Array(size), scores: new Float64Array(size) };
}

function makeRoom(through: Through, more: number): void {
	if (through.size + more <= through.positions.length) return;
	const length = (through.size + more) * 2;
	through.positions = grown(through.positions, new Int32Array(length));
	through.sums = grown(through.sums, new Int32Array(length));
	through.scores = grown(through.scores, new Float64Array(length));
}

function grown<Numbers extends Int32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
	to.set(from);
	return to;
}

/** Equal scores keep their order. */
function ranking({ size, positions, scores }: Through, count: number): Ranking & { readonly entries: readonly number[] } {
	const best = new TopScores(Math.min(count, size));
	let least = 0;
	for (let i = 0; i < size && count > 0; i++) {
		// The heap begins at nought: all are lifted.
		const score = 1 + (scores[i] ?? 0);
		if (score >= least) least = best.offer(score, i);
	}
	const sorted = best.sorted();
	return {
		entries: sorted.map(({ slot }) => slot),
		positions: Int32Array.from(sorted, ({ slot }) => positions[slot] ?? -1),
		scores: Float32Array.from(sorted, ({ score }) => score - 1),
	};
}

/** Whether the best stand clear of those that were just let through. */
function isClear({ size, sums }: Through, best: readonly number[]): boolean {
	let least = sumsMax;
	for (const entry of best.slice(0, watched)) least = Math.min(least, sums[entry] ?? 0);
	let below = 0;
	for (let i = 0; i < size; i++) if ((sums[i] ?? 0) < least) below += 1;
	return below >= size * closeShare;
}

function lengthOf(query: Int8Array): number {
	let squares = 0;
	for (let i = 0; i < query.length; i++) squares += (query[i] ?? 0) * (query[i] ?? 0);
	return Math.sqrt(squares);
}

function aligned(at: number): number {
	return Math.ceil(at / 64) * 64;
}
