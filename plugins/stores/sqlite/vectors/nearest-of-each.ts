/**
 * Many searches in one scope of one partition. Each finds its likely positions in the list of the scope. All positions are then looked up
 * once in the tables; separate searches would read the same rows again for each query.
 */

import { cosines, type Vector } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import { soundVector } from "../../sql/vectors.ts";
import type { SearchList } from "./matrix/list-rows.ts";
import type { Ranking } from "./matrix/sign-filter.ts";
import { quantize, toUnitVector, type VectorMatrix } from "./matrix/vector-matrix.ts";
import { type NearestRequest, nearest, slack, type VectorCandidate } from "./nearest.ts";
import type { PartitionContents } from "./partition-contents.ts";
import { listedMax, type SearchScope } from "./scope-lists.ts";
import { visible, visibleOwners } from "./vector-tables.ts";

export interface EachRequest extends Omit<NearestRequest, "query"> {
	readonly queries: readonly Vector[];
}

/** Some of the nearest may be deleted or hidden. So this many times more are looked up than are needed; if too few are visible, the second factor is used. */
const spare = [1.25, 2] as const;
/** If still too few are visible, this many times more are ranked. */
const widening = 4;
const noRanking: Ranking = { positions: new Int32Array(), scores: new Float32Array() };
/** Rows looked up in one statement: about 1 ms. */
const lookupRows = 256;

interface Looked {
	readonly id: string;
	/** The position in the matrix. */
	readonly at: number;
	/** Null if the score is computed from the matrix, see `nearest`. */
	readonly vector: Vector | null;
}

/** The rows that are visible in the scope, by position. */
type Visible = Map<number, Looked>;

/** Finds for each query what `nearest` finds. */
export async function nearestOfEach(request: EachRequest, contents: PartitionContents): Promise<readonly (readonly VectorCandidate[])[]> {
	const { queries, searchScope, limit } = request;
	const { matrix, listRows, context } = contents;
	await contents.fill();
	const list = searchScope.isRestricted ? await listOf(searchScope, contents) : null;
	if (list === null) return inTurn(queries, (query) => nearest({ query, searchScope, limit }, contents));
	const isLarge = matrix.length > context.limits.wholeMax;
	const wanted = isLarge ? limit : limit + slack;
	const search = await listRows.of(searchScope.name, list, queries.length);
	const rows: Visible = new Map();
	const look = (positions: readonly Int32Array[]) => lookUp(positions, rows, isLarge, searchScope, contents);
	const isShort = ({ positions }: Ranking) => firstOf(positions, rows, wanted).length < wanted;
	const isLacking = (ranking: Ranking) => ranking.positions.length < list.length && isShort(ranking);
	const first = Math.ceil(wanted * spare[0]);
	let count = Math.ceil(wanted * spare[1]);
	const rankings = [...(await rankingsIn(search, queries, count))];
	await look(rankings.map(({ positions }) => positions.subarray(0, first)));
	await look(rankings.filter(isShort).map(({ positions }) => positions.subarray(first)));
	for (let lacking = lackingOf(); lacking.length > 0; lacking = lackingOf()) {
		count *= widening;
		const wider = await rankingsIn(
			search,
			lacking.flatMap((i) => queries[i] ?? []),
			count,
		);
		await look(wider.map(({ positions }) => positions));
		for (const [k, i] of lacking.entries()) rankings[i] = wider[k] ?? noRanking;
	}
	return inTurn(queries, async (query, i) => {
		const found = firstOf(rankings[i]?.positions ?? noRanking.positions, rows, wanted);
		const scores = scoresOf(query, found, matrix);
		return found
			.map(({ id, at }, i) => ({ at, candidate: { id, document: "", position: 0, score: scores[i] ?? 0 } }))
			.sort((a, b) => b.candidate.score - a.candidate.score || a.at - b.at)
			.slice(0, limit)
			.map(({ candidate }) => candidate);
	});

	/** The queries of which too few neighbours are visible. */
	function lackingOf(): readonly number[] {
		return rankings.flatMap((ranking, i) => (isLacking(ranking) ? [i] : []));
	}
}

function scoresOf(query: Vector, found: readonly Looked[], matrix: VectorMatrix): ArrayLike<number> {
	const vectors = found.flatMap(({ vector }) => vector ?? []);
	if (vectors.length === found.length) return cosines(query, vectors);
	const unit = toUnitVector(query);
	return matrix.cosines(
		unit,
		found.map(({ at }) => at),
	);
}

/** The first rows that were looked up, in the order of the positions. */
function firstOf(positions: Int32Array, rows: Visible, count: number): readonly Looked[] {
	const found: Looked[] = [];
	for (let i = 0; i < positions.length && found.length < count; i++) {
		const row = rows.get(positions[i] ?? -1);
		if (row !== undefined) found.push(row);
	}
	return found;
}

/** Null if the scope is too large to list. The list of containers may be long, because it is not read again after each write. */
async function listOf(searchScope: SearchScope, { lists, epoch, context: { limits } }: PartitionContents): Promise<Int32Array | null> {
	const countMax = searchScope.containers === null ? limits.exactMax : listedMax;
	const list = (await lists.cached(searchScope, epoch)) ?? (await lists.read(searchScope, epoch, countMax));
	return list !== null && list.length <= countMax ? list : null;
}

async function rankingsIn(search: SearchList, queries: readonly Vector[], count: number): Promise<readonly Ranking[]> {
	const rows = queries.map((query) => {
		const row = new Int8Array(query.length);
		quantize(query, row, 0);
		return row;
	});
	return search(rows, count);
}

/** Adds the rows that are visible in the scope. */
async function lookUp(
	positions: readonly Int32Array[],
	found: Visible,
	isLarge: boolean,
	{ rows: scoped, containers, now }: SearchScope,
	{ matrix, memoryRows, address, context: { db } }: PartitionContents,
): Promise<void> {
	if (containers !== null) {
		const distinct = new Set<number>();
		for (const some of positions) for (const position of some) distinct.add(position);
		for (const row of await memoryRows.visible(distinct, { containers, now, withVectors: !isLarge })) found.set(row.at, row);
		return;
	}
	const set = ({ id, key }: { readonly id: string; readonly key: number }, vector: Vector | null) => {
		const at = matrix.position(key);
		found.set(at, { id, at, vector });
	};
	const keys = keysOf(positions, matrix);
	for (let start = 0; start < keys.length; start += lookupRows) {
		const part = keys.slice(start, start + lookupRows);
		if (isLarge) for (const row of visibleOwners(db(), address, part, scoped)) set(row, null);
		else
			for (const row of visible(db(), address, part, scoped)) {
				const vector = soundVector(row.vector, address.space);
				if (vector !== null) set(row, vector);
			}
		const pause = yieldIfDue();
		if (pause !== null) await pause;
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
	for (const [i, item] of items.entries()) {
		results.push(await run(item, i));
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	return results;
}
