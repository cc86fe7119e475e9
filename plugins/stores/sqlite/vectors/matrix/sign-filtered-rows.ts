/**
 * Rows of 8-bit numbers that are scanned by their signs: a hundred thousand in a fraction of a millisecond, while comparing all of them
 * takes five. Enough rows pass the filter that the best by full comparison are nearly always among them (with 256 dimensions 1 in
 * 1,000 is missed). If the best only just passed, the filter is widened.
 */

import { yieldIfDue } from "cairn-memory/words";
import {
	blockVectors,
	comparedAtOnce,
	eightOffsets,
	entryBytes,
	groupDimensions,
	newScanKernel,
	queriesAtOnce,
	type ScanKernel,
	tablesAt,
} from "./scan-module.ts";
import { type FilteredRows, hasMargin, newFilteredRows, type Ranking, ranking, reserveRows, sumsMax } from "./sign-filter.ts";
import { eightTablesBytes, signTables, writeSignedTables } from "./sign-tables.ts";

/** Rows per unit. A unit has the signs of its rows and then the rows, and the memory grows by units. */
const unitRows = 4096;
const unitBlocks = unitRows / blockVectors;
const pageBytes = 65_536;
/** Bytes per WebAssembly memory. The limit is four times as much, and a partition may need several memories. */
const partBytesMax = 2 ** 30;
const outBytes = unitRows * entryBytes;
const entryInts = entryBytes / Int32Array.BYTES_PER_ELEMENT;

/** From this number on queries are scanned for eight at a time: for fewer it takes as long as one after another. */
const togetherMin = 3;
/** How many rows pass the filter: at least this many, or this many times as many as are wanted. Then hardly one of the best ten is missed. */
const filteredMin = 1_024;
const filteredPerWanted = 6;
/** Larger ones are not kept. */
const spareRowsMax = 16 * filteredMin;
/** Every 32nd block is sampled to find the distribution of sums. */
const sampleStep = 32;
/** How many times more rows pass if the best only just passed. */
const widening = 4;
/** This many rows are scanned in the time of one full comparison: for one query (20 with 256 dimensions, 7 with 1,536), and for each of many (38, 14). */
const scanGain = { one: 10, ofMany: 20 } as const;

/** A WebAssembly memory, with views of all of it. */
interface Part {
	readonly kernel: ScanKernel;
	bytes: Int8Array;
	ints: Int32Array;
}

/** Which rows are searched: those from a position on, or those marked with 1 in `members`; `size` is their number. */
interface Among {
	readonly from: number;
	readonly members: Uint8Array | null;
	readonly size: number;
}

/** Where a query is in the memories, and where its entries go. */
interface Slot {
	readonly queryAt: number;
	readonly outAt: number;
	/** 1 / the length of the query. */
	readonly scale: number;
}

/**
 * How many of the sampled rows have each sum. It is shared by all searches of the thread, because a new one per search kept the garbage
 * collector busy.
 */
const counts = new Int32Array(sumsMax);

export class SignFilteredRows {
	readonly dimensions: number;
	readonly #groups: number;
	readonly #rowBytes: number;
	readonly #unitBytes: number;
	readonly #queryAt: number;
	readonly #outAt: number;
	readonly #eightAt: number;
	readonly #eightQueriesAt: number;
	readonly #eightOutAt: number;
	readonly #unitsAt: number;
	readonly #unitsPerPart: number;
	readonly #parts: Part[] = [];
	/** Rows of searches that have ended, for the next ones: new ones are 32 kB, which has to be cleared. */
	readonly #spares: FilteredRows[] = [];
	/** By position, 1 / the length of the row. */
	#scales = new Float32Array(unitRows);
	#length = 0;
	#marked: { readonly positions: Int32Array; readonly members: Uint8Array } | null = null;

