/** A document as a row, and back. */

import type { About, Content, Document, DocumentId, Dreaming, DreamingStatus, Failure, Metadata, OrganisationId, TaskType } from "cairn-memory";
import { asId, type DocumentStatus, type DocumentType, type Progress, type Warning } from "cairn-memory";
import type { documents } from "../schema.ts";

/** With the two long texts, which are kept apart; null when they were not asked for as well as when there are none. */
export type DocumentRow = typeof documents.$inferSelect & {
	readonly contentText: string | null;
	readonly foundText: string | null;
	/** 1 where one of them was left out for its length. */
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
	// What the columns hold was written by `documentRow`, so their words are those of the model.
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
