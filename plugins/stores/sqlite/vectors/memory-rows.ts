/**
 * What the tables say of the rows of memories: whose they are, and whether searches see them. It is kept over writes, because a log tells
 * which memories have changed since. While memories are extracted, each batch asks for the same thousands of rows.
 */

import type { Vector } from "cairn-memory";
import { BoundedMap, yieldIfDue } from "cairn-memory/words";
import { soundVector } from "../../sql/vectors.ts";
import type { VectorMatrix } from "./matrix/vector-matrix.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { keysOf, memoriesReturned, memoryStates, newestReturn } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";

export interface MemoryRow {
	readonly id: string;
	/** The position in the matrix. */
	readonly at: number;
	readonly container: string;
	/** Whether it is the latest version and not forgotten. It may have expired. */
	readonly isCurrent: boolean;
	readonly forgetAfter: number | null;
	/** Null until it is asked for. Only small partitions compute scores from it, see `nearest`. */
	readonly vector: Vector | null;
}

/** A search of containers' memories. */
export interface Asked {
	readonly containers: ReadonlySet<string>;
	/** In milliseconds. */
	readonly now: number;
	readonly withVectors: boolean;
}

/** When there are more the oldest are dropped, and read again when they are needed: of rows without vectors 30 MB are kept. */
const rowsMax = 200_000;
/** The size of a row without its vector. */
const rowBytes = 150;
/** Rows read in one statement: about 1 ms. */
const rowsPerRead = 256;
/** Known rows that are looked up between two looks at the clock: less than 1 ms. */
const rowsPerLook = 4_096;
/** If more memories than this have changed, all rows are dropped. */
const changesMax = 1_000;

export class MemoryRows {
	readonly #address: PartitionAddress;
	readonly #matrix: VectorMatrix;
	readonly #context: VectorsContext;
	/** By position in the matrix; null if the memory is gone. */
	readonly #rows = new BoundedMap<number, MemoryRow | null>(rowsMax);
	/** The sequence number of the newest change that was considered. */
	#lastChange = 0;
	/** Whether some rows have their vectors. */
	#hasVectors = false;

	constructor(address: PartitionAddress, matrix: VectorMatrix, context: VectorsContext) {
		this.#address = address;
		this.#matrix = matrix;
		this.#context = context;
	}

	get byteLength(): number {
		return this.#rows.size * (rowBytes + (this.#hasVectors ? this.#matrix.dimensions * Float32Array.BYTES_PER_ELEMENT : 0));
	}

	/** Those of the rows that a search of these containers finds. */
	async visible(positions: Iterable<number>, { containers, now, withVectors }: Asked): Promise<readonly MemoryRow[]> {
		this.#dropChanged();
		this.#hasVectors ||= withVectors;
		const found: MemoryRow[] = [];
		const unknown: number[] = [];
		let looked = 0;
		for (const position of positions) {
			const row = this.#rows.get(position);
			if (row === undefined || (withVectors && row?.vector === null)) unknown.push(position);
			else if (isVisible(row, containers, now)) found.push(row);
			const pause = ++looked % rowsPerLook === 0 ? yieldIfDue() : null;
			if (pause !== null) await pause;
		}
		unknown.sort((a, b) => a - b);
		for (let start = 0; start < unknown.length; start += rowsPerRead) {
			for (const row of this.#read(unknown.slice(start, start + rowsPerRead), withVectors)) if (isVisible(row, containers, now)) found.push(row);
			const pause = yieldIfDue();
			if (pause !== null) await pause;
		}
		return found;
	}

	#read(positions: readonly number[], withVectors: boolean): Iterable<MemoryRow | null> {
		const read = new Map<number, MemoryRow | null>(positions.map((position) => [position, null]));
		const keys = positions.map((position) => this.#matrix.key(position));
		for (const { key, vector, isCurrent, ...row } of memoryStates(this.#context.db(), this.#address, keys, withVectors)) {
			const sound = vector === null ? null : soundVector(vector, this.#address.space);
			const at = this.#matrix.position(key);
			if (vector === null || sound !== null) read.set(at, { ...row, at, isCurrent: isCurrent === 1, vector: sound });
		}
		for (const [position, row] of read) this.#rows.set(position, row);
		return read.values();
	}

	#dropChanged(): void {
		const db = this.#context.db();
		const newest = newestReturn(db);
		const isOutgrown = this.#hasVectors && this.#matrix.length > this.#context.limits.wholeMax;
		const changed = memoriesReturned(db, this.#address.organisation, this.#lastChange, newest, changesMax);
		if (changed === null || isOutgrown) this.#clear();
		else if (changed.length > 0) this.#drop(changed);
		this.#lastChange = newest;
	}

	#clear(): void {
		this.#rows.clear();
		this.#hasVectors = false;
	}

	#drop(ids: readonly string[]): void {
		const gone = new Set(ids);
		for (const { id, key } of keysOf(this.#context.db(), this.#address, ids)) {
			gone.delete(id);
			this.#rows.delete(this.#matrix.position(key));
		}
		// Their vectors are deleted with them.
		if (gone.size > 0) for (const [position, row] of this.#rows) if (row !== null && gone.has(row.id)) this.#rows.set(position, null);
	}
}

function isVisible(row: MemoryRow | null, containers: ReadonlySet<string>, now: number): row is MemoryRow {
	return row?.isCurrent === true && containers.has(row.container) && (row.forgetAfter === null || row.forgetAfter > now);
}
