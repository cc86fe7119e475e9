/** Converts documents to rows of several tables and back. The statements read a document with all its texts, with short texts only, or without texts. */

import { type About, asId, type DocumentType, type OrganisationId, type Progress, type Warning } from "cairn-memory";
import type { Content, Document, DocumentId, DocumentStatus, Dreaming, DreamingStatus, Failure, Metadata, TaskType } from "cairn-memory/stores";
import type { Program, SqlContext } from "../executor.ts";
import { documentMetadata, documents, documentTags } from "../schema.ts";
import { metadataRows } from "../scopes/metadata-sql.ts";
import { columnList, inserter, manyInserter } from "../table-rows.ts";
import type { DocumentKey } from "./document-operations.ts";

/** A row with the two texts, which are in a table of their own. They are null if they were not asked for, or do not exist. */
export type DocumentRow = typeof documents.$inferSelect & {
	readonly contentText: string | null;
	readonly foundText: string | null;
	/** 1 if a text was left out because of its length. */
	readonly isLong?: number | null;
};

export function documentRow(document: Document): typeof documents.$inferInsert {
	const { id, organisation, customId, content, filepath, taskType, dreaming, status, dreamingStatus, revision, publishedRevision, findings } = document;
	return {
		...{ id, organisation, customId, filepath, taskType, dreaming, status, dreamingStatus, revision, publishedRevision },
		...contentColumns(content),
		containerTags: JSON.stringify(document.containerTags),
		metadata: JSON.stringify(document.metadata),
		neighbourFilter: jsonOrNull(document.neighbourFilter),
		writtenBy: document.writtenBy,
		lastEdition: 0,
		type: findings.type,
		title: findings.title,
		summary: findings.summary,
		language: findings.language,
		remarks: JSON.stringify(findings.warnings),
		about: JSON.stringify(findings.about),
		extractedBy: document.extractedBy ?? null,
		failure: jsonOrNull(document.failure),
		progress: jsonOrNull(document.progress),
		createdAt: document.createdAt.getTime(),
		updatedAt: document.updatedAt.getTime(),
	};
}

/** The text of a content is not in its row: see `contentText`. */
export function contentColumns(content: Content): { readonly content: string; readonly blob: string | null } {
	const { blob } = content.kind === "file" ? content : { blob: null };
	return { content: JSON.stringify(content.kind === "text" ? { ...content, text: "" } : content), blob };
}

export function contentText(content: Content): string | null {
	return content.kind === "text" ? content.text : null;
}

export function documentOf(row: DocumentRow): Document {
	const content: Content = JSON.parse(row.content);
	const metadata: Metadata = JSON.parse(row.metadata);
	const containerTags: readonly string[] = JSON.parse(row.containerTags);
	const warnings: readonly Warning[] = JSON.parse(row.remarks);
	const about: About = row.about === null ? {} : JSON.parse(row.about);
	const progress: Progress | null = row.progress === null ? null : JSON.parse(row.progress);
	// The columns were written by `documentRow`, so their values are those of the model.
	return {
		id: asId<DocumentId>(row.id),
		organisation: asId<OrganisationId>(row.organisation),
		customId: row.customId,
		containerTags,
		content: content.kind === "text" ? { ...content, text: row.contentText ?? "" } : content,
		metadata,
		filepath: row.filepath,
		taskType: row.taskType as TaskType,
		dreaming: row.dreaming as Dreaming,
		neighbourFilter: row.neighbourFilter === null ? null : JSON.parse(row.neighbourFilter),
		writtenBy: row.writtenBy,
		status: row.status as DocumentStatus,
		dreamingStatus: row.dreamingStatus as DreamingStatus,
		revision: row.revision,
		publishedRevision: row.publishedRevision,
		findings: { type: row.type as DocumentType, title: row.title, summary: row.summary, language: row.language, text: row.foundText, warnings, about },
		...(row.isLong === 1 ? { isTextLeftOut: true } : {}),
		...(row.extractedBy === null ? {} : { extractedBy: row.extractedBy }),
		failure: failureOf(row.failure),
		progress,
		createdAt: new Date(row.createdAt),
		updatedAt: new Date(row.updatedAt),
	};
}

export function jsonOrNull(value: unknown): string | null {
	return value === null ? null : JSON.stringify(value);
}

function failureOf(json: string | null): Failure | null {
	if (json === null) return null;
	const failure: Omit<Failure, "retryAt"> & { readonly retryAt: string | null } = JSON.parse(json);
	return { ...failure, retryAt: failure.retryAt === null ? null : new Date(failure.retryAt) };
}

export const selectDocument = `SELECT ${columnList(documents, "d")}, x.content AS contentText, x.found AS foundText
	FROM documents d LEFT JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id`;

