/**
 * A cache of the positions in a scope. Lists of chunks are updated after writes: the documents are looked at again whose scopes may have
 * changed. To the list of a container's memories new and restored memories are added, while removed ones may stay, because a search checks
 * every candidate in the tables; when they may be many, the list is read again. Other lists of memories are valid until the database changes.
 */

import type { MemoryFilter } from "cairn-memory/stores";
import { yieldIfDue } from "cairn-memory/words";
import type { ScopedRows } from "../../sql/scopes/scope-sql.ts";
import { documentsChanged, newestScopeChange } from "../words/scope-tables.ts";
import type { VectorMatrix } from "./matrix/vector-matrix.ts";
import type { MemoryRows } from "./memory-rows.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { documentsOf, keysOfDocuments, memoriesReturned, newestReturn, visibleKeysOf, visibleKeysOfDocuments } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";

/** Positions of all lists together, four bytes each. Beyond this the least recently used list is dropped. */
const positionsMax = 2_000_000;
/** A container with more is not listed: a few such lists would drop each other and all others. */
export const listedMax = positionsMax / 4;
/** The number of lists is limited too, because even an empty one takes memory. */
const entriesMax = 2000;
/** This many new rows are read in 40 ms, with pauses. If there are more, and more than the list has, the list is read again. */
const newRowsMax = 10_000;
/** If more memories than this have changed, the list is read again. */
const returnedMax = 1_000;
/** A list is read again when by growth and removals this share of it, and this number, may be of removed rows. */
const turnoverMax = 0.5;
const turnoverMin = 1_000;
/** Keys whose positions are looked up between two looks at the clock, which takes less than a millisecond. */
const keysPerLook = 1_024;
/** Up to this many positions are sorted in one go, which takes 5 ms; of more the matrix is marked. */
const sortedMax = 50_000;
/** Looking at a document again costs as much as listing a chunk, some 4 µs. For no more documents than these, listing never pays. */
const documentsMin = 16;
/** Documents, and chunks of theirs, that are looked at again in one go, which takes about 10 ms. With more the list is read again, with pauses. */
const lookedAtMax = 1_000;

export interface SearchScope {
	readonly rows: ScopedRows;
	/** Whether the scope excludes any text of the organisation. */
	readonly isRestricted: boolean;
	/** Two scopes with the same name have the same rows, but for memories that expire in the meantime. */
	readonly name: string;
	/** The time of the search in milliseconds. A list can be used later than it was made, because time only hides memories. */
	readonly now: number;
	/** The containers, if it is nothing but a list of their current memories, which can be updated; else null. */
	readonly containers: ReadonlySet<string> | null;
}

/** The containers of a filter that has no condition on documents or on the time; null for any other filter. */
export function containersOnly({ scope, includeForgotten, moment }: MemoryFilter): ReadonlySet<string> | null {
	const { containerTags, document, filepath, filter } = scope;
	const isOther = document !== null || filepath !== null || filter !== null || includeForgotten || moment !== undefined;
	return isOther || containerTags.length === 0 ? null : new Set(containerTags);
}

interface Entry {
	readonly now: number;
	/** In ascending order. */
	readonly positions: Int32Array;
	/** The state of the database that the list is of. */
	readonly epoch: number;
	/** How many rows of the matrix were checked. */
	readonly length: number;
	/** The sequence number of the newest change that was considered: of a document's scope for chunks, of a restored memory for memories. */
	readonly lastChange: number;
	/** How many positions it had when it was read. */
	readonly positionsAtRead: number;
	/** How many positions at most are of memories that were removed since: as many as were removed in the organisation. */
	readonly removed: number;
}

export class ScopeLists {
	readonly #address: PartitionAddress;
	readonly #matrix: VectorMatrix;
	readonly #rows: MemoryRows;
	readonly #context: VectorsContext;
	/** The newest state of the database that was asked for. */
	#epoch = -1;
	/** The lists, the least recently used first. */
	readonly #entries = new Map<string, Entry>();
	#positionCount = 0;
	/** Scopes that have more rows than this, with the number of rows of the matrix at that time. */
	readonly #tooLarge = new Map<string, { readonly countMax: number; readonly length: number }>();

	constructor(address: PartitionAddress, matrix: VectorMatrix, rows: MemoryRows, context: VectorsContext) {
		this.#address = address;
		this.#matrix = matrix;
		this.#rows = rows;
		this.#context = context;
	}

	get byteLength(): number {
		return this.#positionCount * Int32Array.BYTES_PER_ELEMENT;
	}

