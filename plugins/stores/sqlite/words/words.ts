/**
 * Full text search over one organisation. Scores come from the organisation's own word index, see `words/`; whether a
 * text may be seen is asked of the tables, for the best of them in their order. Where few may be, only those are scored.
 */

import { asId, type MemoryId, type OrganisationId } from "cairn-memory";
import { type ChunkHit, type ChunkId, type DocumentId, type Hit, isUnrestricted, type Matched, type QueryTerm, type WordSearch } from "cairn-memory/stores";
import { type QueryGram, queryGramsOf } from "cairn-memory/words";
import { chunkScope, memoryScope } from "../../sql/scopes/scope-sql.ts";
import type { ChunkRow, ChunkRows } from "../chunk-rows.ts";
import type { Reads } from "../threads/reads.ts";
import { isFollowed } from "../vectors/scope-lists.ts";
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

/** How many hits are asked about for each that is wanted, at first: where all of an organisation is searched that nearly always is enough. */
const hitsPerResult = 2;
const hitsMin = 64;

/** So many of the best get their grams for each that is wanted, where all may be seen: of collections judged by hand, 2 gave 0.1 nDCG@10 more at most. */
const spareHits = 1.25;

/** Where fewer of the best hits may be seen than this, it is cheaper to list what may than to ask about more of them. */
const visibleShareMin = 1 / 20;

/** Where a scope holds no more than this share of all texts, only those are scored: with more, most of the best may be seen. */
const listedShareMax = 1 / 4;

interface Search {
	readonly live: LiveTexts;
	readonly weighted: readonly Weighted[];
	readonly grams: readonly QueryGram[];
	readonly scope: SeenScope;
	readonly scopes: ScopeDocuments;
	readonly isRestricted: boolean;
	/** Where whatever is published may be seen. */
	readonly chunks: ChunkRows | null;
	readonly limit: number;
}

/** What is answered from the texts that are read, see `WordPartition.askHurried`. */
export type HurriedWords = {
	readonly [Name in "matchChunks" | "matchMemories"]: (...asked: Parameters<WordSearch[Name]>) => ReturnType<WordSearch[`${Name}Within`]>;
};

export interface OpenWords extends Pick<WordSearch, "matchChunks" | "matchMemories"> {
	readonly hurried: HurriedWords;
}

