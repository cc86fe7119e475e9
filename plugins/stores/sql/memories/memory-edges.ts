/** The statements that read and write edges between memories, see `memoryEdges` in the schema. */

import { asId, type MemoryEdge, type MemoryId, type Relation, relations } from "cairn-memory";
import type { Executor } from "../executor.ts";

/**
 * `?1` the organisation, `?2` a list of ids. Every edge comes once, whichever of its ends was asked for. `UNION` would look
 * at all edges of the organisation: it wants both halves in one order, and takes the primary key for it.
 */
export const edgesAround = `SELECT e.organisation, e.source, e.target, e.relation FROM memory_edges e
		WHERE e.organisation = ?1 AND e.source IN (SELECT value FROM json_each(?2))
	UNION ALL SELECT e.organisation, e.source, e.target, e.relation FROM memory_edges e INDEXED BY memory_edges_by_target
		WHERE e.organisation = ?1 AND e.target IN (SELECT value FROM json_each(?2)) AND e.source NOT IN (SELECT value FROM json_each(?2))`;

/** Of one memory, so that the LIMIT is its own: `?3` is how many, `?4` the latest time. What leaves a memory is as old as it is. */
const leaving = `SELECT e.target AS found FROM memory_edges e
	WHERE e.organisation = ?1 AND e.source = j.value AND e.relation = r.value AND e.created_at <= ?4 LIMIT ?3`;
const arriving = `SELECT e.source AS found FROM memory_edges e INDEXED BY memory_edges_by_target
	WHERE e.organisation = ?1 AND e.target = j.value AND e.relation = r.value AND e.created_at <= ?4 ORDER BY e.created_at DESC LIMIT ?3`;

/** The newest edges of each of these memories, at most so many of a relation at either end. */
export const newestEdges = `SELECT j.value AS memory, r.value AS relation,
		(SELECT json_group_array(found) FROM (${leaving})) AS older, (SELECT json_group_array(found) FROM (${arriving})) AS newer
	FROM json_each(?2) j CROSS JOIN json_each('${JSON.stringify(relations)}') r`;

export interface EdgeRow {
	readonly source: string;
	readonly target: string;
	readonly relation: string;
}

/** Lists of ids as JSON. */
export interface NewestEdgesRow {
	readonly memory: string;
	readonly relation: string;
	readonly older: string;
	readonly newer: string;
}

export function edgeOf({ source, target, relation }: EdgeRow): MemoryEdge {
	return { from: asId<MemoryId>(source), to: asId<MemoryId>(target), relation: relation as Relation };
}

/** An edge between two of the memories is found from both ends and returned once. */
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

/** Writes an edge, unless it is there or the memory it begins at is not: that one tells since when it is. */
export function edgeWriter({ statement }: Pick<Executor, "statement">): (organisation: string, edge: EdgeRow) => void {
	return (organisation, { source, target, relation }) => {
		const sql = `INSERT OR IGNORE INTO memory_edges (organisation, source, target, relation, created_at)
			SELECT organisation, id, ?, ?, created_at FROM memories WHERE organisation = ? AND id = ?`;
		statement(sql).run(target, relation, organisation, source);
	};
}
