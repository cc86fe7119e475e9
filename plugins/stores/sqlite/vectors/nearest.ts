/**
 * One search in one partition. It first finds likely positions in the cheapest way, then checks in the tables which of them are visible. In
 * a small partition scores are computed from the stored vectors. In a large one reading them would take longer than the search, so scores are
 * computed from the matrix. The search goes on until it has enough or there is nothing left.
 */

import { cosine, type Vector } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import { soundVector } from "../../sql/vectors.ts";
import type { ChunkRow } from "../chunk-rows.ts";
import { quantize, toUnitVector } from "./matrix/vector-matrix.ts";
import type { PartitionContents } from "./partition-contents.ts";
import type { SearchScope } from "./scope-lists.ts";
import { existing, type OwnedRow, visible } from "./vector-tables.ts";

export interface VectorCandidate {
	readonly id: string;
	readonly document: string;
	readonly position: number;
	/** The cosine; in a large partition that of the 8-bit row, good to ±0.002. */
	readonly score: number;
}

export interface NearestRequest {
	readonly query: Vector;
	readonly searchScope: SearchScope;
	readonly limit: number;
}

/** Candidates by similarity. `isAll` if there are no further ones. */
interface Likely {
	readonly positions: Int32Array;
	readonly isAll: boolean;
}
type CandidateSource = (count: number) => Promise<Likely>;

/** Signs and 8-bit rows may put neighbours in the wrong order, so this many more than asked for are scored again. */
export const slack = 16;
/** If too few candidates are visible, this many times more are fetched. */
const widening = 4;
/** The fewest candidates that are looked for first. */
const firstCountMin = 64;
/** A search for more candidates in a large partition begins with the list of its scope, if there is one. */
const firstCountMax = 1024;
/** How many of the best a scan returns at most, before the visible vectors are listed instead. */
const scanCountMax = 2048;
/** Up to this many vectors are all scanned for a container. With more, the container is listed, if the list can be updated later. */
const listedMin = 1_000;
/** Rows looked up in one statement: about 1 ms. */
const lookupRows = 256;

/** Best first; of equally near ones that which was saved first, since ids of one moment are in an order of chance. */
export async function nearest(request: NearestRequest, contents: PartitionContents): Promise<readonly VectorCandidate[]> {
	await contents.fill();
	const search = new Search(request, contents);
	await search.run();
	return [...search.found]
		.sort(([a, { score }], [b, other]) => other.score - score || a - b)
		.slice(0, request.limit)
		.map(([, candidate]) => candidate);
}

class Search {
	/** By position in the matrix, which is the order in which they were saved. */
	readonly found = new Map<number, VectorCandidate>();
	readonly #request: NearestRequest;
	readonly #contents: PartitionContents;
	/** A unit vector. */
	readonly #query: Vector;
	/** The query quantized to 8-bit numbers, as in the matrix. */
	readonly #row: Int8Array<ArrayBuffer>;
	readonly #seen = new Set<number>();
	readonly #wanted: number;
	readonly #isLarge: boolean;
	/** The state of the database in which the candidates were all in the scope and published; -1 if that is not known. */
	#listedEpoch = -1;

