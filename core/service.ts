/** `createService(parts)` creates the functions of core that the server calls. */

import { authorize } from "./access/authorize.ts";
import { findByCustomId, findDocument } from "./access/find-document.ts";
import { type ListedPage, listDocuments } from "./browse/list-documents.ts";
import { resumeSyncs } from "./connections/resume-syncs.ts";
import { backfillSpaces } from "./embedding-spaces/backfill-spaces.ts";
import { fail } from "./errors/fail.ts";
import { type Conversation, converse } from "./ingest/converse.ts";
import { createDrawPage } from "./ingest/draw-page.ts";
import { type AddRequest, receive } from "./ingest/receive.ts";
import { remove } from "./ingest/remove.ts";
import { type Revision, reprocess, revise } from "./ingest/revise.ts";
import { announceDeliveries } from "./jobs/announce-deliveries.ts";
import { deliverHandler } from "./jobs/deliver-handler.ts";
import { ingestHandler } from "./jobs/ingest-handler.ts";
import { mergeHandler } from "./jobs/merge-handler.ts";
import { rememberHandler } from "./jobs/remember-handler.ts";
import { enqueueRenewals, renewHandler } from "./jobs/renew-handler.ts";
import { signInHandler } from "./jobs/sign-in-handler.ts";
import { syncHandler } from "./jobs/sync-handler.ts";
import { work } from "./jobs/worker.ts";
import { meteredStep } from "./language/step.ts";
import type { Caller } from "./model/caller.ts";
import type { Chunk } from "./model/chunk.ts";
import type { FileContent } from "./model/content.ts";
import type { Document } from "./model/document.ts";
import { type DocumentId, newId } from "./model/id.ts";
import { limits } from "./model/limits.ts";
import type { Memory } from "./model/memory.ts";
import { type Scope, wholeOrganisation } from "./model/scope.ts";
import { type DocumentStatus, unfinishedStatuses } from "./model/status.ts";
import type { Parts } from "./parts.ts";
import type { PagePicture, Step, WantedPage } from "./plugin/contract.ts";
import type { DocumentStore, Page } from "./ports/document-store.ts";
import { createSharedMutex } from "./runtime/keyed-mutex.ts";
import type { Notifier } from "./runtime/notifier.ts";
import { observed } from "./runtime/observed.ts";
import { aggregate } from "./search/aggregate.ts";
import { asksForEverything } from "./search/everything.ts";
import { type Explained, explainDocuments, explainMemories } from "./search/explanation/explain.ts";
import { type DocumentQuery, type FoundDocument, searchDocuments } from "./search/search-documents.ts";
import { type FoundItem, type MemoryQuery, searchMemories } from "./search/search-memories.ts";
import { openSearchModel } from "./search/search-model.ts";

export interface Service {
	readonly add: (caller: Caller, request: AddRequest) => Promise<Document>;
	readonly converse: (caller: Caller, conversation: Conversation) => Promise<Document>;
	/** Finds a document by id, or by `customId` in these containers (in all if absent or empty); a long text is left out. Throws `DOCUMENT_MISSING`. */
	readonly get: (caller: Caller, idOrCustomId: string, containerTags?: readonly string[]) => Promise<Document>;
	/** Finds a document by `customId` in one container; null if there is none. */
	readonly named: (caller: Caller, customId: string, containerTag: string) => Promise<Document | null>;
	/** The text of a document as clients read it, in pieces. */
	readonly text: (caller: Caller, document: Pick<Document, "id" | "revision">) => AsyncIterable<string>;
	/** How many descendants of a document have each status. */
	readonly descendants: (caller: Caller, document: Document) => Promise<ReadonlyMap<DocumentStatus, number>>;
	/** The memories extracted from a document, in all versions, newest first. Forgotten ones are included and marked. */
	readonly memories: (caller: Caller, document: Pick<Document, "id">) => Promise<readonly Memory[]>;
	readonly revise: (caller: Caller, idOrCustomId: string, revision: Revision) => Promise<Document>;
	/** Processes a document again, unless it is being processed. */
	readonly reprocess: (caller: Caller, idOrCustomId: string) => Promise<Document>;
	readonly remove: (caller: Caller, idOrCustomId: string) => Promise<void>;
	readonly list: (caller: Caller, scope: Scope, statuses: readonly DocumentStatus[], page: Page, includeContent: boolean) => Promise<ListedPage>;
	/** The published chunks of a document, by position, in pages. */
	readonly chunks: (caller: Caller, idOrCustomId: string) => Promise<{ readonly document: Document; readonly pages: AsyncIterable<readonly Chunk[]> }>;
	/** A page of an uploaded file as a picture. Throws `FILE_NONE`, `PAGES_NONE` or `PAGE_MISSING`. */
	readonly drawPage: (caller: Caller, idOrCustomId: string, wanted: WantedPage) => Promise<PagePicture>;
	/** Stores the bytes of an upload before its document exists. If it is known that no document is added, `drop` must be called. */
	readonly keep: (caller: Caller, bytes: AsyncIterable<Uint8Array>, bytesMax: number) => Promise<Pick<FileContent, "blob" | "byteLength" | "sha256">>;
	/** The bytes of an upload; null if they no longer exist. */
	readonly bytes: (caller: Caller, blob: string) => Promise<Uint8Array | null>;
	readonly drop: (caller: Caller, blob: string) => Promise<void>;
	/** Documents that are neither done nor failed, newest first. */
	readonly processing: (caller: Caller, page?: Pick<Page, "limit" | "after">) => Promise<ListedPage>;
	readonly searchDocuments: (caller: Caller, query: DocumentQuery, signal: AbortSignal) => Promise<readonly FoundDocument[]>;
	readonly searchMemories: (caller: Caller, query: Omit<MemoryQuery, "now">, signal: AbortSignal) => Promise<readonly FoundItem[]>;
	/** The same search with an explanation of its scores and of what was left out. It takes a little longer. */
	readonly explainDocuments: (caller: Caller, query: DocumentQuery, signal: AbortSignal) => Promise<Explained<FoundDocument>>;
	readonly explainMemories: (caller: Caller, query: Omit<MemoryQuery, "now">, signal: AbortSignal) => Promise<Explained<FoundItem>>;
}

