/** Documents and their chunks: reads here, writes by way of the writer. */

import {
	asId,
	type DocumentId,
	type DocumentStatus,
	type DocumentStore,
	documentStatuses,
	type Facet,
	familyNames,
	isUnrestricted,
	type Listed,
	type OrganisationId,
	type Page,
	rootOf,
	type Scope,
} from "cairn";
import { behindPrefix } from "./behind-prefix.ts";
import { chunkReads } from "./chunks.ts";
import { type DocumentRow, documentOf } from "./document-row.ts";
import { pageOrder } from "./page-order.ts";
import type { Reads } from "./reads.ts";
import { documents } from "./schema.ts";
import { documentScope } from "./scope-sql.ts";
import { selectDocument, selectShown } from "./select-document.ts";
import { stageInParts } from "./stage-in-parts.ts";
import { columnList } from "./table-rows.ts";
import { textInPieces } from "./text-in-pieces.ts";
import type { TextsThread } from "./texts-thread.ts";
import type { WriterClient } from "./writer-client.ts";

const selectWithoutTexts = `SELECT ${columnList(documents, "d")}, NULL AS contentText, NULL AS foundText FROM documents d`;

/** So many are read and sorted in two milliseconds; with three hundred times as many in all, a page of ten takes as long along the order. */
const manyDocuments = 300;

/** What is counted, and which table beside the documents holds it. */
const facets: Readonly<Record<Facet, { readonly value: string; readonly beside: string }>> = {
	type: { value: "d.type", beside: "" },
	status: { value: "d.status", beside: "" },
	taskType: { value: "d.task_type", beside: "" },
	dreamingStatus: { value: "d.dreaming_status", beside: "" },
	source: { value: "iif(json_type(d.metadata, '$.source') = 'text', json_extract(d.metadata, '$.source'), NULL)", beside: "" },
	containerTag: { value: "t.tag", beside: "JOIN document_tags t ON t.organisation = d.organisation AND t.document = d.id" },
};

export function documentStore(organisation: OrganisationId, reads: Reads, { write }: WriterClient, texts: TextsThread): DocumentStore {
	const { statement, snapshot } = reads;

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
		members: async (document) => {
			const family = familyNames(rootOf(document));
			// "0" follows "/". CROSS JOIN fixes the order: left alone SQLite would go through all documents to find the few.
			const sql = `WITH RECURSIVE below (id) AS (
					SELECT ?1 UNION ALL SELECT d.id FROM below b CROSS JOIN documents d
					ON d.organisation = ?2 AND d.custom_id >= ?3 || b.id || '/' AND d.custom_id < ?3 || b.id || '0')
				SELECT d.status, count(*) AS count, coalesce(sum(d.content ->> 'byteLength'), 0) AS bytes
				FROM below b CROSS JOIN documents d ON d.organisation = ?2 AND d.id = b.id WHERE b.id <> ?1 GROUP BY d.status`;
			const rows = statement<{ status: DocumentStatus; count: number; bytes: number }>(sql).all(document.id, organisation, family);
			return { statuses: new Map(rows.map(({ status, count }) => [status, count])), bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
		},
		tagsOf: async (ids) => {
			const sql = "SELECT d.id, d.container_tags AS tags FROM documents d WHERE d.organisation = ? AND d.id IN (SELECT value FROM json_each(?))";
			const rows = statement<{ id: string; tags: string }>(sql).all(organisation, JSON.stringify(ids));
			return new Map(rows.map(({ id, tags }) => [asId<DocumentId>(id), JSON.parse(tags) as readonly string[]]));
		},
		list: async (scope, statuses, page, includeContent) => snapshot(() => listPage(organisation, reads, { scope, statuses, page, includeContent })),
		tally: async (scope, by) => {
			const { where, params } = documentScope(organisation, scope);
			const { value, beside } = facets[by];
			const sql = `SELECT ${value} AS value, count(*) AS count FROM documents d ${beside} WHERE ${where} GROUP BY 1 HAVING value IS NOT NULL`;
			return new Map(
				statement<{ value: string; count: number }>(sql)
					.all(...params)
					.map(({ value: name, count }) => [name, count]),
			);
		},
		change: (id, change, now, job) => write("changeDocument", { organisation, id, change, now, job }),
		move: (id, revision, from, to, now) => write("moveDocument", { organisation, id, revision, from, to, now }),
		progress: (id, revision, progress) => write("setProgress", { organisation, id, revision, progress }),
		describe: (id, revision, found) => write("describeDocument", { organisation, id, revision, found }),
		fail: (id, revision, failure, status, now) => write("failDocument", { organisation, id, revision, failure, status, now }),
		setDreaming: (id, revision, dreaming, now) => write("setDreaming", { organisation, id, revision, dreaming, now }),
		stage: (id, revision, space, chunks) => stageInParts({ organisation, id, revision }, space, chunks, write),
		publish: (id, revision, now) => write("publishRevision", { organisation, id, revision, now }),
		text: (id, revision) => textInPieces({ organisation, id, revision }, reads, texts),
		...chunkReads(organisation, reads),
		remove: (id, now) => write("removeDocument", { organisation, id, now }),
		dreaming: async (containerTag, limit) => {
			const sql = `${selectShown} WHERE d.organisation = ?1 AND d.dreaming_status = 'dreaming' AND d.published_revision = d.revision
				AND d.id IN (SELECT t.document FROM document_tags t WHERE t.organisation = ?1 AND t.tag = ?2) ORDER BY d.created_at, d.rowid LIMIT ?3`;
			return statement<DocumentRow>(sql).all(organisation, containerTag, limit).map(documentOf);
		},
	};
}

interface ListRequest {
	readonly scope: Scope;
	readonly statuses: readonly DocumentStatus[];
	readonly page: Page;
	readonly includeContent: boolean;
}

function listPage(organisation: OrganisationId, { statement }: Reads, { scope, statuses, page, includeContent }: ListRequest): Listed {
	const documents = documentScope(organisation, scope);
	const status = statusCondition(statuses);
	const count = `SELECT count(*) AS total FROM documents d WHERE ${documents.where}${status}`;
	const total = statement<{ total: number }>(count).get(...documents.params)?.total ?? 0;
	// Where many are in scope, going along the order meets enough of them soon; where few are, they are listed and put in order.
	const { where, params } = total > manyDocuments ? documents.test : documents;
	// A plus keeps SQLite from going along the order for few documents, or those that are not done: it would pass all the others.
	const isAlong = statuses.includes("done") && (total > manyDocuments || isUnrestricted(scope));
	const { after, order } = pageOrder("d", page, isAlong ? "" : "+");
	const sql = `${includeContent ? selectShown : selectWithoutTexts} WHERE ${where}${status}${after.sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
	const rows = statement<DocumentRow>(sql).all(...params, ...after.params, page.limit, page.offset);
	return { documents: rows.map(documentOf), total };
}

/** The statuses are spelled out, since they are few and fixed: then SQLite may use its index of them. */
function statusCondition(statuses: readonly DocumentStatus[]): string {
	const wanted = documentStatuses.filter((status) => statuses.includes(status));
	return wanted.length === documentStatuses.length ? "" : ` AND d.status IN (${wanted.map((status) => `'${status}'`).join(", ")})`;
}
