/** A document as `/v3/documents` returns it. Some fields are there twice, since the API contract has them in snake_case and clients read camelCase. */

import type { ListedPage } from "../../../../core/browse/list-documents.ts";
import type { Chunk } from "../../../../core/model/chunk.ts";
import type { Content } from "../../../../core/model/content.ts";
import type { Document } from "../../../../core/model/document.ts";
import type { Memory } from "../../../../core/model/memory.ts";
import { connectionOf, parentOf } from "../../../../core/model/reserved-custom-ids.ts";
import type { DocumentStatus } from "../../../../core/model/status.ts";
import { type RequestedPage, toNextCursor, toPagination } from "../../requests/paging.ts";
import { type ContentOf, jsonList, type LongResponse } from "../../responses/long-response.ts";
import { toExtractedMemory } from "../../v4/memory-responses.ts";

/** Data that is not stored with a document: the statuses of its attachments, its memories, and how to read its content. */
export interface DocumentDetails {
	readonly attachmentStatuses: ReadonlyMap<DocumentStatus, number>;
	readonly memories: readonly Memory[];
	readonly longResponse: LongResponse;
	readonly contentOf: ContentOf;
}

/** If a document has more memories than this, they are sent in pages of this size. */
const memoriesPerPage = 500;

/** Everything about one document. */
export function toDocument(document: Document, { attachmentStatuses, memories, longResponse, contentOf }: DocumentDetails) {
	const { findings, failure } = document;
	return {
		...toListedDocument(document),
		content: contentOf(document),
		...(memories.length === 0 ? {} : { memories: toMemories(memories, longResponse) }),
		...toOrigin(document),
		spatialPoint: null,
		language: findings.language,
		author: findings.about.author ?? null,
		publishedAt: findings.about.publishedAt ?? null,
		canonicalUrl: findings.about.canonical ?? null,
		siteName: findings.about.siteName ?? null,
		error: failure === null ? null : { ...failure, retryAt: failure.retryAt?.toISOString() ?? null },
		failedStage: failure?.stage ?? null,
		remarks: findings.warnings,
		members: { total: [...attachmentStatuses.values()].reduce((sum, count) => sum + count, 0), statuses: Object.fromEntries(attachmentStatuses) },
	};
}

function toMemories(memories: readonly Memory[], { placeholderFor }: LongResponse) {
	if (memories.length <= memoriesPerPage) return memories.map(toExtractedMemory);
	return placeholderFor(jsonList(memoryPages(memories)));
}

async function* memoryPages(memories: readonly Memory[]): AsyncGenerator<readonly object[]> {
	for (let i = 0; i < memories.length; i += memoriesPerPage) yield memories.slice(i, i + memoriesPerPage).map(toExtractedMemory);
}

/** Fields about the source of the document, besides its URL. */
export function toOrigin(document: Document) {
	return { raw: null, source: metadataText(document, "source"), ogImage: document.findings.about.image ?? null };
}

/** An item of a list: everything but the content. */
export function toListedDocument(document: Document) {
	const { id, customId, containerTags, status, dreamingStatus, metadata, filepath, taskType, progress, findings, content } = document;
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
		url: urlOf(content),
		containerTags,
		container_tags: containerTags,
		createdAt,
		created_at: createdAt,
		updatedAt,
		updated_at: updatedAt,
	};
}

/**
 * `POST /v3/documents/list`: the API contract calls the documents `memories`.
 *
 * @param contentOf null if contents are not requested
 */
export function toDocumentList({ documents, total, next }: ListedPage, page: RequestedPage, contentOf: ContentOf | null) {
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

/** `GET /v3/documents/processing`, with both names of the total. */
export function toProcessing({ documents, total, next }: ListedPage, page: Parameters<typeof toNextCursor>[0]) {
	return { documents: documents.map(toListedDocument), total, totalCount: total, nextCursor: toNextCursor(page, next) };
}

function urlOf(content: Content): string | null {
	if (content.kind === "address") return content.url;
	return content.kind === "file" ? (content.address ?? null) : null;
}

function metadataText({ metadata }: Document, key: string): string | null {
	const value = metadata[key];
	return typeof value === "string" ? value : null;
}