/** More documents than a person reads; the total is returned too. A thousand would block the server's thread for 15 ms. */
const processingShownMax = 500;

/** This many chunks take about 2 ms to read and return. */
const chunksPerPage = 200;

export function createService(parts: Parts, notifier: Pick<Notifier, "notify">): Service {
	const { storage, world } = parts;
	const tenant = (caller: Caller) => authorize(storage, caller);
	const oneAtATime = createSharedMutex(parts);
	const drawPage = createDrawPage(parts);
	// The records of the whole organisation, because the cost of a read-only key is stored as well.
	const stepFor = ({ organisation }: Caller, signal: AbortSignal) => meteredStep(storage.organisation(organisation).records, world, signal);

	async function searchStep(caller: Caller, { rewriteQuery, scope }: Pick<DocumentQuery, "rewriteQuery" | "scope">, signal: AbortSignal): Promise<Step> {
		const step = stepFor(caller, signal);
		// The model has its own time limit. If its answer comes too late for this search, or the client disconnects, the answer is still stored for the next search.
		const client = rewriteQuery
			? await openSearchModel("queries", caller, scope, parts, stepFor(caller, AbortSignal.timeout(limits.modelLateTimeoutMs)))
			: null;
		return client === null ? step : { ...step, model: client };
	}

	async function merged(found: readonly FoundItem[], caller: Caller, query: Omit<MemoryQuery, "now">, step: Step): Promise<readonly FoundItem[]> {
		if (query.aggregate !== true || parts.modelGateway === null || asksForEverything(query.query)) return found;
		const client = await openSearchModel("aggregates", caller, query.scope, parts, stepFor(caller, AbortSignal.timeout(limits.modelLateTimeoutMs)));
		return client === null ? found : aggregate(found, query, { client, digest: parts.modelGateway.digest, reranker: parts.reranker }, step);
	}

	const get: Service["get"] = async (caller, idOrCustomId, containerTags) => {
		const document = await findDocument(idOrCustomId, tenant(caller).documents, true, containerTags);
		if (document === null) throw fail("DOCUMENT_MISSING");
		return document;
	};

	return {
		get,
		named: (caller, customId, containerTag) => findByCustomId(customId, [containerTag], tenant(caller).documents),
		text: (caller, { id, revision }) => tenant(caller).documents.text(id, revision),
		add: async (caller, request) => {
			const document = await receive({ ...request, ...writtenBy(caller) }, caller.organisation, tenant(caller), world);
			notifier.notify();
			return document;
		},
		converse: async (caller, conversation) => {
			// Each request reads the messages and writes all of them.
			const append = () => converse({ ...conversation, ...writtenBy(caller) }, caller.organisation, tenant(caller), world);
			const document = await oneAtATime(`conversation ${caller.organisation} ${conversation.id}`, append, caller.organisation);
			notifier.notify();
			return document;
		},
		descendants: async (caller, document) => (await tenant(caller).documents.descendants(document)).statuses,
		memories: (caller, { id }) => tenant(caller).memories.ofDocument(id),
		revise: async (caller, idOrCustomId, revision) => {
			const document = await revise(await get(caller, idOrCustomId), { ...revision, ...writtenBy(caller) }, tenant(caller), storage, world);
			notifier.notify();
			return document;
		},
		reprocess: async (caller, idOrCustomId) => {
			const document = await reprocess(await get(caller, idOrCustomId), tenant(caller), world);
			notifier.notify();
			return document;
		},
		remove: async (caller, idOrCustomId) => remove((await get(caller, idOrCustomId)).id, tenant(caller), world),
		list: (caller, scope, statuses, page, includeContent) => listDocuments(tenant(caller).documents, scope, statuses, page, includeContent),
		chunks: async (caller, idOrCustomId) => {
			const document = await get(caller, idOrCustomId);
			return { document, pages: chunkPages(document.id, tenant(caller).documents) };
		},
		drawPage: async (caller, idOrCustomId, wanted) => drawPage(await get(caller, idOrCustomId), tenant(caller).blobs, wanted),
		keep: async (caller, bytes, bytesMax) => {
			const blob = newId<DocumentId>(world.randomBytes);
			return { blob, ...(await tenant(caller).blobs.put(blob, bytes, bytesMax)) };
		},
		bytes: (caller, blob) => tenant(caller).blobs.get(blob),
		drop: (caller, blob) => tenant(caller).blobs.remove(blob),
		processing: (caller, { limit, ...after } = { limit: processingShownMax }) =>
			listDocuments(
				tenant(caller).documents,
				wholeOrganisation,
				unfinishedStatuses,
				{ ...after, offset: 0, limit: Math.min(limit, processingShownMax), sort: "createdAt", order: "desc" },
				false,
			),
		searchDocuments: (caller, query, signal) =>
			observed(world, "search", "documents", async () => searchDocuments(query, { ...parts, tenant: tenant(caller) }, await searchStep(caller, query, signal))),
		searchMemories: (caller, query, signal) =>
			observed(world, "search", "memories", async () => {
				const step = await searchStep(caller, query, signal);
				return merged(await searchMemories({ ...query, now: world.now() }, { ...parts, tenant: tenant(caller) }, step), caller, query, step);
			}),
		explainDocuments: async (caller, query, signal) => explainDocuments(query, { ...parts, tenant: tenant(caller) }, await searchStep(caller, query, signal)),
		explainMemories: async (caller, query, signal) => {
			const step = await searchStep(caller, query, signal);
			const explained = await explainMemories({ ...query, now: world.now() }, { ...parts, tenant: tenant(caller) }, step);
			return { ...explained, results: await merged(explained.results, caller, query, step) };
		},
	};
}