	/** The cached list, updated if necessary; null if there is none. @param epoch the state of the database that the list must be of. */
	async cached(searchScope: SearchScope, epoch: number): Promise<Int32Array | null> {
		this.#epoch = Math.max(epoch, this.#epoch);
		const entry = this.#entries.get(searchScope.name);
		if (entry === undefined || entry.now > searchScope.now) return null;
		const current = entry.epoch === this.#epoch ? entry : await this.#update(entry, searchScope);
		this.#drop(searchScope.name);
		if (current !== null) this.#store(searchScope.name, current);
		return current?.positions ?? null;
	}

	/**
	 * Reads the list from the tables. It is at least as new as the epoch, which the caller must have taken before.
	 * @returns null if the scope has more than `countMax` rows. This result is reused until the matrix has grown by a fifth, because a
	 * large scope would otherwise be counted again after every write.
	 */
	async read(searchScope: SearchScope, epoch: number, countMax: number): Promise<Int32Array | null> {
		const { length } = this.#matrix;
		const lastChange = this.#newestChange(searchScope);
		const known = this.#tooLarge.get(searchScope.name);
		if (known !== undefined && countMax <= known.countMax && length - known.length < known.length / 5) return null;
		const keys = await this.#context.lister.list(this.#address, searchScope.rows, countMax);
		if (keys === null) {
			if (this.#tooLarge.size >= entriesMax) this.#tooLarge.clear();
			this.#tooLarge.set(searchScope.name, { countMax, length });
			return null;
		}
		const positions = await this.#sortedPositions(keys);
		this.#store(searchScope.name, { now: searchScope.now, positions, epoch, length, lastChange, positionsAtRead: positions.length, removed: 0 });
		return positions;
	}

	/** As `#positions`, in ascending order. Half a million take 100 ms, so other work goes on between slices. */
	async #sortedPositions(keys: readonly number[]): Promise<Int32Array> {
		const found = new Int32Array(keys.length);
		let count = 0;
		for (let i = 0; i < keys.length; i++) {
			const position = this.#matrix.position(keys[i] ?? 0);
			if (position >= 0) found[count++] = position;
			const pause = i % keysPerLook === 0 ? yieldIfDue() : null;
			if (pause !== null) await pause;
		}
		const positions = found.slice(0, count);
		return count <= sortedMax ? positions.sort() : sortByMarks(positions, this.#matrix.length);
	}

	/** Zero for a list that cannot be updated. */
	#newestChange({ containers }: SearchScope): number {
		if (this.#address.kind === "chunk") return newestScopeChange(this.#context.db());
		return containers !== null ? newestReturn(this.#context.db()) : 0;
	}

	/** @returns null if it has to be read again. */
	async #update(entry: Entry, searchScope: SearchScope): Promise<Entry | null> {
		return this.#address.kind === "chunk" ? this.#updateChunks(entry, searchScope) : this.#updateMemories(entry, searchScope);
	}

	/** Looks again at the documents whose scopes may have changed, and at those with vectors that are new in the matrix. */
	#updateChunks(entry: Entry, { rows }: SearchScope): Entry | null {
		const epoch = this.#epoch;
		const { length } = this.#matrix;
		const db = this.#context.db();
		return db.snapshot(() => {
			const lastChange = newestScopeChange(db);
			if (lastChange === entry.lastChange && length === entry.length) return { ...entry, epoch };
			const documentsMax = Math.min(lookedAtMax, Math.max(documentsMin, entry.positions.length));
			const changed = documentsChanged(db, this.#address.organisation, entry.lastChange, lastChange, documentsMax);
			if (changed === null || length - entry.length > lookedAtMax) return null;
			// A text may be published before it has a vector of this space.
			const added = documentsOf(db, this.#address, this.#keys(entry.length, length));
			const documents = [...new Set([...changed, ...added])];
			if (documents.length === 0) return { ...entry, epoch, lastChange, length };
			const keys = keysOfDocuments(db, this.#address, documents, lookedAtMax);
			if (keys === null) return null;
			const kept = withoutPositions(entry.positions, this.#positions(keys));
			const positions = addPositions(kept, this.#positions(visibleKeysOfDocuments(db, this.#address, documents, rows)));
			if (hasTurnedOver(entry, positions, 0)) return null;
			return { ...entry, epoch, positions, lastChange, length };
		});
	}

	#keys(from: number, to: number): readonly number[] {
		return Array.from({ length: Math.max(0, to - from) }, (_, i) => this.#matrix.key(from + i));
	}

	/** Adds new and restored memories to a list. */
	async #updateMemories(entry: Entry, { rows, now, containers }: SearchScope): Promise<Entry | null> {
		const { length } = this.#matrix;
		if (containers === null || length - entry.length > Math.max(newRowsMax, entry.positions.length)) return null;
		const epoch = this.#epoch;
		const db = this.#context.db();
		const returns = newestReturn(db);
		const returned = memoriesReturned(db, this.#address.organisation, entry.lastChange, returns, returnedMax);
		if (returned === null) return null;
		const keys = visibleKeysOf(db, this.#address, returned, rows);
		const found = keys.map((key) => this.#matrix.position(key)).concat(await this.#visibleInRange(entry.length, length, containers, now));
		const positions = addPositions(entry.positions, found);
		const removed = entry.removed + returned.length - keys.length;
		if (hasTurnedOver(entry, positions, removed)) return null;
		return { ...entry, now, positions, epoch, length, lastChange: returns, removed };
	}

	/** The positions of visible rows in a range of the matrix. Other containers' lists have mostly asked for the same rows before. */
	async #visibleInRange(from: number, to: number, containers: ReadonlySet<string>, now: number): Promise<readonly number[]> {
		const positions = Array.from({ length: to - from }, (_, i) => from + i);
		return (await this.#rows.visible(positions, { containers, now, withVectors: false })).map(({ at }) => at);
	}

	/** Of those that are in the matrix. */
	#positions(keys: readonly number[]): readonly number[] {
		return keys.map((key) => this.#matrix.position(key)).filter((position) => position >= 0);
	}

	#store(name: string, entry: Entry): void {
		this.#drop(name);
		this.#entries.set(name, entry);
		this.#positionCount += entry.positions.length;
		for (const oldest of this.#entries.keys()) {
			if (this.#positionCount <= positionsMax && this.#entries.size <= entriesMax) return;
			this.#drop(oldest);
		}
	}

	#drop(name: string): void {
		this.#positionCount -= this.#entries.get(name)?.positions.length ?? 0;
		this.#entries.delete(name);
	}
}

function withoutPositions(positions: Int32Array, removed: readonly number[]): Int32Array {
	const last = positions.at(-1) ?? -1;
	const found = new Set(removed.filter((position) => position >= 0 && position <= last));
	return found.size === 0 ? positions : positions.filter((position) => !found.has(position));
}

function hasTurnedOver({ positionsAtRead }: Entry, { length }: Int32Array, removed: number): boolean {
	return length - positionsAtRead + removed > Math.max(turnoverMin, turnoverMax * positionsAtRead);
}

/** Sorts in place. It takes as long as reading a byte for each row of the matrix. */
function sortByMarks(positions: Int32Array, length: number): Int32Array {
	const isIn = new Uint8Array(length);
	for (let i = 0; i < positions.length; i++) isIn[positions[i] ?? 0] = 1;
	let count = 0;
	for (let position = 0; position < length; position++) if (isIn[position] === 1) positions[count++] = position;
	return positions.subarray(0, count);
}

/** Adds positions. They are usually at the end, so that nothing has to be sorted. */
export function addPositions(positions: Int32Array, added: readonly number[]): Int32Array {
	const last = positions.at(-1) ?? -1;
	const found = new Set(added.filter((position) => position > last || (position >= 0 && !has(positions, position))));
	if (found.size === 0) return positions;
	const sorted = Int32Array.from(found).sort();
	return merged(positions, sorted);
}

/** Both in ascending order. The positions between two added ones are copied in one go, and so are the added ones behind all positions. */
function merged(positions: Int32Array, added: Int32Array): Int32Array {
	const all = new Int32Array(positions.length + added.length);
	let from = 0;
	for (let i = 0; i < added.length; i++) {
		if (from === positions.length) {
			all.set(added.subarray(i), from + i);
			return all;
		}
		const to = lowerBound(positions, added[i] ?? 0, from);
		all.set(positions.subarray(from, to), from + i);
		all[to + i] = added[i] ?? 0;
		from = to;
	}
	all.set(positions.subarray(from), from + added.length);
	return all;
}

/** @param positions in ascending order */
function has(positions: Int32Array, position: number): boolean {
	return positions[lowerBound(positions, position)] === position;
}

/** The index of the first position that is not less, from an index on. */
function lowerBound(positions: Int32Array, position: number, from = 0): number {
	let [low, high] = [from, positions.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((positions[middle] ?? 0) < position) low = middle + 1;
		else high = middle;
	}
	return low;
}
