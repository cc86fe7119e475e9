/** Documents and their chunks: reads here, writes by way of the writer. */

import { asId, type DocumentId, type DocumentStatus, type DocumentStore, descendantNames, type Facet, type OrganisationId, rootOf } from "cairn-memory";
import type { SqlEngine } from "../executor.ts";
import { manyRows } from "../read-many.ts";
import { documentScope } from "../scopes/scope-sql.ts";
import { behindPrefix } from "./behind-prefix.ts";
import { chunkReads } from "./chunks.ts";
import { documentLister } from "./document-list.ts";
import { type DocumentRow, documentOf } from "./document-row.ts";
import { selectDocument, selectShown, selectWithoutTexts } from "./select-document.ts";
import { stageInParts } from "./stage-in-parts.ts";
import { textInPieces } from "./text-in-pieces.ts";

/** What is counted, and which table beside the documents holds it. */
const facets: Readonly<Record<Facet, { readonly value: string; readonly beside: string }>> = {
	type: { value: "d.type", beside: "" },
	status: { value: "d.status", beside: "" },
	taskType: { value: "d.task_type", beside: "" },
	dreamingStatus: { value: "d.dreaming_status", beside: "" },
	source: { value: "iif(json_type(d.metadata, '$.source') = 'text', json_extract(d.metadata, '$.source'), NULL)", beside: "" },
	containerTag: { value: "t.tag", beside: "JOIN document_tags t ON t.organisation = d.organisation AND t.document = d.id" },
};