	constructor(dimensions: number, partBytes = partBytesMax) {
		this.dimensions = dimensions;
		this.#groups = Math.ceil(dimensions / groupDimensions);
		this.#rowBytes = this.#groups * groupDimensions;
		this.#unitBytes = unitRows * (this.#rowBytes + this.#groups * 2);
		this.#queryAt = tablesAt + this.#groups * 64;
		this.#outAt = this.#queryAt + this.#rowBytes;
		this.#eightAt = align(this.#outAt + outBytes);
		this.#eightQueriesAt = this.#eightAt + eightOffsets.tables + this.#groups * eightTablesBytes;
		this.#eightOutAt = align(this.#eightQueriesAt + queriesAtOnce * this.#rowBytes);
		this.#unitsAt = align(this.#eightOutAt + queriesAtOnce * outBytes);
		this.#unitsPerPart = Math.max(1, Math.floor(partBytes / this.#unitBytes));
	}

	get length(): number {
		return this.#length;
	}

	get byteLength(): number {
		return this.#parts.reduce((sum, { bytes }) => sum + bytes.length, this.#scales.byteLength);
	}

	append(row: Int8Array): void {
		const position = this.#length++;
		const [unit, inUnit] = [Math.floor(position / unitRows), position % unitRows];
		if (inUnit === 0) this.#grow(unit);
		const { bytes, kernel } = this.#partOf(unit);
		const at = this.startOf(position);
		bytes.set(row, at);
		const block = Math.floor(inUnit / blockVectors) * this.#groups * 2 * blockVectors;
		const squares = kernel.enter(at, this.#groups, this.#codesAt(unit) + block + (inUnit % blockVectors));
		this.#scales[position] = 1 / Math.sqrt(squares);
	}

	/** Removes all rows. The memory is kept for new ones, because allocating it takes longer than filling it. */
	clear(): void {
		this.#length = 0;
		this.#marked = null;
	}

	row(position: number): Int8Array {
		const at = this.startOf(position);
		return this.bytesOf(position).subarray(at, at + this.dimensions);
	}

	/** An array with a row, which begins at `startOf`. It is valid until the next row is added. */
	bytesOf(position: number): Int8Array {
		return this.#partOf(Math.floor(position / unitRows)).bytes;
	}

	/** 1 / the length of a row. */
	scale(position: number): number {
		return this.#scales[position] ?? 0;
	}

	/** The `count` rows nearest to the query, among those from a position on. */
	async top(query: Int8Array, count: number, from = 0): Promise<Ranking> {
		return this.#search(query, count, { from, members: null, size: this.#length - from });
	}

	/** As `top`, for many queries. */
	topOfAll(queries: readonly Int8Array[], count: number): Promise<readonly Ranking[]> {
		return this.#searchEach(queries, count, { from: 0, members: null, size: this.#length });
	}

	/** As `topOfAll`, but no row is left out for its signs. */
	async topComparedOfAll(queries: readonly Int8Array[], count: number): Promise<readonly Ranking[]> {
		const rankings: Ranking[] = [];
		for (const query of queries) rankings.push(await this.#search(query, count, { from: 0, members: null, size: this.#length }, this.#length));
		return rankings;
	}

	/** The `count` rows nearest to the query, among these positions, which must be in ascending order. */
	async topOf(query: Int8Array, positions: Int32Array, count: number): Promise<Ranking> {
		if (areFew(positions.length, this.#length, scanGain.one)) return this.#compareAll(query, positions, count);
		return this.#search(query, count, { from: 0, members: this.#membersOf(positions), size: positions.length });
	}

	/** As `topOf`, for many queries. */
	async topOfEach(queries: readonly Int8Array[], positions: Int32Array, count: number): Promise<readonly Ranking[]> {
		if (!areFew(positions.length, this.#length, gainOf(queries.length)))
			return this.#searchEach(queries, count, { from: 0, members: this.#membersOf(positions), size: positions.length });
		const rankings: Ranking[] = [];
		for (const query of queries) rankings.push(await this.#compareAll(query, positions, count));
		return rankings;
	}

	/** Marks the positions with 1. They are the same for all queries in one scope. */
	#membersOf(positions: Int32Array): Uint8Array {
		if (this.#marked?.positions === positions) return this.#marked.members;
		const members = new Uint8Array(this.#length);
		for (let i = 0; i < positions.length; i++) members[positions[i] ?? 0] = 1;
		this.#marked = { positions, members };
		return members;
	}

	async #search(query: Int8Array, count: number, among: Among, leastFiltered = filteredMin): Promise<Ranking> {
		const tables = signTables(query, this.#groups);
		const possible = Math.min(count, among.size);
		for (let wanted = Math.max(leastFiltered, count * filteredPerWanted); ; wanted *= widening) {
			const least = wanted < among.size ? this.#leastSum(query, tables, wanted / among.size, among) : 0;
			const filtered = await this.#filter(query, tables, least, among);
			const ranked = ranking(filtered, possible);
			this.#spare(filtered);
			if (least === 0 || isRight(filtered, ranked.entries, possible, among)) return ranked;
			// Where many rows are alike, more may have passed already than would be wanted next.
			wanted = Math.max(wanted, filtered.size);
		}
	}

	/** Scans for eight queries at a time. Those of which the best only just passed are searched for again, each alone. */
	async #searchEach(queries: readonly Int8Array[], count: number, among: Among): Promise<readonly Ranking[]> {
		const wanted = Math.max(filteredMin, count * filteredPerWanted);
		const possible = Math.min(count, among.size);
		const rankings: Ranking[] = [];
		for (let start = 0; start < queries.length; start += queriesAtOnce) {
			const some = queries.slice(start, start + queriesAtOnce);
			const isTogether = some.length >= togetherMin && wanted < among.size;
			const filtered = isTogether ? await this.#filterEach(some, wanted / among.size, among) : [];
			const ranked = filtered.map((rows) => {
				const best = ranking(rows, possible);
				return isRight(rows, best.entries, possible, among) ? best : null;
			});
			for (const rows of filtered) this.#spare(rows);
			for (const [i, query] of some.entries())
				rankings.push(ranked[i] ?? (await this.#search(query, count, among, isTogether ? wanted * widening : filteredMin)));
		}
		return rankings;
	}

	/** The rows that about this share of all passes for, of up to eight queries. */
	async #filterEach(queries: readonly Int8Array[], share: number, among: Among): Promise<readonly FilteredRows[]> {
		const head = new Int8Array(eightOffsets.tables + this.#groups * eightTablesBytes);
		// Places without a query let nothing through.
		head.fill(127, eightOffsets.leasts, eightOffsets.tables);
		const tables = head.subarray(eightOffsets.tables);
		const slots = queries.map((query, place): Slot => {
			const least = this.#leastSum(query, signTables(query, this.#groups), share, among);
			head[eightOffsets.leasts + place] = writeSignedTables(query, this.#groups, least, tables, place);
			return { queryAt: this.#eightQueriesAt + place * this.#rowBytes, outAt: this.#eightOutAt + place * outBytes, scale: 1 / lengthOf(query) };
		});
		const write = () => {
			for (const { bytes } of this.#parts) {
				bytes.set(head, this.#eightAt);
				for (const [i, query] of queries.entries()) bytes.set(query, slots[i]?.queryAt);
			}
		};
		const filtered = queries.map(() => this.#newRows());
		write();
		for (let unit = 0; unit * unitRows < this.#length; unit++) {
			this.#scanEight(unit);
			const { ints } = this.#partOf(unit);
			for (const [i, slot] of slots.entries()) {
				const found = ((ints[((this.#eightAt + eightOffsets.nexts) >> 2) + i] ?? 0) - slot.outAt) / entryBytes;
				this.#compare(unit, this.#keep(unit, found, slot.outAt, among), filtered[i] ?? newFilteredRows(0), slot);
			}
			const pause = yieldIfDue();
			if (pause === null) continue;
			await pause;
			write();
		}
		return filtered;
	}

	/** Writes the entries of each query in the rows of a unit that reach its sum. */
	#scanEight(unit: number): void {
		const { ints, kernel } = this.#partOf(unit);
		const nexts = (this.#eightAt + eightOffsets.nexts) >> 2;
		for (let place = 0; place < queriesAtOnce; place++) ints[nexts + place] = this.#eightOutAt + place * outBytes;
		const blocks = Math.min(unitBlocks, Math.ceil((this.#length - unit * unitRows) / blockVectors));
		kernel.scanEight(this.#eightAt, this.#codesAt(unit), this.#groups, 0, blocks, 1);
	}

	/** Keeps rows for another search, unless they are many more than one mostly has. */
	#spare(rows: FilteredRows): void {
		if (this.#spares.length < queriesAtOnce && rows.positions.length <= spareRowsMax) this.#spares.push(rows);
	}

	#newRows(): FilteredRows {
		const filtered = this.#spares.pop() ?? newFilteredRows(filteredMin * 2);
		filtered.size = 0;
		return filtered;
	}

	async #compareAll(query: Int8Array, positions: Int32Array, count: number): Promise<Ranking> {
		const filtered = newFilteredRows(positions.length);
		const slot = this.#slotOf(query);
		this.#writeQuery(query, null);
		for (let i = 0; i < positions.length; ) {
			const unit = Math.floor((positions[i] ?? 0) / unitRows);
			const { ints } = this.#partOf(unit);
			let found = 0;
			for (; i < positions.length && Math.floor((positions[i] ?? 0) / unitRows) === unit; i++) {
				ints[(this.#outAt + found++ * entryBytes) >> 2] = (positions[i] ?? 0) % unitRows;
			}
			this.#compare(unit, found, filtered, slot);
			const pause = yieldIfDue();
			if (pause === null) continue;
			await pause;
			this.#writeQuery(query, null);
		}
		return ranking(filtered, count);
	}

	#slotOf(query: Int8Array): Slot {
		return { queryAt: this.#queryAt, outAt: this.#outAt, scale: 1 / lengthOf(query) };
	}

	/** Writes the query to the memories. This is repeated after each pause, because another search may have written its own. */
	#writeQuery(query: Int8Array, tables: Uint8Array | null): void {
		for (const { bytes } of this.#parts) {
			bytes.set(query, this.#queryAt);
			if (tables !== null) bytes.set(tables, tablesAt);
		}
	}

	/** The sum that about this share of the rows reaches. */
	#leastSum(query: Int8Array, tables: Uint8Array, share: number, among: Among): number {
		this.#writeQuery(query, tables);
		counts.fill(0);
		let [all, greatest] = [0, 0];
		for (let unit = Math.floor(among.from / unitRows); unit * unitRows < this.#length; unit++) {
			const found = this.#scan(unit, sampleStep, 0, among);
			const { ints } = this.#partOf(unit);
			for (let i = 0; i < found; i++) {
				const sum = ints[((this.#outAt + i * entryBytes) >> 2) + 1] ?? 0;
				counts[sum] = (counts[sum] ?? 0) + 1;
				if (sum > greatest) greatest = sum;
			}
			all += found;
		}
		let [least, above] = [greatest, counts[greatest] ?? 0];
		while (above < all * share && least > 0) above += counts[--least] ?? 0;
		return least;
	}

	async #filter(query: Int8Array, tables: Uint8Array, least: number, among: Among): Promise<FilteredRows> {
		const filtered = this.#newRows();
		const slot = this.#slotOf(query);
		this.#writeQuery(query, tables);
		for (let unit = Math.floor(among.from / unitRows); unit * unitRows < this.#length; unit++) {
			this.#compare(unit, this.#scan(unit, 1, least, among), filtered, slot);
			const pause = yieldIfDue();
			if (pause === null) continue;
			await pause;
			this.#writeQuery(query, tables);
		}
		return filtered;
	}

	/** Writes entries for the searched rows of a unit that reach the sum. @returns how many. */
	#scan(unit: number, step: number, least: number, among: Among): number {
		const blocks = Math.min(unitBlocks, Math.ceil((this.#length - unit * unitRows) / blockVectors));
		const { kernel } = this.#partOf(unit);
		const found = kernel.scan(this.#codesAt(unit), this.#groups, 0, blocks, step, least, this.#outAt) / entryBytes;
		return this.#keep(unit, found, this.#outAt, among);
	}

	/** Removes the entries of rows that are not searched: usually none, but at the end of all. @returns how many are left. */
	#keep(unit: number, found: number, outAt: number, { from, members }: Among): number {
		const first = unit * unitRows;
		const end = Math.min(this.#length, members?.length ?? this.#length) - first;
		if (members === null && from <= first && end >= unitRows) return found;
		const { ints } = this.#partOf(unit);
		let [kept, at] = [0, outAt >> 2];
		for (let i = 0; i < found; i++, at += entryInts) {
			const place = ints[at] ?? 0;
			if (place >= end || first + place < from || (members !== null && members[first + place] === 0)) continue;
			const to = (outAt >> 2) + kept++ * entryInts;
			ints[to] = place;
			ints[to + 1] = ints[at + 1] ?? 0;
		}
		return kept;
	}

	/** Compares the entries of a unit with the query, and adds them to the filtered rows. */
	#compare(unit: number, found: number, filtered: FilteredRows, slot: Slot): void {
		const first = unit * unitRows;
		const { ints, kernel } = this.#partOf(unit);
		const outAt = slot.outAt >> 2;
		const asked = Math.ceil(found / comparedAtOnce) * comparedAtOnce;
		for (let i = found; i < asked; i++) ints[outAt + i * entryInts] = ints[outAt] ?? 0;
		kernel.compare(slot.queryAt, this.startOf(first), this.#rowBytes, slot.outAt, asked);
		reserveRows(filtered, found);
		const { positions, sums, scores } = filtered;
		const [scales, queryScale] = [this.#scales, slot.scale];
		let [size, at] = [filtered.size, outAt];
		for (let i = 0; i < found; i++, at += entryInts, size++) {
			const position = first + (ints[at] ?? 0);
			positions[size] = position;
			sums[size] = ints[at + 1] ?? 0;
			scores[size] = (ints[at + 2] ?? 0) * (scales[position] ?? 0) * queryScale;
		}
		filtered.size = size;
	}

	#partOf(unit: number): Part {
		const part = this.#parts[Math.floor(unit / this.#unitsPerPart)];
		if (part === undefined) throw new RangeError(`no unit ${unit}`);
		return part;
	}

	/** The offset of a unit in the memory of its part. */
	#codesAt(unit: number): number {
		return this.#unitsAt + (unit % this.#unitsPerPart) * this.#unitBytes;
	}

	/** Where a row begins in `bytesOf`. */
	startOf(position: number): number {
		const inUnit = position % unitRows;
		return this.#codesAt(Math.floor(position / unitRows)) + unitRows * this.#groups * 2 + inUnit * this.#rowBytes;
	}

	#grow(unit: number): void {
		if (this.#parts.length * this.#unitsPerPart <= unit) this.#parts.push(newPart());
		const part = this.#partOf(unit);
		const { memory } = part.kernel;
		const missing = Math.ceil((this.#codesAt(unit) + this.#unitBytes - memory.buffer.byteLength) / pageBytes);
		if (missing > 0) memory.grow(missing);
		part.bytes = new Int8Array(memory.buffer);
		part.ints = new Int32Array(memory.buffer);
		if (this.#length <= this.#scales.length) return;
		const scales = new Float32Array(this.#scales.length * 2);
		scales.set(this.#scales);
		this.#scales = scales;
	}
}

/** Whether no row that was left out is likely to be among the best: there are enough, and all rows passed or the best passed by a margin. */
function isRight(rows: FilteredRows, best: readonly number[], possible: number, { size }: Among): boolean {
	return best.length === possible && (rows.size === size || hasMargin(rows, best));
}

function gainOf(queries: number): number {
	return queries < togetherMin ? scanGain.one : scanGain.ofMany;
}

/** Whether comparing these rows in full is as fast as scanning all of which they are a part. */
function areFew(count: number, all: number, gain: number): boolean {
	return count <= filteredMin * widening || count * gain < all;
}

/** What `topOfEach` takes for each query, in full comparisons. */
export function comparisonsForEach(queries: number, count: number, all: number): number {
	const gain = gainOf(queries);
	return areFew(count, all, gain) ? count : all / gain;
}

function newPart(): Part {
	return { kernel: newScanKernel(), bytes: new Int8Array(), ints: new Int32Array() };
}

export function lengthOf(row: Int8Array): number {
	let squares = 0;
	for (let i = 0; i < row.length; i++) squares += (row[i] ?? 0) * (row[i] ?? 0);
	return Math.sqrt(squares);
}

function align(at: number): number {
	return Math.ceil(at / 64) * 64;
}
