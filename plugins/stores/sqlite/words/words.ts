/**
 * Keyword search in one organisation. Scores come from the organisation's own word index. Whether a text is visible is checked in the
 * tables, for the best texts in their order. If few texts are visible, only those are scored.
 */

import { asId, type MemoryId, type OrganisationId } from "cairn-memory";
import {
	type ChunkHit,
	type ChunkId,
	type DocumentId,
	type Hit,
	isUnrestricted,
	type Matched,
	type MemoryFilter,
	type QueryTerm,
	type Scope,
} from "cairn-memory/stores";
import { type QueryGram, queryGramsOf } from "cairn-memory/words";
import { chunkScope, memoryScope } from "../../sql/scopes/scope-sql.ts";
import type { ChunkRow, ChunkRows } from "../chunk-rows.ts";
import type { Reads } from "../threads/reads.ts";
import { containersOnly } from "../vectors/scope-lists.ts";
import { dataVersion } from "../vectors/vector-tables.ts";
import type { LiveTexts } from "./live-texts.ts";
import type { ScopeDocuments, SeenScope } from "./scope-documents.ts";
import { bestTexts, type ScoredText } from "./scoring/best-texts.ts";
import { gramPool, withGrams } from "./scoring/score-grams.ts";
import { seekMeant, type Weighted, weighWords } from "./scoring/weigh-words.ts";
import type { TextKind } from "./word-address.ts";
import type { WordPartitions } from "./word-partitions.ts";

type FoundChunk = Pick<ChunkRow, "key" | "id" | "document" | "position">;

type MemoryRow = Pick<ChunkRow, "key" | "id">;

type Scored<Row> = Row & { readonly score: number };

interface Kind {
	readonly name: TextKind;
	readonly alias: "c" | "m";
	readonly columns: string;
}

const chunkKind: Kind = { name: "chunk", alias: "c", columns: "c.key AS key, c.id AS id, c.document AS document, c.position AS position" };
const memoryKind: Kind = { name: "memory", alias: "m", columns: "m.key AS key, m.id AS id" };

/** How many hits are checked in the tables for each that is wanted; in an unrestricted search that is nearly always enough. */
const hitsPerResult = 2;
const hitsMin = 64;

/**
 * In an unrestricted search, how many of the best texts are scored by grams for each hit that is wanted. On judged collections 2 gave at
 * most 0.1 nDCG@10 more.
 */
const spareHits = 1.25;

/** If a smaller share of the best hits is visible, it is cheaper to list the visible texts than to check more hits. */
const visibleShareMin = 1 / 20;

/** If a scope has no more than this share of all texts, only those are scored. With more, most of the best are visible. */
const listedShareMax = 1 / 4;

interface Search {
	readonly live: LiveTexts;
	readonly weighted: readonly Weighted[];
	readonly grams: readonly QueryGram[];
	readonly scope: SeenScope;
	readonly scopes: ScopeDocuments;
	readonly isRestricted: boolean;
	/** The cache of chunks; null for memories. */
	readonly chunks: ChunkRows | null;
	readonly limit: number;
}

/** With `isHurried`, a search does not wait for texts that are not indexed yet, see `WordPartition.askHurried`. */
export interface WordPartitionSearch {
	readonly matchChunks: (words: readonly QueryTerm[], scope: Scope, limit: number, isHurried?: boolean) => Promise<Matched<ChunkHit>>;
	readonly matchMemories: (words: readonly QueryTerm[], memoryFilter: MemoryFilter, limit: number, isHurried?: boolean) => Promise<Matched<Hit<MemoryId>>>;
}