export function documentStore(organisation: OrganisationId, engine: SqlEngine): DocumentStore {
	const { statement, write } = engine;
	const list = documentLister(organisation, engine);
	const many = manyRows("documents", organisation, engine);

	function one(select: string, condition: string, value: string) {
		const row = statement<DocumentRow>(`${select} WHERE d.organisation = ? AND ${condition}`).get(organisation, value);
		return row === null ? null : documentOf(row);
	}

	return {
		add: (document, job) => write("addDocument", { document, job }),
		get: async (id) => one(selectDocument, "d.id = ?", id),
		getMany: async (ids, includeContent = true) => {
			const sql = `${includeContent ? selectShown : selectWithoutTexts} WHERE d.organisation = ? AND d.id IN (SELECT value FROM json_each(?))`;
			const rows = statement<DocumentRow>(sql).all(organisation, JSON.stringify(ids));
			const found = new Map(rows.map((row) => [row.id, documentOf(row)]));
			return ids.flatMap((id) => found.get(id) ?? []);
		},
		byCustomId: async (customId) => one(selectShown, "d.custom_id = ?", customId),
		byPrefix: async (prefix, after, limit) => {
			// The last condition is the truth; those before it let SQLite begin and end in its index.
			const sql = `${selectWithoutTexts} WHERE d.organisation = ? AND d.custom_id >= ? AND d.custom_id < ? AND d.custom_id > ?
				AND substr(d.custom_id, 1, length(?)) = ? ORDER BY d.custom_id LIMIT ?`;
			const rows = statement<DocumentRow>(sql).all(organisation, prefix, behindPrefix(prefix), after ?? "", prefix, prefix, limit);
			return rows.map(documentOf);
		},
		byWriter: async (key, after, limit) => {
			const sql = `${selectWithoutTexts} WHERE d.organisation = ? AND d.written_by = ? AND d.id > ? ORDER BY d.id LIMIT ?`;
			return statement<DocumentRow>(sql)
				.all(organisation, key, after ?? "", limit)
				.map(documentOf);
		},
		descendants: async (document) => {
			const descendants = descendantNames(rootOf(document));
			// "0" follows "/". CROSS JOIN fixes the order: left alone SQLite would go through all documents to find the few.
			const sql = `WITH RECURSIVE below (id) AS (
					SELECT ?1 UNION ALL SELECT d.id FROM below b CROSS JOIN documents d
					ON d.organisation = ?2 AND d.custom_id >= ?3 || b.id || '/' AND d.custom_id < ?3 || b.id || '0')
				SELECT d.status, count(*) AS count, coalesce(sum(d.content ->> 'byteLength'), 0) AS bytes
				FROM below b CROSS JOIN documents d ON d.organisation = ?2 AND d.id = b.id WHERE b.id <> ?1 GROUP BY d.status`;
			const rows = statement<{ status: DocumentStatus; count: number; bytes: number }>(sql).all(document.id, organisation, descendants);
			return { statuses: new Map(rows.map(({ status, count }) => [status, count])), bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
		},
		tagsOf: async (ids) => {
			// CROSS JOIN fixes the order: from the few ids to their rows.
			const sql = "SELECT d.id, d.container_tags AS tags FROM json_each(?) j CROSS JOIN documents d WHERE d.organisation = ? AND d.id = j.value";
			const rows = statement<{ id: string; tags: string }>(sql).all(JSON.stringify(ids), organisation);
			return new Map(rows.map(({ id, tags }) => [asId<DocumentId>(id), JSON.parse(tags) as readonly string[]]));
		},
		list: (scope, statuses, page, includeContent) => list({ scope, statuses, page, includeContent }),
		tally: async (scope, by) => {
			const { where, params } = documentScope(organisation, scope);
			const { value, beside } = facets[by];
			const sql = `SELECT ${value} AS value, count(*) AS count FROM documents d ${beside} WHERE ${where} GROUP BY 1 HAVING value IS NOT NULL`;
			const rows = await many.all<{ value: string; count: number }>({ sql, params });
			return new Map(rows.map(({ value: name, count }) => [name, count]));
		},
		change: (id, change, now, job) => write("changeDocument", { organisation, id, change, now, job }),
		move: (id, revision, from, to, now) => write("moveDocument", { organisation, id, revision, from, to, now }),
		progress: (id, revision, progress) => write("setProgress", { organisation, id, revision, progress }),
		describe: (id, revision, found) => write("describeDocument", { organisation, id, revision, found }),
		fail: (id, revision, failure, status, now) => write("failDocument", { organisation, id, revision, failure, status, now }),
		setDreaming: (id, revision, dreaming, now, extractedBy) => write("setDreaming", { organisation, id, revision, dreaming, now, extractedBy }),
		extractedByOthers: async (extractedBy, limit) => {
			// One part of the index after another: those of today's extractors are passed over without being looked at.
			const part = (other: string) => `SELECT * FROM (SELECT id, created_at FROM documents INDEXED BY documents_extracted WHERE organisation = ?1
				AND task_type = 'memory' AND status = 'done' AND dreaming_status = 'done' AND ${other} LIMIT ?3)`;
			const others = ["extracted_by IS NULL", "extracted_by < ?2", "extracted_by > ?2"].map(part).join(" UNION ALL ");
			const sql = `${selectShown} WHERE d.organisation = ?1 AND d.id IN (SELECT id FROM (${others}) ORDER BY created_at, id LIMIT ?3) ORDER BY d.created_at, d.id`;
			return statement<DocumentRow>(sql).all(organisation, extractedBy, limit).map(documentOf);
		},
		stage: (id, revision, space, chunks) => stageInParts({ organisation, id, revision }, space, chunks, write),
		publish: (id, revision, now) => write("publishRevision", { organisation, id, revision, now }),
		text: (id, revision) => textInPieces({ organisation, id, revision }, engine),
		...chunkReads(organisation, engine),
		remove: (id, now) => write("removeDocument", { organisation, id, now }),
		dreaming: async (containerTag, limit) => {
			const sql = `${selectShown} WHERE d.organisation = ?1 AND d.dreaming_status = 'dreaming' AND d.published_revision = d.revision
				AND d.id IN (SELECT t.document FROM document_tags t WHERE t.organisation = ?1 AND t.tag = ?2) ORDER BY d.created_at, d.rowid LIMIT ?3`;
			return statement<DocumentRow>(sql).all(organisation, containerTag, limit).map(documentOf);
		},
	};
}
