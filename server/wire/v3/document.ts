/** A document as `/v3/documents` shows it, in both spellings: the specification's snake_case and the clients' camelCase. */

import type { ListedOnwards } from "../../../core/browse/list-documents.ts";
import { connectionOf } from "../../../core/connections/synced-name.ts";
import type { Chunk } from "../../../core/model/chunk.ts";
import type { Content } from "../../../core/model/content.ts";
import type { Document } from "../../../core/model/document.ts";
import { parentOf } from "../../../core/model/member.ts";
import type { DocumentStatus } from "../../../core/model/status.ts";
import type { ContentOf } from "../long-answer.ts";
import { type AskedPage, toNextCursor, toPagination } from "../paging.ts";

/** The answer to adding or changing: processing goes on afterwards. */
export function toReceipt({ id, status }: Document) {
	return { id, status };
}

/** Everything about one document. */
export function toDocument(document: Document, inside: ReadonlyMap<DocumentStatus, number>, contentOf: ContentOf) {
	const { findings, failure } = document;
	return {
		...toListedDocument(document),
		content: contentOf(document),
		...toOrigin(document),
		spatialPoint: null,
		language: findings.language,
		author: findings.about.author ?? null,
		publishedAt: findings.about.publishedAt ?? null,
		canonicalUrl: findings.about.canonical ?? null,
		siteName: findings.about.siteName ?? null,
		error: failure === null ? null : { ...failure, retryAt: failure.retryAt?.toISOString() ?? null },
		failedStage: failure?.stage ?? null,
		remarks: findings.remarks,
		members: { total: [...inside.values()].reduce((sum, count) => sum + count, 0), statuses: Object.fromEntries(inside) },
	};
}

/** Where it came from. */
export function toOrigin(document: Document) {
	const { content, findings } = document;
	return { raw: null, source: metadataText(document, "source"), ogImage: findings.about.image ?? null, url: addressOf(content) };
}

/** An item of a list: everything but the content. */
export function toListedDocument(document: Document) {
	const { id, customId, containerTags, status, dreamingStatus, metadata, filepath, taskType, progress, findings } = document;
	const createdAt = document.createdAt.toISOString();
	const updatedAt = document.updatedAt.toISOString();
	return {
		id,
		customId,
		connectionId: connectionOf(customId),
		parentId: parentOf(customId),
		title: findings.title,
		summary: findings.summary,
		type: findings.type,
		taskType,
		status,
		dreamingStatus,
		progress,
		metadata,
		filepath,
		containerTags,
		container_tags: containerTags,
		createdAt,
		created_at: createdAt,
		updatedAt,
		updated_at: updatedAt,
	};
}

/** `POST /v3/documents/list`: the contract calls the documents `memories`. */
/** @param contentOf null where contents are not asked for. */
export function toDocumentList({ documents, total, next }: ListedOnwards, page: AskedPage, contentOf: ContentOf | null) {
	return {
		memories: documents.map((document) => ({ ...toListedDocument(document), ...(contentOf === null ? {} : { content: contentOf(document) }) })),
		pagination: toPagination(page, total),
		nextCursor: toNextCursor(page, next),
	};
}

/** `GET /v3/documents/{id}/chunks` */
export function toChunks(document: Document, chunks: readonly Chunk[]) {
	return { documentId: document.id, chunks: chunks.map((chunk) => toChunk(document, chunk)), total: chunks.length };
}

export function toChunk({ createdAt }: Document, { id, position, text, place }: Chunk) {
	return { id, position, content: text, type: "text", metadata: null, place, createdAt: createdAt.toISOString() };
}

/** `GET /v3/documents/processing`, with both names of the count. */
export function toProcessing({ documents, total, next }: ListedOnwards, page: Parameters<typeof toNextCursor>[0]) {
	return { documents: documents.map(toListedDocument), total, totalCount: total, nextCursor: toNextCursor(page, next) };
}

function addressOf(content: Content): string | null {
	if (content.kind === "address") return content.url;
	return content.kind === "file" ? (content.address ?? null) : null;
}

function metadataText({ metadata }: Document, key: string): string | null {
	const value = metadata[key];
	return typeof value === "string" ? value : null;
}