export function wordIndex(organisation: OrganisationId, { connection, statement }: Reads, partitions: WordPartitions): OpenWords {
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
		const chunks = kind === chunkKind && !isRestricted ? partition.chunks : null;
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
		if (few !== null) return among<Row>(kind, search, few);
		for (const window of windows(search)) {
			const found = amongBest<Row>(kind, search, window);
			if (found !== null) return found;
		}
		const all = scopes.of(connection(), live, scope, Number.POSITIVE_INFINITY);
		return all === null ? [] : among<Row>(kind, search, all);
	}

	/** The best, and in their order those of them that may be seen. @returns null when that are too few. */
	function amongBest<Row extends MemoryRow>(kind: Kind, search: Search, window: number): readonly Scored<Row>[] | null {
		const { live, weighted, grams, limit } = search;
		const hits = withGrams(live, bestTexts(live, weighted, window, null), grams);
		const found: Scored<Row>[] = [];
		for (let asked = 0; asked < hits.length && found.length < limit; ) {
			// At first as many as are wanted, since all of them may; then as many as will do if as few may be seen as until now.
			const share = asked === 0 ? 1 : Math.max(found.length / asked, visibleShareMin);
			const count = asked === 0 ? limit : Math.max(hitsMin, Math.ceil(((limit - found.length) / share) * hitsPerResult));
			const part = hits.slice(asked, asked + count);
			found.push(...seen<Row>(kind, search, part));
			asked += part.length;
			if (asked >= hitsMin && found.length < Math.min(limit, asked * visibleShareMin)) return null;
		}
		return found.length >= limit || hits.length < window ? found.slice(0, limit) : null;
	}

	/** Those of the hits that may be seen, in their order. */
	function seen<Row extends MemoryRow>(kind: Kind, { live, scope, chunks }: Search, hits: readonly ScoredText[]): readonly Scored<Row>[] {
		const keys = hits.map(({ documentNumber }) => live.key(documentNumber));
		const rows = chunks === null ? seenRows<Row>(kind, keys, scope) : publishedRows<Row>(chunks, keys);
		const visible = new Map(rows.map((row) => [row.key, row]));
		return hits.flatMap(({ documentNumber, score }) => {
			const row = visible.get(live.key(documentNumber));
			return row === undefined ? [] : [{ ...row, score }];
		});
	}

	function seenRows<Row>({ alias, columns }: Kind, keys: readonly number[], { rows: { from, test } }: SeenScope): readonly Row[] {
		// CROSS JOIN fixes the order: from the few hits to what they belong to.
		const sql = `SELECT ${columns} FROM json_each(?) j CROSS JOIN ${from} WHERE ${alias}.key = j.value AND ${test.where}`;
		return statement<Row>(sql).all(JSON.stringify(keys), ...test.params);
	}

	/** The texts are those of this moment, so a chunk that was read before is still there. */
	function publishedRows<Row>(chunks: ChunkRows, keys: readonly number[]): readonly Row[] {
		const db = connection();
		const version = dataVersion(db);
		return chunks.published(db, chunks.of(db, keys, version), version) as readonly unknown[] as readonly Row[];
	}

	/** Only what may be seen is scored. As many of the best get their grams as a window on all texts would have shown. */
	function among<Row extends MemoryRow>(kind: Kind, search: Search, documentNumbers: Uint32Array): readonly Scored<Row>[] {
		const { live, weighted, grams, limit } = search;
		const shown = (windows(search).at(-1) ?? 0) * (documentNumbers.length / Math.max(1, live.texts));
		// What has expired since it was listed is passed over, and then more are needed.
		for (let pool = grams.length === 0 ? limit : Math.max(limit, gramPool, Math.ceil(shown)); ; pool *= 2) {
			const hits = withGrams(live, bestTexts(live, weighted, pool, documentNumbers), grams);
			const found: Scored<Row>[] = [];
			for (let asked = 0; asked < hits.length && found.length < limit; asked += limit) found.push(...seen<Row>(kind, search, hits.slice(asked, asked + limit)));
			if (found.length >= limit || hits.length < pool) return found.slice(0, limit);
		}
	}

	async function chunks(isHurried: boolean, ...[words, scope, limit]: Parameters<WordSearch["matchChunks"]>): Promise<Matched<ChunkHit>> {
		const seenScope = { rows: chunkScope(organisation, scope), name: JSON.stringify(scope), now: 0 };
		const { hits, isWhole } = await match<FoundChunk>(chunkKind, words, seenScope, !isUnrestricted(scope), limit, isHurried);
		return {
			hits: hits.map(({ id, document, position, score }): ChunkHit => ({ id: asId<ChunkId>(id), document: asId<DocumentId>(document), position, score })),
			isWhole,
		};
	}

	async function memories(isHurried: boolean, ...[words, memoryFilter, limit]: Parameters<WordSearch["matchMemories"]>): Promise<Matched<Hit<MemoryId>>> {
		const { scope, includeForgotten, now, moment } = memoryFilter;
		const seenScope = {
			rows: memoryScope(organisation, memoryFilter),
			name: JSON.stringify([scope, includeForgotten, moment]),
			now: now.getTime(),
			isFollowed: isFollowed(memoryFilter),
		};
		const { hits, isWhole } = await match<MemoryRow>(memoryKind, words, seenScope, !isUnrestricted(scope), limit, isHurried);
		return { hits: hits.map(({ id, score }): Hit<MemoryId> => ({ id: asId<MemoryId>(id), score })), isWhole };
	}

	return {
		matchChunks: async (...asked) => (await chunks(false, ...asked)).hits,
		matchMemories: async (...asked) => (await memories(false, ...asked)).hits,
		hurried: { matchChunks: (...asked) => chunks(true, ...asked), matchMemories: (...asked) => memories(true, ...asked) },
	};
}

/** How many of the best hits are taken: few where most may be seen, and else so many that they need not be found once more. */
function windows({ isRestricted, limit, grams }: Search): readonly number[] {
	const least = grams.length === 0 ? hitsMin : gramPool;
	const wide = Math.max(least, Math.ceil(limit / visibleShareMin));
	return isRestricted ? [wide] : [Math.max(least, Math.ceil(limit * spareHits)), wide];
}
