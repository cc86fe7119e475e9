/** Converts memories and the edges between them to rows and back, see `memoryEdges` in the schema. */

import { asId, type Memory, type MemoryId } from "cairn-memory";
import { type ChunkId, type DocumentId, type Evidence, type MemoryEdge, type Metadata, type Relation, relations } from "cairn-memory/stores";
import type { Program, SqlContext } from "../executor.ts";
import type { memories } from "../schema.ts";

/** A memory with its evidence as a JSON array of `[document, chunk, begin, end, words]`. */
export type MemoryRow = typeof memories.$inferSelect & { readonly evidence: string };

/** The column `evidence`, for a query with the alias `m` for memories. */
export const evidenceColumn = `(SELECT coalesce(json_group_array(json_array(e.document, e.chunk, e.span_begin, e.span_end, e.words) ORDER BY e.ordinal), '[]')
	FROM memory_evidence e WHERE e.organisation = m.organisation AND e.memory = m.id) AS evidence`;

export function memoryRow(organisation: string, memory: Memory): typeof memories.$inferInsert {
	const { id, containerTag, text, confidence, subject, version, parent, root, forgetReason, extractor } = memory;
	return {
		...{ organisation, id, containerTag, text, confidence, subject, version, parent, root, forgetReason, extractor },
		isStatic: Number(memory.isStatic),
		isInference: Number(memory.isInference),
		isLatest: Number(memory.isLatest),
		isForgotten: Number(memory.isForgotten),
		eventTime: memory.eventTime?.getTime() ?? null,
		forgetAfter: memory.forgetAfter?.getTime() ?? null,
		saidAt: memory.saidAt?.getTime() ?? null,
		reviewAfter: memory.reviewAfter?.getTime() ?? null,
		indexedText: memory.indexedText ?? null,
		metadata: JSON.stringify(memory.metadata),
		createdAt: memory.createdAt.getTime(),
		updatedAt: memory.updatedAt.getTime(),
	};
}

export function memoryOf(row: MemoryRow): Memory {
	const metadata: Metadata = JSON.parse(row.metadata);
	const { text, containerTag, confidence, subject, version, forgetReason, extractor } = row;
	return {
		...{ text, containerTag, confidence, subject, version, forgetReason, extractor, metadata },
		id: asId<MemoryId>(row.id),
		isStatic: row.isStatic === 1,
		isInference: row.isInference === 1,
		eventTime: dateOrNull(row.eventTime),
		forgetAfter: dateOrNull(row.forgetAfter),
		evidence: evidenceOf(row.evidence),
		parent: row.parent === null ? null : asId<MemoryId>(row.parent),
		root: row.root === null ? null : asId<MemoryId>(row.root),
		isLatest: row.isLatest === 1,
		isForgotten: row.isForgotten === 1,
		...(row.saidAt === null ? {} : { saidAt: new Date(row.saidAt) }),
		...(row.indexedText === null ? {} : { indexedText: row.indexedText }),
		...(row.reviewAfter === null ? {} : { reviewAfter: new Date(row.reviewAfter) }),
		createdAt: new Date(row.createdAt),
		updatedAt: new Date(row.updatedAt),
	};
}

function evidenceOf(json: string): readonly Evidence[] {
	const rows: readonly (readonly [string, string, number, number, string | null])[] = JSON.parse(json);
	return rows.map(([document, chunk, begin, end, words]) => ({
		document: asId<DocumentId>(document),
		chunk: asId<ChunkId>(chunk),
		span: [begin, end],
		...(words === null ? {} : { words }),
	}));
}

function dateOrNull(time: number | null): Date | null {
	return time === null ? null : new Date(time);
}

/**
 * Selects the edges from or to the memories `?2` (a JSON array of ids) of the organisation `?1`, each once. With `UNION` instead of
 * `UNION ALL` SQLite would scan all edges of the organisation, because it would read both halves in the order of the primary key.
 */
export const edgesAround = `SELECT e.organisation, e.source, e.target, e.relation FROM memory_edges e
		WHERE e.organisation = ?1 AND e.source IN (SELECT value FROM json_each(?2))
	UNION ALL SELECT e.organisation, e.source, e.target, e.relation FROM memory_edges e INDEXED BY memory_edges_by_target
		WHERE e.organisation = ?1 AND e.target IN (SELECT value FROM json_each(?2)) AND e.source NOT IN (SELECT value FROM json_each(?2))`;

/** The edges from and to one memory: at most `?3` of them, created until `?4`. Edges from a memory need no order, because all are as old as it. */
const leaving = `SELECT e.target AS found FROM memory_edges e
	WHERE e.organisation = ?1 AND e.source = j.value AND e.relation = r.value AND e.created_at <= ?4 LIMIT ?3`;
const arriving = `SELECT e.source AS found FROM memory_edges e INDEXED BY memory_edges_by_target
	WHERE e.organisation = ?1 AND e.target = j.value AND e.relation = r.value AND e.created_at <= ?4 ORDER BY e.created_at DESC LIMIT ?3`;

/** Selects the newest edges of each of the memories, up to a limit for each relation and direction. */
export const newestEdges = `SELECT j.value AS memory, r.value AS relation,
		(SELECT coalesce(json_group_array(found), '[]') FROM (${leaving})) AS older,
		(SELECT coalesce(json_group_array(found), '[]') FROM (${arriving})) AS newer
	FROM json_each(?2) j CROSS JOIN json_each('${JSON.stringify(relations)}') r`;

export interface EdgeRow {
	readonly source: string;
	readonly target: string;
	readonly relation: string;
}

/** `older` and `newer` are JSON arrays of ids. */
export interface NewestEdgesRow {
	readonly memory: string;
	readonly relation: string;
	readonly older: string;
	readonly newer: string;
}

export function edgeOf({ source, target, relation }: EdgeRow): MemoryEdge {
	return { from: asId<MemoryId>(source), to: asId<MemoryId>(target), relation: relation as Relation };
}

/** Removes duplicates, because an edge between two of the memories is found from both ends. */
export function edgesOf(rows: readonly NewestEdgesRow[]): readonly MemoryEdge[] {
	const edges = rows.flatMap(({ memory, relation, older, newer }) => [
		...idsOf(older).map((target) => edgeOf({ source: memory, target, relation })),
		...idsOf(newer).map((source) => edgeOf({ source, target: memory, relation })),
	]);
	return [...new Map(edges.map((edge) => [`${edge.from} ${edge.to} ${edge.relation}`, edge])).values()];
}

function idsOf(json: string): readonly string[] {
	return JSON.parse(json);
}

/**
 * Returns a function that writes an edge unless it exists. Its time is that of the memory it begins at; if there is no such memory, nothing
 * is written.
 */
export function edgeWriter({ statement }: SqlContext): (organisation: string, edge: EdgeRow) => Program<unknown> {
	return (organisation, { source, target, relation }) => {
		const sql = `INSERT INTO memory_edges (organisation, source, target, relation, created_at)
			SELECT organisation, id, ?, ?, created_at FROM memories WHERE organisation = ? AND id = ? ON CONFLICT DO NOTHING`;
		return statement(sql).run(target, relation, organisation, source);
	};
}
