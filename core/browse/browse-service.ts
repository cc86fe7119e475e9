/** What the server may ask about documents together with their memories. */

import { authorize } from "../access/authorize.ts";
import type { Caller } from "../model/caller.ts";
import type { Document } from "../model/document.ts";
import { asId, type DocumentId, isId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import { type Scope, tagsMatch } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { Parts } from "../parts.ts";
import type { DocumentStore, Facet, Page, Position } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { listDocuments } from "./list-documents.ts";
import { shownEdges } from "./shown-edges.ts";

/** A memory and the first of the edges that begin or end at it, see `shownEdges`. */
export interface LinkedMemory {
	readonly memory: Memory;
	readonly edges: readonly MemoryEdge[];
}

export interface DocumentWithMemories {
	readonly document: Document;
	/** Of every version, the newest first; forgotten ones are marked. */
	readonly memories: readonly LinkedMemory[];
}

export interface Browsed {
	readonly documents: readonly DocumentWithMemories[];
	readonly total: number;
	readonly next: Position | null;
}

/** Which name of a document is meant; null accepts both. */
export type NamedBy = "id" | "customId" | null;

export type Facets = Readonly<Record<Facet, ReadonlyMap<string, number>>>;

export interface BrowseService {
	readonly list: (caller: Caller, scope: Scope, page: Page, includeContent: boolean) => Promise<Browsed>;
	/** What a client reads as the content of one, in pieces. */
	readonly text: (caller: Caller, document: Pick<Document, "id" | "revision">) => AsyncIterable<string>;
	/** In the order of the names, each document once; what is unknown or out of scope is left out. */
	readonly named: (caller: Caller, names: readonly string[], by: NamedBy, scope: Scope) => Promise<readonly DocumentWithMemories[]>;
	readonly facets: (caller: Caller, scope: Scope) => Promise<Facets>;
}

export function createBrowseService({ storage }: Pick<Parts, "storage">): BrowseService {
	return {
		list: async (caller, scope, page, includeContent) => {
			const tenant = authorize(storage, caller);
			const { documents, total, next } = await listDocuments(tenant.documents, scope, documentStatuses, page, includeContent);
			return { documents: await withMemories(documents, scope, tenant), total, next };
		},
		text: (caller, { id, revision }) => authorize(storage, caller).documents.text(id, revision),
		named: async (caller, names, by, scope) => {
			const tenant = authorize(storage, caller);
			const found = (await findNamed(names, by, tenant.documents)).filter(({ containerTags }) => tagsMatch(containerTags, scope));
			return withMemories([...new Map(found.map((document) => [document.id, document])).values()], scope, tenant);
		},
		facets: async (caller, scope) => {
			const { documents } = authorize(storage, caller);
			const tally = (by: Facet) => documents.tally(scope, by);
			const [type, status, taskType, dreamingStatus, source, containerTag] = await Promise.all([
				tally("type"),
				tally("status"),
				tally("taskType"),
				tally("dreamingStatus"),
				tally("source"),
				tally("containerTag"),
			]);
			return { type, status, taskType, dreamingStatus, source, containerTag };
		},
	};
}

/** A customId may name a document of each container. */
const namesakesMax = 100;

async function findNamed(names: readonly string[], by: NamedBy, store: DocumentStore): Promise<readonly Document[]> {
	const ids = by === "customId" ? [] : names.filter(isId).map((name) => asId<DocumentId>(name));
	const byId = new Map<string, Document>((await store.getMany([...new Set(ids)], false)).map((document) => [document.id, document]));
	const found = await Promise.all(names.map(async (name) => byId.get(name) ?? (by === "id" ? [] : await store.byCustomId(name, [], namesakesMax))));
	return [...new Set(found.flat())];
}

/** Two round trips to the store, however many documents there are. Of a memory that several containers have, those in scope see their own. */
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