export function wordIndex(organisation: OrganisationId, { connection, statement }: Reads, partitions: WordPartitions): WordPartitionSearch {
	async function match<Row extends MemoryRow>(
		kind: Kind,
		words: readonly QueryTerm[],
		scope: SeenScope,
		isRestricted: boolean,
		limit: number,
		isHurried: boolean,
	): Promise<Matched<Scored<Row>>> {
		if (words.length === 0 || limit <= 0) return { hits: [], isWhole: true };
		const partition = partitions.partition({ kind: kind.name, organisation });
		await partition.prepare((live) => seekMeant(live, words));
		const chunks = kind === chunkKind ? partition.chunks : null;
		const answer = (live: LiveTexts): readonly Scored<Row>[] => {
			const weighted = weighWords(live, words);
			const grams = queryGramsOf(words.filter((word) => typeof word !== "string"));
			return weighted.length === 0 ? [] : within<Row>(kind, { live, weighted, grams, scope, scopes: partition.scopes, isRestricted, chunks, limit });
		};
		if (!isHurried) return { hits: await partition.ask(answer), isWhole: true };
		const { answer: hits, isWhole } = await partition.askHurried(answer);
		return { hits, isWhole };
	}

	function within<Row extends MemoryRow>(kind: Kind, search: Search): readonly Scored<Row>[] {
		const { live, scope, scopes, isRestricted } = search;
		const few = isRestricted ? scopes.of(connection(), live, scope, Math.max(gramPool, Math.floor(live.texts * listedShareMax))) : null;
		if (few !== null) return scoreOnly<Row>(kind, search, few);
		for (const window of windows(search)) {
			const found = amongBest<Row>(kind, search, window);
			if (found !== null) return found;
		}
		const all = scopes.of(connection(), live, scope, Number.POSITIVE_INFINITY);
		return all === null ? [] : scoreOnly<Row>(kind, search, all);
	}

	/** The visible ones of the best texts, in their order. @returns null if there are too few. */
	function amongBest<Row extends MemoryRow>(kind: Kind, search: Search, window: number): readonly Scored<Row>[] | null {
		const { live, weighted, grams, limit } = search;
		const hits = withGrams(live, bestTexts(live, weighted, window, null), grams);
		const found: Scored<Row>[] = [];
		for (let asked = 0; asked < hits.length && found.length < limit; ) {
			// First as many as are wanted are checked, because all may be visible; then as many as are needed if the visible share stays the same.
			const share = asked === 0 ? 1 : Math.max(found.length / asked, visibleShareMin);
			const count = asked === 0 ? limit : Math.max(hitsMin, Math.ceil(((limit - found.length) / share) * hitsPerResult));
			const part = hits.slice(asked, asked + count);
			found.push(...visibleHits<Row>(kind, search, part, search.isRestricted));
			asked += part.length;
			if (asked >= hitsMin && found.length < Math.min(limit, asked * visibleShareMin)) return null;
		}
		return found.length >= limit || hits.length < window ? found.slice(0, limit) : null;
	}

	/** The visible ones of the hits, in their order. @param mayBeOutside whether some may be outside of the scope; those of a list of chunks are not. */
	function visibleHits<Row extends MemoryRow>(
		kind: Kind,
		{ live, scope, chunks }: Search,
		hits: readonly ScoredText[],
		mayBeOutside: boolean,
	): readonly Scored<Row>[] {
		const keys = hits.map(({ documentNumber }) => live.key(documentNumber));
		const rows = chunks === null || mayBeOutside ? visibleRows<Row>(kind, keys, scope) : publishedRows<Row>(chunks, keys);
		const visible = new Map(rows.map((row) => [row.key, row]));
		return hits.flatMap(({ documentNumber, score }) => {
			const row = visible.get(live.key(documentNumber));
			return row === undefined ? [] : [{ ...row, score }];
		});
	}

	function visibleRows<Row>({ alias, columns }: Kind, keys: readonly number[], { rows: { from, test } }: SeenScope): readonly Row[] {
		// CROSS JOIN makes SQLite begin with the few hits.
		const sql = `SELECT ${columns} FROM json_each(?) j CROSS JOIN ${from} WHERE ${alias}.key = j.value AND ${test.where}`;
		return statement<Row>(sql).all(JSON.stringify(keys), ...test.params);
	}

	/** The rows of published chunks. All chunks of the hits exist, because the index is of the same state as the tables. */
	function publishedRows<Row>(chunks: ChunkRows, keys: readonly number[]): readonly Row[] {
		const db = connection();
		const version = dataVersion(db);
		return chunks.published(db, chunks.of(db, keys, version), version) as readonly unknown[] as readonly Row[];
	}

	/** Scores only these texts. As many of the best are scored by grams as a window on all texts would have had of them. */
	function scoreOnly<Row extends MemoryRow>(kind: Kind, search: Search, documentNumbers: Uint32Array): readonly Scored<Row>[] {
		const { live, weighted, grams, limit } = search;
		const shown = (windows(search).at(-1) ?? 0) * (documentNumbers.length / Math.max(1, live.texts));
		// Memories that have expired since they were listed are skipped; then more hits are needed.
		for (let pool = grams.length === 0 ? limit : Math.max(limit, gramPool, Math.ceil(shown)); ; pool *= 2) {
			const hits = withGrams(live, bestTexts(live, weighted, pool, documentNumbers), grams);
			const found: Scored<Row>[] = [];
			for (let asked = 0; asked < hits.length && found.length < limit; asked += limit)
				found.push(...visibleHits<Row>(kind, search, hits.slice(asked, asked + limit), false));
			if (found.length >= limit || hits.length < pool) return found.slice(0, limit);
		}
	}

	const matchChunks: WordPartitionSearch["matchChunks"] = async (words, scope, limit, isHurried = false) => {
		const seenScope = { rows: chunkScope(organisation, scope), name: JSON.stringify(scope), now: 0 };
		const { hits, isWhole } = await match<FoundChunk>(chunkKind, words, seenScope, !isUnrestricted(scope), limit, isHurried);
		return {
			hits: hits.map(({ id, document, position, score }): ChunkHit => ({ id: asId<ChunkId>(id), document: asId<DocumentId>(document), position, score })),
			isWhole,
		};
	};

	const matchMemories: WordPartitionSearch["matchMemories"] = async (words, memoryFilter, limit, isHurried = false) => {
		const { scope, includeForgotten, now, moment } = memoryFilter;
		const seenScope = {
			rows: memoryScope(organisation, memoryFilter),
			name: JSON.stringify([scope, includeForgotten, moment]),
			now: now.getTime(),
			isUpdatable: containersOnly(memoryFilter) !== null,
		};
		const { hits, isWhole } = await match<MemoryRow>(memoryKind, words, seenScope, !isUnrestricted(scope), limit, isHurried);
		return { hits: hits.map(({ id, score }): Hit<MemoryId> => ({ id: asId<MemoryId>(id), score })), isWhole };
	};

	return { matchChunks, matchMemories };
}

/** How many of the best hits are computed: few if most are visible, otherwise enough that they need not be computed again. */
function windows({ isRestricted, limit, grams }: Search): readonly number[] {
	const least = grams.length === 0 ? hitsMin : gramPool;
	const wide = Math.max(least, Math.ceil(limit / visibleShareMin));
	return isRestricted ? [wide] : [Math.max(least, Math.ceil(limit * spareHits)), wide];
}