/** The chunks of one revision. If another revision is published in the meantime, its chunks are not returned as the rest of these. */
async function* chunkPages(id: DocumentId, { chunksAt }: Pick<DocumentStore, "chunksAt">): AsyncGenerator<readonly Chunk[]> {
	let revision: number | null = null;
	for (let start = 0; ; start += chunksPerPage) {
		const page = await chunksAt(new Map([[id, Array.from({ length: chunksPerPage }, (_, i) => start + i)]]));
		revision ??= page[0]?.revision ?? null;
		if (page.some((chunk) => chunk.revision !== revision)) throw fail("DOCUMENT_SUPERSEDED", id);
		if (page.length > 0) yield page;
		if (page.length < chunksPerPage) return;
	}
}

function writtenBy({ id }: Caller): { readonly writtenBy?: string } {
	return id === undefined ? {} : { writtenBy: id };
}

/** Works through the queue until the signal is aborted. */
export async function runWorker(parts: Parts, name: string, concurrentMax: number, notifier: Notifier, signal: AbortSignal): Promise<void> {
	await resumeSyncs(parts);
	const { active } = await parts.storage.spaces.state();
	if (active !== null) parts.embedders.activate(active);
	await enqueueRenewals(parts);
	const oneAtATime = createSharedMutex(parts);
	const beingServed = new Set<string>();
	const handlers = {
		ingest: ingestHandler(parts, oneAtATime),
		remember: rememberHandler(parts, oneAtATime),
		renew: renewHandler(parts, oneAtATime),
		deliver: deliverHandler(parts, beingServed),
		merge: mergeHandler(parts, oneAtATime),
		sync: syncHandler(parts),
		"sign-in": signInHandler(parts),
	};
	const { embedders, storage, world } = parts;
	const working = work({ name, jobs: parts.storage.jobs, handlers, world: parts.world, notifier, concurrentMax }, signal);
	const stopListening = storage.onJobAdded?.(notifier.notify);
	await Promise.all([working, announceDeliveries(parts, beingServed, notifier, signal), backfillSpaces({ embedders, storage, world, oneAtATime }, signal)]);
	stopListening?.();
}
