/** The responses of `/v3/documents/documents…`: documents with their memories, and counts. */

import type { DocumentPage, DocumentWithMemories, LinkedMemory } from "../../../../core/browse/browse-service.ts";
import type { Document } from "../../../../core/model/document.ts";
import type { DocumentType } from "../../../../core/model/extraction.ts";
import type { DocumentId, OrganisationId } from "../../../../core/model/id.ts";
import type { Tallies } from "../../../../core/ports/document-store.ts";
import { type RequestedPage, toNextCursor, toPagination } from "../../requests/paging.ts";
import type { ContentOf } from "../../responses/long-response.ts";
import { toMemoryRow } from "../../v4/memory-responses.ts";
import { toListedDocument, toOrigin } from "./document.ts";

/** Supermemory's categories of document types. */
const categories = {
	webpage: { label: "Webpages", types: ["webpage", "github_markdown"] },
	tweet: { label: "Tweets", types: ["tweet"] },
	google_drive: { label: "Google Drive", types: ["google_doc", "google_slide", "google_sheet"] },
	notion: { label: "Notion", types: ["notion_doc"] },
	onedrive: { label: "OneDrive", types: ["onedrive"] },
	files: { label: "Files", types: ["pdf", "image", "video", "audio"] },
	notes: { label: "Notes", types: ["text"] },
} as const satisfies Record<string, { readonly label: string; readonly types: readonly DocumentType[] }>;

export function toBrowsed({ documents, total, next }: DocumentPage, page: RequestedPage, contentOf: ContentOf | null) {
	return {
		documents: documents.map((document) => toRow(document, contentOf)),
		pagination: toPagination(page, total),
		nextCursor: toNextCursor(page, next),
	};
}

/** The same response with all documents on one page. */
export function toNamed(documents: readonly DocumentWithMemories[]) {
	const { length } = documents;
	return {
		documents: documents.map((document) => toRow(document, null)),
		pagination: { currentPage: 1, limit: length, totalItems: length, totalPages: Math.min(length, 1) },
		nextCursor: null,
	};
}

export function toFacets({ type, status, taskType, dreamingStatus, source, containerTag }: Tallies) {
	const facets = Object.entries(categories).flatMap(([category, { label, types }]) => {
		const count = types.reduce((sum, name) => sum + (type.get(name) ?? 0), 0);
		return count === 0 ? [] : [{ category, label, count }];
	});
	return {
		total: [...status.values()].reduce((sum, count) => sum + count, 0),
		facets,
		types: byFrequency(type),
		statuses: byFrequency(status),
		taskTypes: byFrequency(taskType),
		dreamingStatuses: byFrequency(dreamingStatus),
		sources: byFrequency(source),
		containerTags: byFrequency(containerTag),
	};
}

function toRow({ document, memories }: DocumentWithMemories, contentOf: ContentOf | null) {
	return {
		...toListedDocument(document),
		...toOrigin(document),
		orgId: document.organisation,
		content: contentOf?.(document) ?? null,
		memoryEntries: memories.map((linked) => toEntry(linked, document.id, document.organisation)),
	};
}

/** A memory with its evidence in this document. */
function toEntry(linked: LinkedMemory, document: Document["id"], organisation: OrganisationId) {
	const { memory } = linked;
	return {
		...toMemoryRow(linked, organisation),
		documentId: document,
		sourceAddedAt: memory.createdAt.toISOString(),
		// Supermemory's API has a number from 0 to 100 here.
		sourceRelevanceScore: Math.round(memory.confidence * 100),
		sourceMetadata: { evidence: evidenceFrom(linked, document) },
	};
}

function evidenceFrom({ memory }: LinkedMemory, source: DocumentId) {
	return memory.evidence.flatMap(({ document, chunk, span }) => (document === source ? [{ chunkId: chunk, span }] : []));
}

/** The counts as an object, most frequent first. */
function byFrequency(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
	return Object.fromEntries([...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)));
}