/** The longest text that is read with a document for a list or a response. Of a longer one only the length is read; the text is on other pages of the file. */
export const shortTextBytes = 64 * 1_024;

const short = (column: string) => `CASE WHEN octet_length(x.${column}) > ${shortTextBytes} THEN NULL ELSE x.${column} END`;

export const selectShown = `SELECT ${columnList(documents, "d")}, ${short("content")} AS contentText, ${short("found")} AS foundText,
	coalesce(max(octet_length(x.content), octet_length(x.found)), octet_length(x.content), octet_length(x.found)) > ${shortTextBytes} AS isLong
	FROM documents d LEFT JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id`;

export const selectWithoutTexts = `SELECT ${columnList(documents, "d")}, NULL AS contentText, NULL AS foundText FROM documents d`;

export interface DocumentSideRows {
	readonly setTexts: (key: DocumentKey, content: string | null, found: string | null) => Program<unknown>;
	/** The extracted text alone. */
	readonly setFound: (key: DocumentKey, found: string | null) => Program<unknown>;
	/** @param before the tags that it has now, because the table is sorted by tag and cannot be searched by document. */
	readonly setTags: (key: DocumentKey, before: readonly string[], tags: readonly string[], customId: string | null) => Program<unknown>;
	/** Whether another document of one of the containers has the customId. */
	readonly isTaken: (key: DocumentKey, customId: string | null, tags: readonly string[]) => Program<boolean>;
	/** Of a document that has none. */
	readonly addMetadata: (key: DocumentKey, metadata: Metadata) => Program<unknown>;
	readonly setMetadata: (key: DocumentKey, metadata: Metadata) => Program<unknown>;
	/** Removes it from lists and filters; its texts stay. */
	readonly hide: (key: DocumentKey, tags: readonly string[]) => Program<unknown>;
	readonly removeAll: (key: DocumentKey, tags: readonly string[]) => Program<unknown>;
}

export function documentSideRows(connection: SqlContext): DocumentSideRows {
	const { statement } = connection;
	const insertTag = inserter(connection, documentTags);
	const insertElements = manyInserter(connection, documentMetadata);

	function* removeTags({ organisation, id }: DocumentKey, tags: readonly string[]): Program<void> {
		for (const tag of new Set(tags))
			yield* statement("DELETE FROM document_tags WHERE organisation = ? AND tag = ? AND document = ?").run(organisation, tag, id);
	}

	function removeMetadata({ organisation, id }: DocumentKey): Program<unknown> {
		return statement("DELETE FROM document_metadata WHERE organisation = ? AND document = ?").run(organisation, id);
	}

	function addMetadata({ organisation, id: document }: DocumentKey, metadata: Metadata): Program<void> {
		return insertElements(metadataRows(metadata).map((row) => ({ organisation, document, ...row })));
	}

	/** Removes the digests of the chunks that memories were extracted from, so that a restored document is read as a whole. */
	function removeReadChunks({ organisation, id }: DocumentKey): Program<unknown> {
		return statement("DELETE FROM records WHERE organisation = ? AND kind = 'read-chunks' AND id = ?").run(organisation, id);
	}

	return {
		setTexts({ organisation, id }, content, found) {
			const sql = `INSERT INTO document_texts (organisation, document, content, found) VALUES (?, ?, ?, ?)
				ON CONFLICT (organisation, document) DO UPDATE SET content = excluded.content, found = excluded.found`;
			return statement(sql).run(organisation, id, content, found);
		},
		setFound({ organisation, id }, found) {
			return statement("UPDATE document_texts SET found = ? WHERE organisation = ? AND document = ?").run(found, organisation, id);
		},
		*setTags(key, before, tags, customId) {
			yield* removeTags(key, before);
			for (const tag of new Set(tags)) yield* insertTag({ organisation: key.organisation, tag, document: key.id, customId });
		},
		*isTaken({ organisation, id }, customId, tags) {
			const sql = "SELECT 1 FROM document_tags WHERE organisation = ? AND custom_id = ? AND tag IN (SELECT value FROM json_each(?)) AND document <> ? LIMIT 1";
			return customId !== null && (yield* statement(sql).get(organisation, customId, JSON.stringify(tags), id)) !== null;
		},
		addMetadata,
		*setMetadata(key, metadata) {
			yield* removeMetadata(key);
			yield* addMetadata(key, metadata);
		},
		*hide(key, tags) {
			yield* removeTags(key, tags);
			yield* removeMetadata(key);
			yield* removeReadChunks(key);
		},
		*removeAll(key, tags) {
			yield* removeTags(key, tags);
			yield* removeMetadata(key);
			yield* removeReadChunks(key);
			yield* statement("DELETE FROM document_texts WHERE organisation = ? AND document = ?").run(key.organisation, key.id);
		},
	};
}
