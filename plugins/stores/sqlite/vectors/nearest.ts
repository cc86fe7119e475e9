/**
 * One search in one partition. It first finds likely positions in the cheapest way, then asks the tables which of them are visible. In
 * a small partition the stored vectors give the scores. In a large one, where reading them would take longer than the search, the
 * 8-bit rows of the matrix do. It continues until it has enough candidates or there are no more.
 */

import { cosine, type Vector } from "cairn-memory";
import { soundVector } from "../../sql/vectors.ts";
import type { ChunkRow } from "../chunk-rows.ts";
import type { Ranking } from "./matrix/sign-filter.ts";
import { graphCountMin } from "./matrix/vector-graph.ts";
import { quantize, toUnitVector } from "./matrix/vector-matrix.ts";
import type { PartitionAddress } from "./partition-address.ts";
import type { CoveringGraph, PartitionContents } from "./partition-contents.ts";
import type { SearchScope } from "./scope-lists.ts";
import { existing, type OwnedRow, visible } from "./vector-tables.ts";
import type { VectorsContext } from "./vectors-context.ts";
import { createYielder } from "./yielder.ts";

export interface VectorCandidate {
	readonly id: string;
	readonly document: string;
	readonly position: number;
	/** The cosine; in a large partition that of the 8-bit row, with an error of about ±0.002. */
	readonly score: number;
}

export interface NearestRequest {
	readonly query: Vector;
	readonly searchScope: SearchScope;
	readonly limit: number;
}

/** Likely positions, the nearest first. `isAll` means that there are no more, however many are asked for. */
interface LikelyPositions {
	readonly positions: Int32Array;
	readonly isAll: boolean;
}
type CandidateSource = (count: number) => Promise<LikelyPositions>;

/** This many more candidates than asked for are scored, because signs and 8-bit rows may put neighbours in the wrong order. */
export const slack = 16;
/** If too few candidates are visible, this many times more are fetched. */
const widening = 4;
/**
 * A graph takes 10 µs per neighbour and cannot pause, so no more than this are asked for. If there are fewer vectors per neighbour than 200,
 * a scan is cheaper.
 */
const graphCountMax = 1024;
const vectorsPerGraphCount = 200;
/** After this many candidates of a scan, the list of the visible vectors is read instead. */
const scanCountMax = 2048;
/** In a partition up to this size all vectors are scanned; in a larger one the list of a container is read, if it can be kept up to date. */
const listedMin = 1_000;
/** Rows per statement: about 1 ms. */
const rowsPerStatement = 256;

/** Best first; equal scores by id. */
export async function nearest(
	request: NearestRequest,
	contents: PartitionContents,
	address: PartitionAddress,
	context: VectorsContext,
): Promise<readonly VectorCandidate[]> {
	await contents.fill();
	const search = new Search(request, contents, address, context);
	await search.run();
	return [...search.found.values()].sort(compareCandidates).slice(0, request.limit);
}

class Search {
	/** The candidates so far, by position in the matrix. */
	readonly found = new Map<number, VectorCandidate>();
	readonly #request: NearestRequest;
	readonly #contents: PartitionContents;
	readonly #address: PartitionAddress;
	readonly #context: VectorsContext;
	/** The query as a unit vector. */
	readonly #query: Vector;
	/** The query, quantized like the rows of the matrix. */
	readonly #row: Int8Array<ArrayBuffer>;
	readonly #seen = new Set<number>();
	readonly #yielder = createYielder();
	readonly #wanted: number;
	readonly #isLarge: boolean;
	/** The state of the database in which all positions are known to be visible; -1 if they are not. */
	#trustedEpoch = -1;

