/** Memories with their versions and edges: reads here, writes by way of the writer. */

import { asId, type MemoryEdge, type MemoryId, type MemoryStore, type OrganisationId, type Relation } from "cairn";
import { evidenceColumn, type MemoryRow, memoryOf } from "./memory-row.ts";
import { packVectors } from "./packed-vectors.ts";
import { pageOrder } from "./page-order.ts";
import type { Reads } from "./reads.ts";
import { memories, type memoryEdges } from "./schema.ts";
import { memoryScope } from "./scope-sql.ts";
import { columnList } from "./table-rows.ts";
import type { WriterClient } from "./writer-client.ts";

const columns = `${columnList(memories, "m")}, ${evidenceColumn}`;
/** Where it stands behind a CROSS JOIN, SQLite begins with the few and sorts them. Left alone it would go through all memories in their order. */
const newestFirst = "ORDER BY m.created_at DESC, m.key DESC";

/** Every row is an edge once, whichever of its ends was asked for. */
const selectEdges = `SELECT source, target, relation FROM memory_edges WHERE organisation = ?1 AND source IN (SELECT value FROM json_each(?2))
	UNION SELECT source, target, relation FROM memory_edges WHERE organisation = ?1 AND target IN (SELECT value FROM json_each(?2))`;

export function memoryStore(organisation: OrganisationId, { statement }: Reads, { write }: WriterClient): MemoryStore {
	return {
		save: (space, embedded, edges) => {
			const vectors = packVectors(embedded.map(({ vector }) => vector));
			const saved = embedded.map(({ memory }) => memory);
			return write("saveMemories", { organisation, space: space.name, memories: saved, vectors, edges }, [vectors.bytes.buffer]);
		},
		get: async (ids) => {
			const sql = `SELECT ${columns} FROM json_each(?) j CROSS JOIN memories m WHERE m.organisation = ? AND m.id = j.value ORDER BY j.key`;
			return statement<MemoryRow>(sql).all(JSON.stringify(ids), organisation).map(memoryOf);
		},
		byText: async (containerTag, text) => {
			const sql = `SELECT ${columns} FROM memories m WHERE m.organisation = ? AND m.container_tag = ? AND m.text = ?
				AND m.is_latest = 1 AND m.is_forgotten = 0 ${newestFirst} LIMIT 1`;
			const row = statement<MemoryRow>(sql).get(organisation, containerTag, text);
			return row === null ? null : memoryOf(row);
		},
		edges: async (ids) =>
			statement<Pick<typeof memoryEdges.$inferSelect, "source" | "target" | "relation">>(selectEdges).all(organisation, JSON.stringify(ids)).map(edgeOf),
		support: (id, evidence, now) => write("supportMemory", { organisation, id, evidence, now }),
		list: async (scope, latestOnly, page) => {
			const { from, where, params } = memoryScope(organisation, { scope, includeForgotten: true, now: new Date(0) });
			const rows = `FROM ${from} WHERE ${where} ${latestOnly ? "AND m.is_latest = 1" : ""}`;
			const total = statement<{ total: number }>(`SELECT count(*) AS total ${rows}`).get(...params)?.total ?? 0;
			const { after, order } = pageOrder("m", page);
			const sql = `SELECT ${columns} ${rows}${after.sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
			return {
				memories: statement<MemoryRow>(sql)
					.all(...params, ...after.params, page.limit, page.offset)
					.map(memoryOf),
				total,
			};
		},
		count: async (reach) => {
			const { from, where, params } = memoryScope(organisation, reach);
			return statement<{ total: number }>(`SELECT count(*) AS total FROM ${from} WHERE ${where}`).get(...params)?.total ?? 0;
		},
		ofDocument: async (document) => {
			const sql = `SELECT ${columns} FROM (SELECT DISTINCT e.memory FROM memory_evidence e WHERE e.organisation = ?1 AND e.document = ?2) d
				CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = d.memory ${newestFirst}`;
			return statement<MemoryRow>(sql).all(organisation, document).map(memoryOf);
		},
		ofDocuments: async (documents) => {
			const sql = `SELECT ${columns} FROM (SELECT DISTINCT e.memory FROM json_each(?2) j CROSS JOIN memory_evidence e
					WHERE e.organisation = ?1 AND e.document = j.value) d
				CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = d.memory ${newestFirst}`;
			return statement<MemoryRow>(sql).all(organisation, JSON.stringify(documents)).map(memoryOf);
		},
		retract: (document, now) => write("retractDocument", { organisation, id: document, now }),
		forget: (ids, reason, now) => write("forgetMemories", { organisation, ids, reason, now }),
		restore: (ids, now) => write("restoreMemories", { organisation, ids, now }),
		rehome: (from, to, limit, now) => write("rehomeMemories", { organisation, from, to, limit, now }),
		due: async (containerTag, now, limit, after) => {
			const sql = `SELECT ${columns} FROM memories m WHERE m.organisation = ?1 AND m.container_tag = ?2 AND m.review_after <= ?3
				AND m.is_latest = 1 AND m.is_forgotten = 0 AND (m.forget_after IS NULL OR m.forget_after > ?3) AND (m.review_after, m.id) > (?4, ?5)
				ORDER BY m.review_after, m.id LIMIT ?6`;
			const from = [after?.at.getTime() ?? Number.MIN_SAFE_INTEGER, after?.id ?? ""];
			return statement<MemoryRow>(sql)
				.all(organisation, containerTag, now.getTime(), ...from, limit)
				.map(memoryOf);
		},
		amend: (id, amendment, now) => write("amendMemory", { organisation, id, amendment, now }),
	};
}

function edgeOf({ source, target, relation }: { readonly source: string; readonly target: string; readonly relation: string }): MemoryEdge {
	return { from: asId<MemoryId>(source), to: asId<MemoryId>(target), relation: relation as Relation };
}