	constructor(request: NearestRequest, contents: PartitionContents) {
		this.#request = request;
		this.#contents = contents;
		this.#row = new Int8Array(request.query.length);
		quantize(request.query, this.#row, 0);
		this.#query = toUnitVector(request.query);
		this.#isLarge = contents.matrix.length > contents.context.limits.wholeMax;
		this.#wanted = request.limit + slack;
	}

	async run(): Promise<void> {
		const { exactMax } = this.#contents.context.limits;
		const { lists, matrix } = this.#contents;
		const { searchScope } = this.#request;
		const { epoch } = this.#contents;
		const isListed = this.#isLarge || (searchScope.containers !== null && matrix.length > listedMin);
		const known = (await lists.cached(searchScope, epoch)) ?? (searchScope.isRestricted && isListed ? await lists.read(searchScope, epoch, exactMax) : null);
		if (known && (known.length <= exactMax || !this.#isLarge || this.#firstCount > firstCountMax)) return this.#scanList(known, epoch);
		if (await this.#gather(this.#fromAll(), this.#firstCount, this.#isLarge ? scanCountMax : this.#firstCount)) return;
		// Few of the nearest are visible, so it is cheaper to list the visible ones than to check all.
		const all = await lists.read(searchScope, epoch, Number.POSITIVE_INFINITY);
		if (all) await this.#scanList(all, epoch);
	}

	get #firstCount(): number {
		return Math.max(firstCountMin, this.#wanted * 2);
	}

	async #scanList(positions: Int32Array, epoch: number): Promise<void> {
		// The epoch does not include the time: a memory of the list may have expired since.
		if (this.#contents.address.kind === "chunk") this.#listedEpoch = epoch;
		await this.#gather(this.#fromList(positions), this.#firstCount, Number.POSITIVE_INFINITY);
	}

	/** @returns whether the search is complete: enough was found, or the source has no more. */
	async #gather(source: CandidateSource, first: number, countMax: number): Promise<boolean> {
		for (let count = first; ; count *= widening) {
			const { positions, isAll } = await source(count);
			if ((await this.#lookUp(positions)) || isAll) return true;
			if (count * widening > countMax) return false;
		}
	}

	#fromAll(): CandidateSource {
		const { matrix } = this.#contents;
		return async (count) => {
			const { positions } = await matrix.top(this.#row, count);
			return { positions, isAll: positions.length < count };
		};
	}

	#fromList(list: Int32Array): CandidateSource {
		return async (count) => {
			const { positions } = await this.#contents.matrix.topOf(this.#row, list, count);
			return { positions, isAll: positions.length === list.length };
		};
	}

	/**
	 * Checks candidates in the order of their similarity until enough are visible. Only candidates of this ranking count, because an earlier
	 * source may have missed better ones than those it found.
	 * @returns whether enough are visible.
	 */
	async #lookUp(positions: Int32Array): Promise<boolean> {
		let shown = 0;
		for (let start = 0; start < positions.length && shown < this.#wanted; ) {
			const part = positions.subarray(start, start + this.#rowsToCheck(shown, start));
			this.#take(part.filter((position) => !this.#seen.has(position)));
			for (const position of part) if (this.found.has(position)) shown += 1;
			start += part.length;
			const pause = yieldIfDue();
			if (pause !== null) await pause;
		}
		return shown >= this.#wanted;
	}

	/** How many to check next, if the visible share stays the same. Each statement has a fixed cost, so it should not be too few. */
	#rowsToCheck(shown: number, checked: number): number {
		const missing = Math.max(slack, this.#wanted - shown);
		return Math.min(lookupRows, Math.ceil((missing * (checked + 1)) / (shown + 1)));
	}

	#take(positions: Int32Array): void {
		const { matrix } = this.#contents;
		for (const position of positions) this.#seen.add(position);
		const keys = Array.from(
			positions.filter((position) => !matrix.isDead(position)),
			(position) => matrix.key(position),
		);
		if (keys.length === 0) return;
		const epoch = this.#contents.context.epoch();
		// A list is of when the search began. What a commit since then has moved may still be found, not what it has unpublished or deleted.
		const isScoped = this.#listedEpoch >= 0 || !this.#request.searchScope.isRestricted;
		const shown = this.#contents.address.kind === "chunk" && isScoped ? this.#takePublished(keys, epoch) : this.#takeVisible(keys);
		if (shown.length < keys.length) this.#markGone(keys, shown);
	}

	/** For searches in which the scope decides what is visible. */
	#takeVisible(keys: readonly number[]): readonly OwnedRow[] {
		const rows = visible(this.#contents.context.db(), this.#contents.address, keys, this.#request.searchScope.rows);
		for (const row of rows) this.#score(row, row.vector);
		return rows;
	}

	/** For candidates that are visible if they are published. */
	#takePublished(keys: readonly number[], epoch: number): readonly ChunkRow[] {
		const db = this.#contents.context.db();
		const { owners } = this.#contents;
		if (this.#isLarge) return this.#scoreRows(owners.shown(db, keys, epoch));
		const known = owners.of(db, keys, epoch);
		const shown = this.#listedEpoch === epoch ? known : owners.published(db, known, epoch);
		const vectors = new Map(existing(db, this.#contents.address, keys).map(({ key, vector }) => [key, vector]));
		const whole = shown.filter(({ key }) => vectors.has(key));
		for (const row of whole) this.#score(row, vectors.get(row.key) ?? null);
		return whole;
	}

	/** Computes the scores from the matrix. */
	#scoreRows(rows: readonly ChunkRow[]): readonly ChunkRow[] {
		const { matrix } = this.#contents;
		const positions = rows.map(({ key }) => matrix.position(key));
		const scores = matrix.cosines(this.#query, positions);
		for (const [i, { id, document, position }] of rows.entries()) this.found.set(positions[i] ?? -1, { id, document, position, score: scores[i] ?? 0 });
		return rows;
	}

	/** @param bytes the stored vector */
	#score({ key, id, document, position }: Omit<OwnedRow, "vector">, bytes: Uint8Array | null): void {
		const vector = bytes === null ? null : soundVector(bytes, this.#contents.address.space);
		if (vector === null) return;
		this.found.set(this.#contents.matrix.position(key), { id, document, position, score: cosine(this.#query, vector) });
	}

	/** Marks rows whose vectors are deleted from the tables. */
	#markGone(keys: readonly number[], rows: readonly { readonly key: number }[]): void {
		const { matrix } = this.#contents;
		const shown = new Set(rows.map(({ key }) => key));
		const hidden = keys.filter((key) => !shown.has(key));
		const alive = new Set(existing(this.#contents.context.db(), this.#contents.address, hidden).map(({ key }) => key));
		for (const key of hidden) if (!alive.has(key)) matrix.markDead(matrix.position(key));
	}
}
