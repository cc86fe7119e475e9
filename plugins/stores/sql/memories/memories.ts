/** The memory store: memories with their versions and edges. It reads here and sends writes to the writer. */

import { asId, type MemoryId, type OrganisationId } from "cairn-memory";
import { isUnrestricted, type MemoryStore } from "cairn-memory/stores";
import type { SqlEngine } from "../executor.ts";
import { manyRows, readPairs } from "../read-many.ts";
import { memories } from "../schema.ts";
import { counting, memoryScope, pageOrder } from "../scopes/scope-sql.ts";
import { columnList } from "../table-rows.ts";
import { packVectors } from "../vectors.ts";
import { type EdgeRow, edgeOf, edgesAround, edgesOf, evidenceColumn, type MemoryRow, memoryOf, type NewestEdgesRow, newestEdges } from "./memory-rows.ts";

const columns = `${columnList(memories, "m")}, ${evidenceColumn}`;
/** After a CROSS JOIN, which makes SQLite begin with the few memories and sort them. Otherwise it would scan all memories in this order. */
const newestFirst = "ORDER BY m.created_at DESC, m.key DESC";

/** From this number on a list is read along the index of its order, see `manyDocuments`. */
const manyMemories = 300;

export function memoryStore(organisation: OrganisationId, engine: SqlEngine): MemoryStore {
	const { statement, read, write } = engine;
	const many = manyRows("memories", organisation, engine);

	return {
		save: (space, embedded, edges) => {
			const vectors = packVectors(embedded.map(({ vector }) => vector));
			const saved = embedded.map(({ memory }) => memory);
			return write("saveMemories", { organisation, space: space.name, memories: saved, vectors, edges }, [vectors.bytes.buffer]);
		},
		get: async (ids) => {
			const sql = `SELECT ${columns} FROM json_each(?) j CROSS JOIN memories m WHERE m.organisation = ? AND m.id = j.value ORDER BY j.key`;
			return (await read(statement<MemoryRow>(sql).all(JSON.stringify(ids), organisation))).map(memoryOf);
		},
		within: async (ids, containerTags) => {
			// Each pair is in the index of all three, or not, whatever else is.
			const sql = `SELECT m.id, m.container_tag AS tag FROM json_each(?) g CROSS JOIN json_each(?) j CROSS JOIN memories m
				WHERE m.organisation = ? AND m.container_tag = g.value AND m.id = j.value`;
			const asked = { sql, params: [JSON.stringify(containerTags), JSON.stringify(ids), organisation] };
			const rows = await readPairs<{ readonly id: string; readonly tag: string }>(ids.length * containerTags.length, asked, engine);
			return new Map(rows.map(({ id, tag }) => [asId<MemoryId>(id), tag]));
		},
		subjects: async (ids) => {
			const sql = "SELECT m.id, m.subject FROM json_each(?) j CROSS JOIN memories m WHERE m.organisation = ? AND m.id = j.value";
			const rows = await read(statement<Pick<MemoryRow, "id" | "subject">>(sql).all(JSON.stringify(ids), organisation));
			return new Map(rows.map(({ id, subject }) => [asId<MemoryId>(id), subject]));
		},
		byText: async (containerTag, text) => {
			const sql = `SELECT ${columns} FROM memories m WHERE m.organisation = ? AND m.container_tag = ? AND m.text = ?
				AND m.is_latest = 1 AND m.is_forgotten = 0 ${newestFirst} LIMIT 1`;
			const row = await read(statement<MemoryRow>(sql).get(organisation, containerTag, text));
			return row === null ? null : memoryOf(row);
		},
		edges: async (ids) => (await read(statement<EdgeRow>(edgesAround).all(organisation, JSON.stringify(ids)))).map(edgeOf),
		newestEdges: async (ids, limit, until) => {
			const rows = await read(
				statement<NewestEdgesRow>(newestEdges).all(organisation, JSON.stringify(ids), limit, until?.getTime() ?? Number.MAX_SAFE_INTEGER),
			);
			return edgesOf(rows);
		},
		support: (id, evidence, now) => write("supportMemory", { organisation, id, evidence, now }),
		list: async (scope, latestOnly, page, seen) => {
			const { from, test, ...all } = memoryScope(organisation, { scope, includeForgotten: seen === undefined, now: new Date(0), ...seen });
			const latest = latestOnly && seen === undefined ? "AND m.is_latest = 1" : "";
			const count = counting(`${from} WHERE ${all.where} ${latest}`, all.params, page, manyMemories);
			const total = (await many.all<{ total: number }>(count))[0]?.total ?? 0;
			// As with documents: many memories are read along the index of the order, few are listed and then sorted.
			const { where, params } = total > manyMemories ? test : all;
			const { after, order } = pageOrder("m", page, total > manyMemories || isUnrestricted(scope) ? "" : "+");
			const sql = `SELECT ${columns} FROM ${from} WHERE ${where} ${latest}${after.sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
			const found = await many.all<MemoryRow>({ sql, params: [...params, ...after.params, page.limit, page.offset] });
			return { memories: found.map(memoryOf), total };
		},
		count: async (memoryFilter) => {
			const { from, where, params } = memoryScope(organisation, memoryFilter);
			return (await many.all<{ total: number }>({ sql: `SELECT count(*) AS total FROM ${from} WHERE ${where}`, params }))[0]?.total ?? 0;
		},
		ofDocument: async (document) => {
			const sql = `SELECT ${columns} FROM (SELECT DISTINCT e.memory FROM memory_evidence e WHERE e.organisation = ?1 AND e.document = ?2) d
				CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = d.memory ${newestFirst}`;
			return (await read(statement<MemoryRow>(sql).all(organisation, document))).map(memoryOf);
		},
		ofDocuments: async (documents) => {
			const sql = `SELECT ${columns} FROM (SELECT DISTINCT e.memory FROM json_each(?2) j CROSS JOIN memory_evidence e
					WHERE e.organisation = ?1 AND e.document = j.value) d
				CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = d.memory ${newestFirst}`;
			return (await read(statement<MemoryRow>(sql).all(organisation, JSON.stringify(documents)))).map(memoryOf);
		},
		reground: (document, grounds, gone, now) => write("regroundDocument", { organisation, id: document, grounds, gone, now }),
		forget: (ids, reason, now) => write("forgetMemories", { organisation, ids, reason, now }),
		restore: (ids, now) => write("restoreMemories", { organisation, ids, now }),
		erase: (ids, now) => write("eraseMemories", { organisation, ids, now }),
		rehome: (from, to, limit, now) => write("rehomeMemories", { organisation, from, to, limit, now }),
		due: async (containerTag, now, limit, after) => {
			const sql = `SELECT ${columns} FROM memories m WHERE m.organisation = ?1 AND m.container_tag = ?2 AND m.review_after <= ?3
				AND m.is_latest = 1 AND m.is_forgotten = 0 AND (m.forget_after IS NULL OR m.forget_after > ?3) AND (m.review_after, m.id) > (?4, ?5)
				ORDER BY m.review_after, m.id LIMIT ?6`;
			const from = [after?.at.getTime() ?? Number.MIN_SAFE_INTEGER, after?.id ?? ""];
			return (await read(statement<MemoryRow>(sql).all(organisation, containerTag, now.getTime(), ...from, limit))).map(memoryOf);
		},
		amend: (id, amendment, now) => write("amendMemory", { organisation, id, amendment, now }),
	};
}
