/**
 * Remembers which positions a scope holds. Of a container's memories the list is kept over writes: what was added since, and what
 * has come back, is looked at, and what has gone may stay, since a search asks the tables about every candidate. Other lists hold
 * as long as nothing in the database has changed.
 */

import type { MemoryFilter } from "cairn-memory/stores";
import type { ScopedRows } from "../../sql/scopes/scope-sql.ts";
import type { VectorMatrix } from "./matrix/vector-matrix.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { memoriesReturned, newestReturn, visibleKeys, visibleKeysOf } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";
import { createYielder } from "./yielder.ts";

/** Four bytes each. Past this the list that was not asked for longest is forgotten. */
const positionsMax = 2_000_000;
/** An empty list costs something too. */
const entriesMax = 2000;
/** So many rows are looked at in a few milliseconds. Where the list is shorter than what was added it is read anew, in steps. */
const followedMax = 1_000;
/** A list that has grown by this share holds much that has gone. A short one may double a few times first. */
const growthMax = 0.5;
const growthMin = 1_000;

export interface SearchScope {
	readonly rows: ScopedRows;
	readonly isRestricted: boolean;
	/** Two reaches with one name see the same, but for what expires in the meantime. */
	readonly name: string;
	/** Milliseconds. What a list of an earlier time lacks, a later one lacks as well, since time only hides memories. */
	readonly now: number;
	/** Nothing but the memories of some containers: what is added to them stays in them, unless a return is written down. */
	readonly isFollowed: boolean;
}

/** Whether it asks for the current memories of some containers, and nothing of the documents they come from. */
export function isFollowed({ scope, includeForgotten, moment }: MemoryFilter): boolean {
	const { containerTags, document, filepath, filter } = scope;
	return containerTags.length > 0 && document === null && filepath === null && filter === null && !includeForgotten && moment === undefined;
}

interface Entry {
	readonly now: number;
	/** Ascending. */
	readonly positions: Int32Array;
	/** The state of the database that it shows. */
	readonly epoch: number;
	/** So much of the matrix was looked at. */
	readonly length: number;
	/** The newest return that is heeded. */
	readonly returns: number;
	/** How many there were when it was read. */
	readonly read: number;
}

export class ScopeLists {
	readonly #address: PartitionAddress;
	readonly #matrix: VectorMatrix;
	readonly #context: VectorsContext;
	/** The newest state of the database that was asked about. */
	#epoch = -1;
	/** In the order in which they were last asked for. */
	readonly #entries = new Map<string, Entry>();
	#positions = 0;
	/** Scopes that were found too large, with the number of rows at that time. */
	readonly #tooLarge = new Map<string, number>();

	constructor(address: PartitionAddress, matrix: VectorMatrix, context: VectorsContext) {
		this.#address = address;
		this.#matrix = matrix;
		this.#context = context;
	}

	get byteLength(): number {
		return this.#positions * Int32Array.BYTES_PER_ELEMENT;
	}

	/** @param epoch which state of the database the list must show. */
	async known(searchScope: SearchScope, epoch: number): Promise<Int32Array | null> {
		this.#epoch = Math.max(epoch, this.#epoch);
		const entry = this.#entries.get(searchScope.name);
		if (entry === undefined || entry.now > searchScope.now) return null;
		const current = entry.epoch === this.#epoch ? entry : await this.#followed(entry, searchScope);
		this.#forget(searchScope.name);
		if (current !== null) this.#remember(searchScope.name, current);
		return current?.positions ?? null;
	}

	/**
	 * Reads the list. What it finds is at least as new as the epoch, which the caller took before.
	 * @returns null when the scope holds more than `countMax`; that is believed until the matrix has changed by a fifth,
	 * or a large scope would be counted again after every write.
	 */
	async read(searchScope: SearchScope, epoch: number, countMax: number): Promise<Int32Array | null> {
		const { length } = this.#matrix;
		const returns = searchScope.isFollowed ? newestReturn(this.#context.db()) : 0;
		const lengthThen = this.#tooLarge.get(searchScope.name);
		if (countMax < length && lengthThen !== undefined && length - lengthThen < lengthThen / 5) return null;
		const keys = await this.#context.lister.list(this.#address, searchScope.rows, countMax);
		if (keys === null) {
			if (this.#tooLarge.size >= entriesMax) this.#tooLarge.clear();
			this.#tooLarge.set(searchScope.name, length);
			return null;
		}
		const positions = Int32Array.from(keys, (key) => this.#matrix.position(key)).filter((position) => position >= 0);
		positions.sort();
		this.#remember(searchScope.name, { now: searchScope.now, positions, epoch, length, returns, read: positions.length });
		return positions;
	}

	/** What was added since and what has come back, as far as the scope holds it. @returns null when it is better read anew. */
	async #followed(entry: Entry, { rows, now, isFollowed }: SearchScope): Promise<Entry | null> {
		const { length } = this.#matrix;
		if (!isFollowed || length - entry.length > Math.max(followedMax, entry.positions.length)) return null;
		const epoch = this.#epoch;
		const db = this.#context.db();
		const returns = newestReturn(db);
		const returned = memoriesReturned(db, this.#address.organisation, entry.returns, returns, followedMax);
		if (returned === null) return null;
		const keys = [...visibleKeysOf(db, this.#address, returned, rows), ...(await this.#visibleAmong(entry.length, length, rows))];
		const positions = this.#with(entry.positions, keys);
		if (positions.length - entry.read > Math.max(growthMin, growthMax * entry.read)) return null;
		return { ...entry, now, positions, epoch, length, returns };
	}

	/** Of the rows of the matrix from one to another. */
	async #visibleAmong(from: number, to: number, rows: ScopedRows): Promise<readonly number[]> {
		const yielder = createYielder();
		const keys: number[] = [];
		for (let start = from; start < to; start += followedMax) {
			const page = Array.from({ length: Math.min(followedMax, to - start) }, (_, i) => this.#matrix.key(start + i));
			keys.push(...visibleKeys(this.#context.db(), this.#address, page, rows));
			const pause = yielder.yieldIfDue();
			if (pause) await pause;
		}
		return keys;
	}

	/** What was added comes after all there is: then nothing has to be put in order. */
	#with(positions: Int32Array, keys: readonly number[]): Int32Array {
		const last = positions.at(-1) ?? -1;
		const found = new Set(
			keys.map((key) => this.#matrix.position(key)).filter((position) => position > last || (position >= 0 && !positions.includes(position))),
		);
		if (found.size === 0) return positions;
		const all = new Int32Array(positions.length + found.size);
		all.set(positions);
		all.set(
			[...found].sort((a, b) => a - b),
			positions.length,
		);
		return Math.min(...found) > last ? all : all.sort();
	}

	#remember(name: string, entry: Entry): void {
		this.#forget(name);
		this.#entries.set(name, entry);
		this.#positions += entry.positions.length;
		for (const oldest of this.#entries.keys()) {
			if (this.#positions <= positionsMax && this.#entries.size <= entriesMax) return;
			this.#forget(oldest);
		}
	}

	#forget(name: string): void {
		this.#positions -= this.#entries.get(name)?.positions.length ?? 0;
		this.#entries.delete(name);
	}
}
