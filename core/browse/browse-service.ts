/** Lists documents together with their memories, and counts documents by their properties. */

import { authorize } from "../access/authorize.ts";
import type { Caller } from "../model/caller.ts";
import type { Document } from "../model/document.ts";
import { asId, type DocumentId, isId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import { type Scope, tagsMatch } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { Parts } from "../parts.ts";
import type { DocumentStore, Page, Position, Tallies } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { listDocuments } from "./list-documents.ts";
import { shownEdges } from "./shown-edges.ts";

/** A memory with some of the edges that begin or end at it, see `shownEdges`. */
export interface LinkedMemory {
	readonly memory: Memory;
	readonly edges: readonly MemoryEdge[];
}

export interface DocumentWithMemories {
	readonly document: Document;
	/** All versions, newest first, including forgotten ones. */
	readonly memories: readonly LinkedMemory[];
}

export interface DocumentPage {
	readonly documents: readonly DocumentWithMemories[];
	readonly total: number;
	readonly next: Position | null;
}

/** Which kind of id a client sends for documents; null accepts both. */
export type DocumentIdKind = "id" | "customId" | null;

export interface BrowseService {
	readonly list: (caller: Caller, scope: Scope, page: Page, includeContent: boolean) => Promise<DocumentPage>;
	/** The text of a document as a client reads it, in pieces. */
	readonly text: (caller: Caller, document: Pick<Document, "id" | "revision">) => AsyncIterable<string>;
	/** The documents with these ids or customIds, in that order, each once; unknown ones and those out of scope are left out. */
	readonly getMany: (caller: Caller, idsOrCustomIds: readonly string[], by: DocumentIdKind, scope: Scope) => Promise<readonly DocumentWithMemories[]>;
	readonly facets: (caller: Caller, scope: Scope) => Promise<Tallies>;
}

export function createBrowseService({ storage }: Pick<Parts, "storage">): BrowseService {
	return {
		list: async (caller, scope, page, includeContent) => {
			const tenant = authorize(storage, caller);
			const { documents, total, next } = await listDocuments(tenant.documents, scope, documentStatuses, page, includeContent);
			return { documents: await withMemories(documents, scope, tenant), total, next };
		},
		text: (caller, { id, revision }) => authorize(storage, caller).documents.text(id, revision),
		getMany: async (caller, idsOrCustomIds, by, scope) => {
			const tenant = authorize(storage, caller);
			const found = (await findMany(idsOrCustomIds, by, tenant.documents)).filter(({ containerTags }) => tagsMatch(containerTags, scope));
			return withMemories([...new Map(found.map((document) => [document.id, document])).values()], scope, tenant);
		},
		facets: (caller, scope) => authorize(storage, caller).documents.tally(scope, ["type", "status", "taskType", "dreamingStatus", "source", "containerTag"]),
	};
}

/** The most documents read for one customId: each container may have one. */
const perCustomIdMax = 100;

async function findMany(idsOrCustomIds: readonly string[], by: DocumentIdKind, store: DocumentStore): Promise<readonly Document[]> {
	const ids = by === "customId" ? [] : idsOrCustomIds.filter(isId).map((name) => asId<DocumentId>(name));
	const byId = new Map<string, Document>((await store.getMany([...new Set(ids)], false)).map((document) => [document.id, document]));
	const found = await Promise.all(idsOrCustomIds.map(async (name) => byId.get(name) ?? (by === "id" ? [] : await store.byCustomId(name, [], perCustomIdMax))));
	return [...new Set(found.flat())];
}

/** Makes two calls of the store, however many documents there are. If a document has memories in several containers, only those in scope are returned. */
async function withMemories(documents: readonly Document[], { containerTags }: Scope, tenant: TenantStore): Promise<readonly DocumentWithMemories[]> {
	const extracted = await tenant.memories.ofDocuments(documents.map(({ id }) => id));
	const memories = containerTags.length === 0 ? extracted : extracted.filter(({ containerTag }) => containerTags.includes(containerTag));
	const edges = await shownEdges(
		memories.map(({ id }) => id),
		tenant.memories,
	);
	const byDocument = new Map<DocumentId, LinkedMemory[]>(documents.map(({ id }) => [id, []]));
	for (const memory of memories) {
		const linked = { memory, edges: edges.get(memory.id) ?? [] };
		for (const source of new Set(memory.evidence.map(({ document }) => document))) byDocument.get(source)?.push(linked);
	}
	return documents.map((document) => ({ document, memories: byDocument.get(document.id) ?? [] }));
}
