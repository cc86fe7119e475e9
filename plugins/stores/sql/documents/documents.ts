/** The document store: reads documents, lists pages of them with the total, and passes writes on to the engine. */

import { asId, type OrganisationId } from "cairn-memory";
import {
	type DocumentId,
	type DocumentStatus,
	type DocumentStore,
	descendantsPrefix,
	documentStatuses,
	isUnrestricted,
	type Listed,
	type Page,
	rootOf,
	type Scope,
} from "cairn-memory/stores";
import type { Program, Question, SqlEngine } from "../executor.ts";
import { manyRows, readHereMax, readPairs } from "../read-many.ts";
import { behindPrefix, counting, documentScope, pageOrder } from "../scopes/scope-sql.ts";
import { chunkReads, stageInParts } from "./chunks.ts";
import { type DocumentRow, documentOf, selectDocument, selectShown, selectWithoutTexts } from "./document-rows.ts";
import { documentTally } from "./tally.ts";
import { textInPieces } from "./text-in-pieces.ts";

export function documentStore(organisation: OrganisationId, engine: SqlEngine): DocumentStore {
	const { statement, read, write } = engine;
	const list = documentLister(organisation, engine);

	function* one(select: string, condition: string, value: string) {
		const row = yield* statement<DocumentRow>(`${select} WHERE d.organisation = ? AND ${condition}`).get(organisation, value);
		return row === null ? null : documentOf(row);
	}

	return {
		add: (document, job) => write("addDocument", { document, job }),
		get: (id) => read(one(selectDocument, "d.id = ?", id)),
		getMany: async (ids, includeContent = true) => {
			const sql = `${includeContent ? selectShown : selectWithoutTexts} WHERE d.organisation = ? AND d.id IN (SELECT value FROM json_each(?))`;
			const rows = await read(statement<DocumentRow>(sql).all(organisation, JSON.stringify(ids)));
			const found = new Map(rows.map((row) => [row.id, documentOf(row)]));
			return ids.flatMap((id) => found.get(id) ?? []);
		},
		byCustomId: async (customId, containerTags, limit) => {
			const inContainers = `AND d.id IN (SELECT t.document FROM document_tags t WHERE t.organisation = ?1 AND t.custom_id = ?2
				AND t.tag IN (SELECT value FROM json_each(?4)))`;
			const tags = containerTags.length === 0 ? [] : [JSON.stringify(containerTags)];
			const sql = `${selectShown} WHERE d.organisation = ?1 AND d.custom_id = ?2 ${tags.length > 0 ? inContainers : ""} ORDER BY d.id LIMIT ?3`;
			return (await read(statement<DocumentRow>(sql).all(organisation, customId, limit, ...tags))).map(documentOf);
		},
		byPrefix: async (prefix, after, limit) => {
			// The last condition is exact; those before it let SQLite use a range of its index.
			const sql = `${selectWithoutTexts} WHERE d.organisation = ? AND d.custom_id >= ? AND d.custom_id < ? AND (d.custom_id, d.id) > (?, ?)
				AND substr(d.custom_id, 1, length(?)) = ? ORDER BY d.custom_id, d.id LIMIT ?`;
			const begin = [after?.customId ?? "", after?.id ?? ""];
			return (await read(statement<DocumentRow>(sql).all(organisation, prefix, behindPrefix(prefix), ...begin, prefix, prefix, limit))).map(documentOf);
		},
		byWriter: async (key, after, limit) => {
			const sql = `${selectWithoutTexts} WHERE d.organisation = ? AND d.written_by = ? AND d.id > ? ORDER BY d.id LIMIT ?`;
			return (await read(statement<DocumentRow>(sql).all(organisation, key, after ?? "", limit))).map(documentOf);
		},
		descendants: async (document) => {
			const descendants = descendantsPrefix(rootOf(document));
			// "0" is the character after "/". CROSS JOIN fixes the order of the joins; otherwise SQLite would scan all documents.
			const sql = `WITH RECURSIVE below (id) AS (
					SELECT id FROM documents WHERE organisation = ?2 AND id = ?1 UNION ALL SELECT d.id FROM below b CROSS JOIN documents d
					ON d.organisation = ?2 AND d.custom_id >= ?3 || b.id || '/' AND d.custom_id < ?3 || b.id || '0')
				SELECT d.status, count(*) AS count, coalesce(sum(CAST(d.content ->> 'byteLength' AS BIGINT)), 0) AS bytes
				FROM below b CROSS JOIN documents d ON d.organisation = ?2 AND d.id = b.id WHERE b.id <> ?1 GROUP BY d.status`;
			const rows = await read(statement<{ status: DocumentStatus; count: number; bytes: number }>(sql).all(document.id, organisation, descendants));
			return { statuses: new Map(rows.map(({ status, count }) => [status, count])), bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
		},
		tagsOf: async (ids) => {
			// CROSS JOIN makes SQLite begin with the few ids.
			const sql = "SELECT d.id, d.container_tags AS tags FROM json_each(?) j CROSS JOIN documents d WHERE d.organisation = ? AND d.id = j.value";
			const rows = await read(statement<{ id: string; tags: string }>(sql).all(JSON.stringify(ids), organisation));
			return new Map(rows.map(({ id, tags }) => [asId<DocumentId>(id), JSON.parse(tags) as readonly string[]]));
		},
		within: async (ids, containerTags) => {
			// Each pair is a key of this table, which is there or not, whatever else is.
			const sql = `SELECT DISTINCT t.document AS id FROM json_each(?) g CROSS JOIN json_each(?) j CROSS JOIN document_tags t
				WHERE t.organisation = ? AND t.tag = g.value AND t.document = j.value`;
			const asked = { sql, params: [JSON.stringify(containerTags), JSON.stringify(ids), organisation] };
			const rows = await readPairs<{ readonly id: string }>(ids.length * containerTags.length, asked, engine);
			return new Set(rows.map(({ id }) => asId<DocumentId>(id)));
		},
		list: (scope, statuses, page, includeContent) => list({ scope, statuses, page, includeContent }),
		tally: documentTally(organisation, engine),
		change: (id, change, now, job, revision) => write("changeDocument", { organisation, id, change, now, job, revision }),
		move: (id, revision, from, to, now) => write("moveDocument", { organisation, id, revision, from, to, now }),
		progress: (id, revision, progress) => write("setProgress", { organisation, id, revision, progress }),
		describe: (id, revision, found) => write("describeDocument", { organisation, id, revision, found }),
		fail: (id, revision, failure, status, now) => write("failDocument", { organisation, id, revision, failure, status, now }),
		setDreaming: (id, revision, dreaming, now, extractedBy) => write("setDreaming", { organisation, id, revision, dreaming, now, extractedBy }),
		extractedByOthers: async (extractedBy, limit) => {
			// Three ranges of the index, so that documents of the current extractors are not read.
			const part = (other: string) => `SELECT * FROM (SELECT id, created_at FROM documents INDEXED BY documents_extracted WHERE organisation = ?1
				AND task_type = 'memory' AND status = 'done' AND dreaming_status = 'done' AND ${other} LIMIT ?3)`;
			const others = ["extracted_by IS NULL", "extracted_by < ?2", "extracted_by > ?2"].map(part).join(" UNION ALL ");
			const sql = `${selectShown} WHERE d.organisation = ?1 AND d.id IN (SELECT id FROM (${others}) ORDER BY created_at, id LIMIT ?3) ORDER BY d.created_at, d.id`;
			return (await read(statement<DocumentRow>(sql).all(organisation, extractedBy, limit))).map(documentOf);
		},
		stage: (id, revision, space, chunks) => stageInParts({ organisation, id, revision }, space, chunks, write),
		publish: (id, revision, now) => write("publishRevision", { organisation, id, revision, now }),
		text: (id, revision) => textInPieces({ organisation, id, revision }, engine),
		...chunkReads(organisation, engine),
		remove: (id, now) => write("removeDocument", { organisation, id, now }),
		dreaming: async (containerTag, limit) => {
			const sql = `${selectShown} WHERE d.organisation = ?1 AND d.dreaming_status = 'dreaming' AND d.published_revision = d.revision
				AND d.status = 'done' AND d.task_type = 'memory' AND d.id IN (SELECT t.document FROM document_tags t WHERE t.organisation = ?1 AND t.tag = ?2) ORDER BY d.created_at, d.rowid LIMIT ?3`;
			return (await read(statement<DocumentRow>(sql).all(organisation, containerTag, limit))).map(documentOf);
		},
	};
}

/** Up to this many documents are read and sorted, in two milliseconds. With more, a page is read along the index of its order. */
const manyDocuments = 300;

export interface ListRequest {
	readonly scope: Scope;
	readonly statuses: readonly DocumentStatus[];
	readonly page: Page;
	readonly includeContent: boolean;
}

export function documentLister(organisation: OrganisationId, engine: SqlEngine): (asked: ListRequest) => Promise<Listed> {
	const { statement, read, snapshot } = engine;
	const many = manyRows("documents", organisation, engine);
	const here = <Row>({ sql, params }: Question): Program<readonly Row[]> => statement<Row>(sql).all(...params);

	function* countedPage(asked: ListRequest, count: Question): Program<Listed> {
		const total = totalOf(yield* here(count));
		return listed(yield* here(pageQuestion(organisation, asked, total)), total);
	}

	return async (asked) => {
		if (known(asked.statuses).length === 0) return listed([], 0);
		const count = countQuestion(organisation, asked);
		if (!(await read(many.areMany()))) return snapshot(countedPage(asked, count));
		const total = totalOf(await many.all(count));
		const page = pageQuestion(organisation, asked, total);
		return listed(isAlongIndex(asked) ? await read(here(page)) : await many.all(page), total);
	};
}

function listed(rows: readonly DocumentRow[], total: number): Listed {
	return { documents: rows.map(documentOf), total };
}

function totalOf([row]: readonly { readonly total: number }[]): number {
	return row?.total ?? 0;
}

function countQuestion(organisation: OrganisationId, { scope, statuses, page }: ListRequest): Question {
	const { where, params } = documentScope(organisation, scope);
	return counting(`documents d WHERE ${where}${statusCondition(statuses)}`, params, page, manyDocuments);
}

/** Whether an index has the documents in this order, and the page is near enough to its beginning to be read on this thread. */
function isAlongIndex({ scope, statuses, page }: ListRequest): boolean {
	return isUnrestricted(scope) && page.offset <= readHereMax && (areAll(statuses) || page.sort === "createdAt");
}

function pageQuestion(organisation: OrganisationId, asked: ListRequest, total: number): Question {
	const { scope, statuses, page, includeContent } = asked;
	const select = includeContent ? selectShown : selectWithoutTexts;
	if (isAlongIndex(asked) && !areAll(statuses)) return newestByStatus(organisation, asked, select);
	const documents = documentScope(organisation, scope);
	// If many documents are in scope, reading along the order soon finds enough of them. If few are, they are listed and then sorted.
	const { where, params } = total > manyDocuments ? documents.test : documents;
	// A plus keeps SQLite from reading along the order for few documents, or for those that are not done: it would read all the others.
	const isAlong = statuses.includes("done") && (total > manyDocuments || isUnrestricted(scope));
	const { after, order } = pageOrder("d", page, isAlong ? "" : "+");
	return {
		sql: `${select} WHERE ${where}${statusCondition(statuses)}${after.sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
		params: [...params, ...after.params, page.limit, page.offset],
	};
}

/** For each status, the index has the documents in the order of their creation. Of each, only as many are read as fit on the pages up to this one. */
function newestByStatus(organisation: OrganisationId, { statuses, page }: ListRequest, select: string): Question {
	const { after, order } = pageOrder("d", page);
	const wanted = known(statuses);
	const part = (status: DocumentStatus) =>
		`SELECT * FROM (SELECT d.rowid FROM documents d WHERE d.organisation = ? AND d.status = '${status}'${after.sql} ORDER BY ${order} LIMIT ?)`;
	return {
		sql: `${select} WHERE d.rowid IN (${wanted.map(part).join(" UNION ALL ")}) ORDER BY ${order} LIMIT ? OFFSET ?`,
		params: [...wanted.flatMap(() => [organisation, ...after.params, page.offset + page.limit]), page.limit, page.offset],
	};
}

function known(statuses: readonly DocumentStatus[]): readonly DocumentStatus[] {
	return documentStatuses.filter((status) => statuses.includes(status));
}

function areAll(statuses: readonly DocumentStatus[]): boolean {
	return known(statuses).length === documentStatuses.length;
}

/** The statuses are literals and not parameters, so that SQLite can use its index of statuses. */
function statusCondition(statuses: readonly DocumentStatus[]): string {
	return areAll(statuses)
		? ""
		: ` AND d.status IN (${known(statuses)
				.map((status) => `'${status}'`)
				.join(", ")})`;
}
