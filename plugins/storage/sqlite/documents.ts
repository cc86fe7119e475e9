/** Documents and their chunks: reads here, writes by way of the writer. */

import { type DocumentStatus, type DocumentStore, documentStatuses, type OrganisationId, type Page, type Scope } from "cairn";
import { chunkReads } from "./chunks.ts";
import { type DocumentRow, documentOf } from "./document-row.ts";
import type { Reads } from "./reads.ts";
import { documents } from "./schema.ts";
import { documentScope, type ScopedRows } from "./scope-sql.ts";
import { selectDocument } from "./select-document.ts";
import { stageInParts } from "./stage-in-parts.ts";
import { columnList } from "./table-rows.ts";
import type { WriterClient } from "./writer-client.ts";

const selectWithoutTexts = `SELECT ${columnList(documents, "d")}, NULL AS contentText, NULL AS foundText FROM documents d`;

const sortColumns = { createdAt: "d.created_at", updatedAt: "d.updated_at" } as const satisfies Record<Page["sort"], string>;
const directions = { asc: "ASC", desc: "DESC" } as const satisfies Record<Page["order"], string>;

export function documentStore(organisation: OrganisationId, reads: Reads, { write }: WriterClient): DocumentStore {
	const { statement, snapshot } = reads;

	function one(condition: string, value: string) {
		const row = statement<DocumentRow>(`${selectDocument} WHERE d.organisation = ? AND ${condition}`).get(organisation, value);
		return row === null ? null : documentOf(row);
	}

	return {
		add: (document, job) => write("addDocument", { document, job }),
		get: async (id) => one("d.id = ?", id),
		getMany: async (ids) => {
			const sql = `${selectDocument} WHERE d.organisation = ? AND d.id IN (SELECT value FROM json_each(?))`;
			const rows = statement<DocumentRow>(sql).all(organisation, JSON.stringify(ids));
			const found = new Map(rows.map((row) => [row.id, documentOf(row)]));
			return ids.flatMap((id) => found.get(id) ?? []);
		},
		byCustomId: async (customId) => one("d.custom_id = ?", customId),
		list: async (scope, statuses, page, includeContent) => {
			const { where, params } = listed(organisation, scope, statuses);
			const order = `${sortColumns[page.sort]} ${directions[page.order]}, d.rowid ${directions[page.order]}`;
			const select = includeContent ? selectDocument : selectWithoutTexts;
			return snapshot(() => ({
				documents: statement<DocumentRow>(`${select} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`)
					.all(...params, page.limit, page.offset)
					.map(documentOf),
				total: statement<{ total: number }>(`SELECT count(*) AS total FROM documents d WHERE ${where}`).get(...params)?.total ?? 0,
			}));
		},
		change: (id, change, now, job) => write("changeDocument", { organisation, id, change, now, job }),
		move: (id, revision, from, to, now) => write("moveDocument", { organisation, id, revision, from, to, now }),
		progress: (id, revision, progress) => write("setProgress", { organisation, id, revision, progress }),
		describe: (id, revision, found) => write("describeDocument", { organisation, id, revision, found }),
		fail: (id, revision, failure, status, now) => write("failDocument", { organisation, id, revision, failure, status, now }),
		setDreaming: (id, revision, dreaming, now) => write("setDreaming", { organisation, id, revision, dreaming, now }),
		stage: (id, revision, space, chunks) => stageInParts({ organisation, id, revision }, space, chunks, write),
		publish: (id, revision, now) => write("publishRevision", { organisation, id, revision, now }),
		...chunkReads(organisation, reads),
		remove: (id, now) => write("removeDocument", { organisation, id, now }),
		dreaming: async (containerTag, limit) => {
			const sql = `${selectDocument} WHERE d.organisation = ?1 AND d.dreaming_status = 'dreaming' AND d.published_revision = d.revision
				AND d.id IN (SELECT t.document FROM document_tags t WHERE t.organisation = ?1 AND t.tag = ?2) ORDER BY d.created_at, d.rowid LIMIT ?3`;
			return statement<DocumentRow>(sql).all(organisation, containerTag, limit).map(documentOf);
		},
	};
}

/** The statuses are spelled out, since they are few and fixed: then SQLite may use its index of them. */
function listed(organisation: OrganisationId, scope: Scope, statuses: readonly DocumentStatus[]): Pick<ScopedRows, "where" | "params"> {
	const { where, params } = documentScope(organisation, scope);
	const wanted = documentStatuses.filter((status) => statuses.includes(status));
	if (wanted.length === documentStatuses.length) return { where, params };
	return { where: `${where} AND d.status IN (${wanted.map((status) => `'${status}'`).join(", ")})`, params };
}
