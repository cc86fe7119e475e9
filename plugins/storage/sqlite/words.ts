/** Full text search over one organisation, by SQLite's FTS5. */

import { asId, type ChunkHit, type ChunkId, type DocumentId, type Hit, type MemoryId, type OrganisationId, type WordIndex } from "cairn";
import type { Reads } from "./reads.ts";
import { chunkScope, memoryScope, type ScopedRows } from "./scope-sql.ts";
import { type Weighted, type WordTable, weighWords } from "./word-weights.ts";

interface ChunkHitRow {
	readonly id: string;
	readonly document: string;
	readonly position: number;
	readonly score: number;
}

type MemoryHitRow = Pick<ChunkHitRow, "id" | "score">;

interface Kind {
	readonly table: WordTable;
	readonly alias: "c" | "m";
	readonly columns: string;
}

const chunkKind: Kind = { table: "chunk_words", alias: "c", columns: "c.id AS id, c.document AS document, c.position AS position" };
const memoryKind: Kind = { table: "memory_words", alias: "m", columns: "m.id AS id" };

/** How many hits are looked at for each that is wanted, at first: most of them are visible, so one look nearly always does. */
const hitsPerResult = 2;
const hitsMin = 64;

/** Where fewer of the best hits may be seen than this, it is cheaper to list what may than to look at more of them. */
const visibleShareMin = 1 / 20;

export function wordIndex(organisation: OrganisationId, { statement, snapshot }: Reads): WordIndex {
	/** The words' weights and their hits must be of one state of the table, or a score could leave its scale. */
	function match<Row extends MemoryHitRow>(kind: Kind, words: readonly string[], scope: ScopedRows, limit: number): readonly Row[] {
		return snapshot(() => {
			const weighted = weighWords(statement, kind.table, words);
			if (weighted.length === 0 || limit <= 0) return [];
			return amongBest<Row>(kind, weighted, scope, limit) ?? withinScope<Row>(kind, weighted, scope, limit);
		});
	}

	/** First the best, then those of them that may be seen. @returns null when that were too few even on a wider look. */
	function amongBest<Row>(kind: Kind, weighted: readonly Weighted[], { from, test }: ScopedRows, limit: number): readonly Row[] | null {
		const { alias, columns } = kind;
		const total = weighted.reduce((sum, { holders }) => sum + holders, 0);
		// CROSS JOIN fixes the order: from the few hits to what they belong to.
		const sql = `WITH hits (key, score) AS MATERIALIZED (${scores(kind, weighted.length, "")} ORDER BY 2 DESC, 1 LIMIT ?)
			SELECT ${columns}, hits.score AS score FROM hits CROSS JOIN ${from} WHERE ${alias}.key = hits.key AND ${test.where}
			ORDER BY hits.score DESC, hits.key LIMIT ?`;
		const look = (window: number) => statement<Row>(sql).all(...bound(weighted), window, ...test.params, limit);
		const window = Math.max(hitsMin, limit * hitsPerResult);
		const found = look(window);
		if (found.length >= limit || window >= total) return found;
		const share = found.length / window;
		if (share < visibleShareMin) return null;
		const wider = Math.ceil((limit / share) * hitsPerResult);
		const again = look(wider);
		return again.length >= limit || wider >= total ? again : null;
	}

	/** First what may be seen, then only that is scored. */
	function withinScope<Row>(kind: Kind, weighted: readonly Weighted[], { from, where, params }: ScopedRows, limit: number): readonly Row[] {
		const { alias, columns } = kind;
		const visible = `visible (key) AS MATERIALIZED (SELECT ${alias}.key FROM ${from} WHERE ${where})`;
		const source = alias === "c" ? "chunks c" : "memories m";
		const hits = `hits (key, score) AS MATERIALIZED (${scores(kind, weighted.length, "AND +rowid IN (SELECT key FROM visible)")} ORDER BY 2 DESC, 1 LIMIT ?)`;
		const sql = `WITH ${visible}, ${hits} SELECT ${columns}, hits.score AS score FROM hits CROSS JOIN ${source}
			WHERE ${alias}.key = hits.key AND ${alias}.organisation = ? ORDER BY hits.score DESC, hits.key`;
		return statement<Row>(sql).all(...params, ...bound(weighted), limit, organisation);
	}

	return {
		matchChunks: async (words, scope, limit) =>
			match<ChunkHitRow>(chunkKind, words, chunkScope(organisation, scope), limit).map(
				({ id, document, position, score }): ChunkHit => ({ id: asId<ChunkId>(id), document: asId<DocumentId>(document), position, score }),
			),
		matchMemories: async (words, reach, limit) =>
			match<MemoryHitRow>(memoryKind, words, memoryScope(organisation, reach), limit).map(
				({ id, score }): Hit<MemoryId> => ({ id: asId<MemoryId>(id), score }),
			),
	};
}

/**
 * One look for each word, added up. FTS5 could look for all at once, but then weighs them itself, and a word that half of
 * the texts hold as good as nothing; looked up one by one its weight can be taken out of the score and ours put in.
 */
function scores({ table }: Kind, words: number, condition: string): string {
	const one = `SELECT rowid AS key, -bm25(${table}) * ? AS part FROM ${table} WHERE ${table} MATCH ? ${condition}`;
	// A single look needs no sum; besides, SQLite would draw it into the sum, where `bm25` is not allowed.
	return words === 1 ? one : `SELECT key, sum(part) FROM (${Array(words).fill(one).join(" UNION ALL ")}) GROUP BY key`;
}

/** A word is quoted, so that it stands for itself: without, `near` or `col:x` would be read as commands. */
function bound(weighted: readonly Weighted[]): (string | number)[] {
	return weighted.flatMap(({ word, factor }) => [factor, `"${word.replaceAll('"', '""')}"`]);
}