	constructor(request: NearestRequest, contents: PartitionContents, address: PartitionAddress, context: VectorsContext) {
		this.#request = request;
		this.#contents = contents;
		this.#address = address;
		this.#context = context;
		this.#row = new Int8Array(request.query.length);
		quantize(request.query, this.#row, 0);
		this.#query = toUnitVector(request.query);
		this.#isLarge = contents.matrix.length > context.limits.wholeMax;
		this.#wanted = request.limit + slack;
	}

	async run(): Promise<void> {
		const { exactMax, graphMin } = this.#context.limits;
		const { graph, lists, matrix } = this.#contents;
		const { searchScope } = this.#request;
		const epoch = this.#context.epoch();
		const isListed = this.#isLarge || (searchScope.isUpdatable && matrix.length > listedMin);
		const known = (await lists.cached(searchScope, epoch)) ?? (searchScope.isRestricted && isListed ? await lists.read(searchScope, epoch, exactMax) : null);
		if (known && (known.length <= exactMax || !this.#isLarge || this.#firstCount > graphCountMax)) return this.#scanList(known, epoch);
		if (graph && matrix.length > graphMin && this.#firstCount <= graphCountMax) {
			const countMax = Math.min(graphCountMax, matrix.length / vectorsPerGraphCount);
			if (await this.#gather(this.#fromGraph(graph), this.#firstCount, countMax)) return;
			if (await this.#gather(this.#fromAll(), scanCountMax, scanCountMax)) return;
		} else if (await this.#gather(this.#fromAll(), this.#firstCount, this.#isLarge ? scanCountMax : this.#firstCount)) return;
		// Few of the nearest are visible: it is cheaper to list the visible ones than to check them all.
		const all = await lists.read(searchScope, epoch, Number.POSITIVE_INFINITY);
		if (all) await this.#scanList(all, epoch);
	}

	get #firstCount(): number {
		return Math.max(graphCountMin, this.#wanted * 2);
	}

	async #scanList(positions: Int32Array, epoch: number): Promise<void> {
		// A memory of the list may have expired, which does not change the epoch, so only chunks are trusted.
		if (this.#address.kind === "chunk") this.#trustedEpoch = epoch;
		await this.#gather(this.#fromList(positions), this.#firstCount, Number.POSITIVE_INFINITY);
	}

	/** @returns whether the search is done: enough was found, or the source has no more. */
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

	/** Rows that the graph does not cover are scanned. `isAll` is always false, because a graph may not reach some vectors. */
	#fromGraph({ graph, duplicates, rows }: CoveringGraph): CandidateSource {
		const { matrix } = this.#contents;
		return async (count) => {
			const tail: Ranking = await matrix.top(this.#row, count, rows);
			const candidates = new Set(tail.positions);
			for (const key of graph.search(this.#request.query, count)) {
				const position = matrix.position(key);
				if (position < 0) continue;
				candidates.add(position);
				for (const duplicate of duplicates.get(position) ?? []) candidates.add(duplicate);
			}
			const ranked = await matrix.topOf(this.#row, Int32Array.from(candidates).sort(), candidates.size);
			return { positions: ranked.positions, isAll: false };
		};
	}

	/**
	 * Looks up positions in their order until enough are visible. Only positions of this ranking count: an earlier source may have
	 * found others, but may have missed some that rank before them.
	 * @returns whether there were enough.
	 */
	async #lookUp(positions: Int32Array): Promise<boolean> {
		let visibleCount = 0;
		for (let start = 0; start < positions.length && visibleCount < this.#wanted; ) {
			const part = positions.subarray(start, start + this.#rowsWorthwhile(visibleCount, start));
			this.#take(part.filter((position) => !this.#seen.has(position)));
			for (const position of part) if (this.found.has(position)) visibleCount += 1;
			start += part.length;
			const pause = this.#yielder.yieldIfDue();
			if (pause) await pause;
		}
		return visibleCount >= this.#wanted;
	}

	/** How many rows to look up next, assuming that as large a share is visible as until now. Each statement has a cost of its own. */
	#rowsWorthwhile(visibleCount: number, of: number): number {
		const missing = Math.max(slack, this.#wanted - visibleCount);
		return Math.min(rowsPerStatement, Math.ceil((missing * (of + 1)) / (visibleCount + 1)));
	}

	#take(positions: Int32Array): void {
		const { matrix } = this.#contents;
		for (const position of positions) this.#seen.add(position);
		const keys = Array.from(
			positions.filter((position) => !matrix.isDead(position)),
			(position) => matrix.key(position),
		);
		if (keys.length === 0) return;
		const epoch = this.#context.epoch();
		const isTrusted = this.#trustedEpoch >= 0 && this.#trustedEpoch === epoch;
		const visibleCount =
			this.#address.kind === "chunk" && (isTrusted || !this.#request.searchScope.isRestricted)
				? this.#takePublished(keys, isTrusted, epoch)
				: this.#takeVisible(keys, isTrusted);
		if (visibleCount.length < keys.length) this.#markDeleted(keys, visibleCount);
	}

	/** Adds the rows that are visible in the scope. */
	#takeVisible(keys: readonly number[], isTrusted: boolean): readonly OwnedRow[] {
		const rows = visible(this.#context.db(), this.#address, keys, isTrusted ? null : this.#request.searchScope.rows);
		for (const row of rows) this.#score(row, row.vector);
		return rows;
	}

	/** Adds the rows of published chunks, if everything published is visible. */
	#takePublished(keys: readonly number[], isTrusted: boolean, epoch: number): readonly ChunkRow[] {
		const db = this.#context.db();
		const { owners } = this.#contents;
		const known = owners.of(db, keys, epoch);
		const visibleCount = isTrusted ? known : owners.published(db, known, epoch);
		if (this.#isLarge) {
			const alive = owners.existing(db, visibleCount, epoch);
			for (const row of alive) this.#score(row, null);
			return alive;
		}
		const vectors = new Map(existing(db, this.#address, keys).map(({ key, vector }) => [key, vector]));
		const whole = visibleCount.filter(({ key }) => vectors.has(key));
		for (const row of whole) this.#score(row, vectors.get(row.key) ?? null);
		return whole;
	}

	/** @param bytes the stored vector; null if the 8-bit row gives the score. */
	#score({ key, id, document, position }: Omit<OwnedRow, "vector">, bytes: Uint8Array | null): void {
		const { matrix } = this.#contents;
		const at = matrix.position(key);
		const vector = bytes === null ? null : soundVector(bytes, this.#address.space);
		if (bytes !== null && vector === null) return;
		const score = vector === null ? matrix.cosine(this.#query, at) : cosine(this.#query, vector);
		this.found.set(at, { id, document, position, score });
	}

	#markDeleted(keys: readonly number[], rows: readonly { readonly key: number }[]): void {
		const { matrix } = this.#contents;
		const visibleCount = new Set(rows.map(({ key }) => key));
		const hidden = keys.filter((key) => !visibleCount.has(key));
		const alive = new Set(existing(this.#context.db(), this.#address, hidden).map(({ key }) => key));
		for (const key of hidden) if (!alive.has(key)) matrix.markDead(matrix.position(key));
	}
}

/** Best first; equal scores by id. */
export function compareCandidates(a: VectorCandidate, b: VectorCandidate): number {
	return b.score - a.score || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
