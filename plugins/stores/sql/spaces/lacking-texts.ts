/** Texts without a vector in a space, in the order of their keys. Both sides ask: the readers page by page, the writer before it switches. */

import type { OrganisationId } from "cairn-memory";
import type { Executor } from "../executor.ts";

type Statement = Executor["statement"];

export interface LackingRow {
	readonly key: number;
	readonly organisation: OrganisationId;
	readonly id: string;
	readonly text: string;
}

/** A chunk that is to be deleted is invisible and needs none. */
const rows = {
	chunk: `chunks t WHERE NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.organisation = t.organisation AND v.chunk = t.id AND v.space = ?1)
		AND NOT EXISTS (SELECT 1 FROM discarded_editions d WHERE d.organisation = t.organisation AND d.document = t.document AND d.edition = t.edition)`,
	memory: "memories t WHERE NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.organisation = t.organisation AND v.memory = t.id AND v.space = ?1)",
} as const;

export type TextKind = keyof typeof rows;

export function lackingRows(statement: Statement, kind: TextKind, space: string, after: number, upTo: number, limit: number): readonly LackingRow[] {
	const sql = `SELECT t.key AS key, t.organisation AS organisation, t.id AS id, coalesce(t.indexed_text, t.text) AS text FROM ${rows[kind]}
		AND t.key > ?2 AND t.key <= ?3 ORDER BY t.key LIMIT ?4`;
	return statement<LackingRow>(sql).all(space, after, upTo, limit);
}

/** No more than this is counted. */
export function countLacking(statement: Statement, kind: TextKind, space: string, after: number, most: number): number {
	const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM ${rows[kind]} AND t.key > ?2 LIMIT ?3)`;
	return statement<{ count: number }>(sql).get(space, after, most)?.count ?? 0;
}

/** The newest there is. */
export function lastKey(statement: Statement, kind: TextKind): number {
	return statement<{ key: number | null }>(`SELECT max(key) AS key FROM ${kind === "chunk" ? "chunks" : "memories"}`).get()?.key ?? 0;
}
