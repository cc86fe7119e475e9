/** A document as `/v3/documents` shows it, in both spellings: the specification's snake_case and the clients' camelCase. */

import type { ListedOnwards } from "../../../../core/browse/list-documents.ts";
import type { Chunk } from "../../../../core/model/chunk.ts";
import type { Content } from "../../../../core/model/content.ts";
import type { Document } from "../../../../core/model/document.ts";
import type { Memory } from "../../../../core/model/memory.ts";
import { connectionOf, parentOf } from "../../../../core/model/reserved-custom-ids.ts";
import type { DocumentStatus } from "../../../../core/model/status.ts";
import { type ContentOf, jsonList, type LongAnswer } from "../../answers/long-answer.ts";
import { type AskedPage, toNextCursor, toPagination } from "../../requests/paging.ts";
import { toMemoryOf } from "../../v4/memory-responses.ts";

/** Additional data of a document: its attachments, its memories, and how to read its content. */
export interface Beside {
	readonly inside: ReadonlyMap<DocumentStatus, number>;
	readonly memories: readonly Memory[];
	readonly answer: LongAnswer;
	readonly contentOf: ContentOf;
}

/** Memories that are written at once; more come page by page, as a long text does. */
const memoriesPerPage = 500;

/** Everything about one document. */
export function toDocument(document: Document, { inside, memories, answer, contentOf }: Beside) {
	const { findings, failure } = document;
	return {
		...toListedDocument(document),
		content: contentOf(document),
		...(memories.length === 0 ? {} : { memories: listOf(memories, answer) }),
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
		members: { total: [...inside.values()].reduce((sum, count) => sum + count, 0), statuses: Object.fromEntries(inside) },
	};
}

function listOf(memories: readonly Memory[], { later }: LongAnswer) {
	if (memories.length <= memoriesPerPage) return memories.map(toMemoryOf);
	return later(jsonList(pagesOf(memories)));
}

async function* pagesOf(memories: readonly Memory[]): AsyncGenerator<readonly object[]> {
	for (let i = 0; i < memories.length; i += memoriesPerPage) yield memories.slice(i, i + memoriesPerPage).map(toMemoryOf);
}

/** Where it came from, beside its address. */
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
		url: addressOf(content),
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
