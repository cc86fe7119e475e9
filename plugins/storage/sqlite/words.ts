/** Full text search over one organisation, by SQLite's FTS5. */

import { asId, type ChunkHit, type ChunkId, type DocumentId, type Hit, isUnrestricted, type MemoryId, type OrganisationId, type WordIndex } from "cairn";
import type { Reads } from "./reads.ts";
import { chunkScope, memoryScope, type ScopedRows } from "./scope-sql.ts";
import { type Weighted, type WordTable, weighWords } from "./word-weights.ts";

interface ChunkRow {
	readonly key: number;
	readonly id: string;
	readonly document: string;
	readonly position: number;
}

type MemoryRow = Pick<ChunkRow, "key" | "id">;

type Scored<Row> = Row & { readonly score: number };

interface Kind {
	readonly table: WordTable;
	readonly alias: "c" | "m";
	readonly columns: string;
}

const chunkKind: Kind = { table: "chunk_words", alias: "c", columns: "c.key AS key, c.id AS id, c.document AS document, c.position AS position" };
const memoryKind: Kind = { table: "memory_words", alias: "m", columns: "m.key AS key, m.id AS id" };

/** How many hits are asked about for each that is wanted, at first: where all of an organisation is searched that nearly always is enough. */
const hitsPerResult = 2;
const hitsMin = 64;

/** Where fewer of the best hits may be seen than this, it is cheaper to list what may than to ask about more of them. */
const visibleShareMin = 1 / 20;

/** How many of the best hits are taken: few where most may be seen, and else so many that they need not be found once more. */
function windows(limit: number, isRestricted: boolean): readonly number[] {
	const wide = Math.max(hitsMin, Math.ceil(limit / visibleShareMin));
	return isRestricted ? [wide] : [Math.max(hitsMin, limit * hitsPerResult), wide];
}

export function wordIndex(organisation: OrganisationId, { statement, snapshot }: Reads): WordIndex {
	/** The words' weights and their hits must be of one state of the table, or a score could leave its scale. */
	function match<Row extends MemoryRow>(kind: Kind, words: readonly string[], scope: ScopedRows, isRestricted: boolean, limit: number): readonly Scored<Row>[] {
		return snapshot(() => {
			const weighted = weighWords(statement, kind.table, words);
			if (weighted.length === 0 || limit <= 0) return [];
			for (const window of windows(limit, isRestricted)) {
				const found = amongBest<Row>(kind, weighted, scope, window, limit);
				if (found !== null) return found;
			}
			return withinScope<Row>(kind, weighted, scope, limit);
		});
	}

	/** First the best, which is what costs, then in their order those of them that may be seen. @returns null when that are too few. */
	function amongBest<Row extends MemoryRow>(
		kind: Kind,
		weighted: readonly Weighted[],
		scope: ScopedRows,
		window: number,
		limit: number,
	): readonly Scored<Row>[] | null {
		const hits = statement<unknown>(`${scores(kind, weighted.length, "")} ORDER BY 2 DESC, 1 LIMIT ?`).values(...bound(weighted), window) as [number, number][];
		const found: Scored<Row>[] = [];
		for (let asked = 0; asked < hits.length && found.length < limit; ) {
			// As many as will do if as few of them may be seen as until now.
			const share = asked === 0 ? 1 : Math.max(found.length / asked, visibleShareMin);
			const part = hits.slice(asked, asked + Math.max(hitsMin, Math.ceil(((limit - found.length) / share) * hitsPerResult)));
			found.push(...seen<Row>(kind, part, scope));
			asked += part.length;
		}
		return found.length >= limit || hits.length < window ? found.slice(0, limit) : null;
	}

	/** Those of the hits that may be seen, in their order. */
	function seen<Row extends MemoryRow>({ alias, columns }: Kind, hits: readonly [number, number][], { from, test }: ScopedRows): readonly Scored<Row>[] {
		// CROSS JOIN fixes the order: from the few hits to what they belong to.
		const sql = `SELECT ${columns} FROM json_each(?) j CROSS JOIN ${from} WHERE ${alias}.key = j.value AND ${test.where}`;
		const rows = statement<Row>(sql).all(JSON.stringify(hits.map(([key]) => key)), ...test.params);
		const visible = new Map(rows.map((row) => [row.key, row]));
		return hits.flatMap(([key, score]) => {
			const row = visible.get(key);
			return row === undefined ? [] : [{ ...row, score }];
		});
	}

	/** First what may be seen, then only that is scored. */
	function withinScope<Row>(kind: Kind, weighted: readonly Weighted[], { from, where, params }: ScopedRows, limit: number): readonly Scored<Row>[] {
		const { alias, columns } = kind;
		const visible = `visible (key) AS MATERIALIZED (SELECT ${alias}.key FROM ${from} WHERE ${where})`;
		const source = alias === "c" ? "chunks c" : "memories m";
		const hits = `hits (key, score) AS MATERIALIZED (${scores(kind, weighted.length, "AND +rowid IN (SELECT key FROM visible)")} ORDER BY 2 DESC, 1 LIMIT ?)`;
		const sql = `WITH ${visible}, ${hits} SELECT ${columns}, hits.score AS score FROM hits CROSS JOIN ${source}
			WHERE ${alias}.key = hits.key AND ${alias}.organisation = ? ORDER BY hits.score DESC, hits.key`;
		return statement<Scored<Row>>(sql).all(...params, ...bound(weighted), limit, organisation);
	}

	return {
		matchChunks: async (words, scope, limit) =>
			match<ChunkRow>(chunkKind, words, chunkScope(organisation, scope), !isUnrestricted(scope), limit).map(
				({ id, document, position, score }): ChunkHit => ({ id: asId<ChunkId>(id), document: asId<DocumentId>(document), position, score }),
			),
		matchMemories: async (words, reach, limit) =>
			match<MemoryRow>(memoryKind, words, memoryScope(organisation, reach), !isUnrestricted(reach.scope), limit).map(
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
