/** Full text search over one organisation, by SQLite's FTS5. */

import { asId, type ChunkHit, type ChunkId, type DocumentId, type Hit, isUnrestricted, type MemoryId, type OrganisationId, type WordIndex } from "cairn";
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
const widening = 8;

export function wordIndex(organisation: OrganisationId, { statement, snapshot }: Reads): WordIndex {
	/** The words' weights and their hits must be of one state of the table, or a score could leave its scale. */
	function match<Row extends MemoryHitRow>(kind: Kind, words: readonly string[], rows: ScopedRows, isRestricted: boolean, limit: number): readonly Row[] {
		return snapshot(() => {
			const weighted = weighWords(statement, kind.table, words);
			if (weighted.length === 0 || limit <= 0) return [];
			return isRestricted ? withinScope<Row>(kind, weighted, rows, limit) : amongBest<Row>(kind, weighted, rows, limit);
		});
	}

	/** First what may be seen, then only that is scored. */
	function withinScope<Row>(kind: Kind, weighted: readonly Weighted[], { from, where, params }: ScopedRows, limit: number): readonly Row[] {
		const { alias, columns } = kind;
		const visible = `visible (key) AS MATERIALIZED (SELECT ${alias}.key FROM ${from} WHERE ${where})`;
		const source = alias === "c" ? "chunks c" : "memories m";
		const sql = `WITH ${visible}, hits (key, score) AS (${scores(kind, weighted.length, "AND +rowid IN (SELECT key FROM visible)")} ORDER BY 2 DESC, 1 LIMIT ?)
			SELECT ${columns}, hits.score AS score FROM hits CROSS JOIN ${source} WHERE ${alias}.key = hits.key AND ${alias}.organisation = ? ORDER BY hits.score DESC, hits.key`;
		return statement<Row>(sql).all(...params, ...bound(weighted), limit, organisation);
	}

	/** First the best, then those of them that may be seen; wider as long as that is too few. */
	function amongBest<Row>(kind: Kind, weighted: readonly Weighted[], { from, where, params }: ScopedRows, limit: number): readonly Row[] {
		const { alias, columns } = kind;
		const total = weighted.reduce((sum, { holders }) => sum + holders, 0);
		const sql = `WITH hits (key, score) AS MATERIALIZED (${scores(kind, weighted.length, "")} ORDER BY 2 DESC, 1 LIMIT ?)
			SELECT ${columns}, hits.score AS score FROM hits CROSS JOIN ${from} WHERE ${alias}.key = hits.key AND ${where} ORDER BY hits.score DESC, hits.key LIMIT ?`;
		for (let window = Math.max(hitsMin, limit * hitsPerResult); ; window *= widening) {
			const found = statement<Row>(sql).all(...bound(weighted), window, ...params, limit);
			if (found.length >= limit || window >= total) return found;
		}
	}

	return {
		matchChunks: async (words, scope, limit) =>
			match<ChunkHitRow>(chunkKind, words, chunkScope(organisation, scope), !isUnrestricted(scope), limit).map(
				({ id, document, position, score }): ChunkHit => ({ id: asId<ChunkId>(id), document: asId<DocumentId>(document), position, score }),
			),
		matchMemories: async (words, reach, limit) =>
			match<MemoryHitRow>(memoryKind, words, memoryScope(organisation, reach), !isUnrestricted(reach.scope), limit).map(
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
