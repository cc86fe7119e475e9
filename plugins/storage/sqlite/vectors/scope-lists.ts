/** Remembers which positions a scope holds, for as long as nothing in the database has changed. */

import type { ScopedRows } from "../scope-sql.ts";
import type { KeyLister } from "./key-lister.ts";
import type { PartitionAddress } from "./partition-address.ts";
import type { VectorMatrix } from "./vector-matrix.ts";

/** Four bytes each. Past this the list that was not asked for longest is forgotten. */
const positionsMax = 2_000_000;
/** An empty list costs something too. */
const entriesMax = 2000;

export interface SearchScope {
	readonly rows: ScopedRows;
	readonly isRestricted: boolean;
	/** Two reaches with one name see the same, but for what expires in the meantime. */
	readonly name: string;
	/** Milliseconds. What a list of an earlier time lacks, a later one lacks as well, since time only hides memories. */
	readonly now: number;
}

interface Entry {
	readonly now: number;
	/** Ascending. */
	readonly positions: Int32Array;
}

export class ScopeLists {
	readonly #address: PartitionAddress;
	readonly #matrix: VectorMatrix;
	readonly #lister: KeyLister;
	/** The state of the database that all entries show. */
	#epoch = -1;
	/** In the order in which they were last asked for. */
	readonly #entries = new Map<string, Entry>();
	#positions = 0;
	/** Scopes that were found too large, with the number of rows at that time. */
	readonly #tooLarge = new Map<string, number>();

	constructor(address: PartitionAddress, matrix: VectorMatrix, lister: KeyLister) {
		this.#address = address;
		this.#matrix = matrix;
		this.#lister = lister;
	}

	get byteLength(): number {
		return this.#positions * Int32Array.BYTES_PER_ELEMENT;
	}

	/** @param epoch which state of the database the list must show. */
	known(searchScope: SearchScope, epoch: number): Int32Array | null {
		this.#advance(epoch);
		const entry = this.#entries.get(searchScope.name);
		if (entry === undefined || this.#epoch !== epoch || entry.now > searchScope.now) return null;
		this.#entries.delete(searchScope.name);
		this.#entries.set(searchScope.name, entry);
		return entry.positions;
	}

	/**
	 * Reads the list. What it finds is at least as new as the epoch, which the caller took before.
	 * @returns null when the scope holds more than `countMax`; that is believed until the matrix has changed by a fifth,
	 * or a large scope would be counted again after every write.
	 */
	async read(searchScope: SearchScope, epoch: number, countMax: number): Promise<Int32Array | null> {
		const length = this.#matrix.length;
		const lengthThen = this.#tooLarge.get(searchScope.name);
		if (countMax < length && lengthThen !== undefined && length - lengthThen < lengthThen / 5) return null;
		const keys = await this.#lister.list(this.#address, searchScope.rows, countMax);
		if (keys === null) {
			if (this.#tooLarge.size >= entriesMax) this.#tooLarge.clear();
			this.#tooLarge.set(searchScope.name, length);
			return null;
		}
		const positions = Int32Array.from(keys, (key) => this.#matrix.position(key)).filter((position) => position >= 0);
		positions.sort();
		this.#advance(epoch);
		if (this.#epoch === epoch) this.#remember(searchScope.name, { now: searchScope.now, positions });
		return positions;
	}

	/** After a write any list may be wrong. */
	#advance(epoch: number): void {
		if (epoch <= this.#epoch) return;
		this.#epoch = epoch;
		this.#entries.clear();
		this.#positions = 0;
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
