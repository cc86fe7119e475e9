/**
 * The parts of a collection of vectors. A graph covers those up to `graphPart`; what is in later ones waits for a graph, and is compared one by
 * one. To put a vector into a graph that exists takes five times as long as to make the graph with it, see docs/scaling.md.
 */

import type { Query } from "../connection.ts";
import { type CollectionRow, gone } from "./collections.ts";

/** `later`: it waits until a graph is made with it, or until there is time to put it into the one that exists. */
export type When = "now" | "later";

/** What is known of a collection since its row was read last. */
export interface VectorFacts {
	readonly position: string | null;
	readonly entries: number;
	/** The name of its graph. */
	readonly graph: string | null;
	/** How many were removed since the graph was made. */
	readonly replaced: number;
	/** The last part that the graph covers. */
	readonly graphPart: number;
	/** 1 if there are vectors in later parts. */
	readonly waits: number;
}

export async function vectorFacts(query: Query, { organisation, number }: CollectionRow): Promise<VectorFacts> {
	const [facts] = (await query(factsSql, [organisation, number])).rows as readonly VectorFacts[];
	if (facts === undefined) throw gone("vectors");
	return facts;
}

/** It asks for the greatest part and not whether there is a later one, for which PostgreSQL might read the table. */
const factsSql = `SELECT c.position, c.entries, c.graph, c.replaced, c.graph_part AS "graphPart",
		coalesce((SELECT max(v.part) FROM vector_entries v WHERE v.organisation = $1 AND v.collection = $2 AND v.part > 0) > c.graph_part, FALSE) AS waits
	FROM index_collections c WHERE c.organisation = $1 AND c.kind = 'vectors' AND c.number = $2`;

export function isWaitedFor({ graph, waits }: VectorFacts): boolean {
	return graph !== null && waits === 1;
}

/** None for a graph of an earlier version, which has no part in its name. */
export function partOf(graph: string): number {
	return Number(/^vector_graph_\d+_(\d+)_/.exec(graph)?.[1] ?? 0);
}

/** Whether it is a graph of an earlier version: what is put into whichever part is in it at once. */
export function coversAllParts(graph: string | null): boolean {
	return graph !== null && partOf(graph) === 0;
}

/** Takes organisation, collection, and the vectors as JSON. */
export const putSql = { now: putInto("graph_part"), later: putInto("waiting_part") } as const satisfies Record<When, string>;

function putInto(part: string): string {
	return `WITH put AS (INSERT INTO vector_entries (organisation, collection, id, tags, vector, part)
			SELECT c.organisation, c.number, e.id, e.tags, e.vector::halfvec, c.${part} FROM index_collections c
			CROSS JOIN json_to_recordset($3::text::json) AS e (id TEXT, tags TEXT[], vector TEXT) WHERE c.organisation = $1 AND c.number = $2 RETURNING 1)
		UPDATE index_collections SET entries = entries + (SELECT count(*) FROM put) WHERE organisation = $1 AND number = $2`;
}

/** What waits, by organisation, collection and the last part of the graph. The last condition is that of the index. */
const waitingSql = "organisation = $1 AND collection = $2 AND part > $3 AND part > 0";

/** How many vectors wait; `most` if there are more. */
export async function countWaiting(query: Query, { organisation, number }: CollectionRow, { graphPart }: VectorFacts, most: number): Promise<number> {
	const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM vector_entries WHERE ${waitingSql} LIMIT $4) waiting`;
	const [counted] = (await query(sql, [organisation, number, graphPart, most])).rows as readonly { readonly count: number }[];
	return counted?.count ?? 0;
}

/** About half a second of the database, for which a change of these vectors waits. */
const putAtOnce = 50;

/** Puts some of those that wait into the graph. @returns whether there were any that nobody else was about to change */
export async function putSomeIntoGraph(query: Query, { organisation, number }: CollectionRow, { graphPart }: VectorFacts): Promise<boolean> {
	const waiting = `SELECT id FROM vector_entries WHERE ${waitingSql} LIMIT ${putAtOnce} FOR UPDATE SKIP LOCKED`;
	const sql = `UPDATE vector_entries SET part = $3 WHERE organisation = $1 AND collection = $2 AND id = ANY (ARRAY(${waiting}))`;
	return (await query(sql, [organisation, number, graphPart])).changes > 0;
}

/** Opens a new part for what comes together from now on. @returns the last one before it, up to which a graph is made now */
export async function beginPart(query: Query, { organisation, number }: CollectionRow): Promise<number> {
	const sql = `UPDATE index_collections SET waiting_part = waiting_part + 1 WHERE organisation = $1 AND number = $2 RETURNING waiting_part - 1 AS part`;
	const [begun] = (await query(sql, [organisation, number])).rows as readonly { readonly part: number }[];
	if (begun === undefined) throw gone("vectors");
	return begun.part;
}
