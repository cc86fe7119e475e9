/**
 * Many searches in one scope of one partition. Each finds its likely positions in the list of the scope. All positions are then looked up
 * once in the tables; separate searches would read the same rows again for each query.
 */

import { cosines, type Vector } from "cairn-memory";
import { soundVector } from "../../sql/vectors.ts";
import type { SearchList } from "./matrix/list-rows.ts";
import type { Ranking } from "./matrix/sign-filter.ts";
import { quantize, toUnitVector, type VectorMatrix } from "./matrix/vector-matrix.ts";
import { compareCandidates, type NearestRequest, nearest, slack, type VectorCandidate } from "./nearest.ts";
import type { PartitionContents } from "./partition-contents.ts";
import type { SearchScope } from "./scope-lists.ts";
import { type OwnedRow, visible, visibleOwners } from "./vector-tables.ts";
import { createYielder } from "./yielder.ts";

export interface EachRequest extends Omit<NearestRequest, "query"> {
	readonly queries: readonly Vector[];
}

/** Some of the nearest may be deleted or hidden. So this many times more are looked up than are needed; if too few are visible, the second factor is used. */
const spare = [1.25, 2] as const;
/** Rows looked up in one statement: about 1 ms. */
const lookupRows = 256;

interface Looked extends Omit<OwnedRow, "vector"> {
	/** Null if the score is computed from the matrix, see `nearest`. */
	readonly vector: Vector | null;
}

/** Finds for each query what `nearest` finds. */
export async function nearestOfEach(request: EachRequest, contents: PartitionContents): Promise<readonly (readonly VectorCandidate[])[]> {
	const { queries, searchScope, limit } = request;
	const { matrix, listRows, context } = contents;
	await contents.fill();
	const list = searchScope.isRestricted ? await listOf(searchScope, contents) : null;
	const alone = (query: Vector) => nearest({ query, searchScope, limit }, contents);
	if (list === null) return inTurn(queries, alone);
	const isLarge = matrix.length > context.limits.wholeMax;
	const wanted = isLarge ? limit : limit + slack;
	const rankings = await rankingsIn(listRows.of(list, queries.length), queries, Math.ceil(wanted * spare[1]));
	const rows = new Map<number, Looked>();
	const look = (positions: readonly Int32Array[]) => lookUp(positions, rows, isLarge, searchScope, contents);
	const first = Math.ceil(wanted * spare[0]);
	await look(rankings.map(({ positions }) => positions.subarray(0, first)));
	await look(rankings.filter(({ positions }) => firstOf(positions, rows, wanted).length < wanted).map(({ positions }) => positions.subarray(first)));
	return inTurn(queries, async (query, i) => {
		const positions = rankings[i]?.positions ?? new Int32Array();
		const found = firstOf(positions, rows, wanted);
		if (found.length < wanted && positions.length < list.length) return alone(query);
		const scores = scoresOf(query, found, matrix);
		return found
			.map(({ id, document, position }, at) => ({ id, document, position, score: scores[at] ?? 0 }))
			.sort(compareCandidates)
			.slice(0, limit);
	});
}

function scoresOf(query: Vector, found: readonly Looked[], matrix: VectorMatrix): ArrayLike<number> {
	const vectors = found.flatMap(({ vector }) => vector ?? []);
	if (vectors.length === found.length) return cosines(query, vectors);
	const unit = toUnitVector(query);
	return found.map(({ key }) => matrix.cosine(unit, matrix.position(key)));
}

/** The first rows that were looked up, in the order of the positions. */
function firstOf(positions: Int32Array, rows: ReadonlyMap<number, Looked>, count: number): readonly Looked[] {
	const found: Looked[] = [];
	for (let i = 0; i < positions.length && found.length < count; i++) {
		const row = rows.get(positions[i] ?? -1);
		if (row !== undefined) found.push(row);
	}
	return found;
}

/** Null if the scope is too large to scan. */
async function listOf(searchScope: SearchScope, { lists, context: { epoch, limits } }: PartitionContents): Promise<Int32Array | null> {
	const now = epoch();
	const list = (await lists.cached(searchScope, now)) ?? (await lists.read(searchScope, now, limits.exactMax));
	return list !== null && list.length <= limits.exactMax ? list : null;
}

async function rankingsIn(search: SearchList, queries: readonly Vector[], count: number): Promise<readonly Ranking[]> {
	const yielder = createYielder();
	return inTurn(queries, async (query) => {
		const row = new Int8Array(query.length);
		quantize(query, row, 0);
		const pause = yielder.yieldIfDue();
		if (pause) await pause;
		return search(row, count);
	});
}

/** Adds the rows that are visible in the scope. */
async function lookUp(
	positions: readonly Int32Array[],
	found: Map<number, Looked>,
	isLarge: boolean,
	{ rows: scoped }: SearchScope,
	{ matrix, address, context: { db } }: PartitionContents,
): Promise<void> {
	const yielder = createYielder();
	const keys = keysOf(positions, matrix);
	for (let start = 0; start < keys.length; start += lookupRows) {
		const part = keys.slice(start, start + lookupRows);
		if (isLarge) for (const row of visibleOwners(db(), address, part, scoped)) found.set(matrix.position(row.key), { ...row, vector: null });
		else
			for (const row of visible(db(), address, part, scoped)) {
				const vector = soundVector(row.vector, address.space);
				if (vector !== null) found.set(matrix.position(row.key), { ...row, vector });
			}
		const pause = yielder.yieldIfDue();
		if (pause) await pause;
	}
}

/** In ascending order, which is their order in the tables. */
function keysOf(positions: readonly Int32Array[], matrix: PartitionContents["matrix"]): readonly number[] {
	const keys = new Set<number>();
	for (const some of positions) for (const position of some) if (!matrix.isDead(position)) keys.add(matrix.key(position));
	return [...keys].sort((a, b) => a - b);
}

async function inTurn<Item, Result>(items: readonly Item[], run: (item: Item, index: number) => Promise<Result>): Promise<readonly Result[]> {
	const results: Result[] = [];
	for (const [i, item] of items.entries()) results.push(await run(item, i));
	return results;
}
