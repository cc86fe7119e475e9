/** `createService(parts)`: all that the server may call. */

import { fail } from "./errors/fail.ts";
import type { Chunk } from "./model/chunk.ts";
import type { FileContent } from "./model/content.ts";
import type { Document } from "./model/document.ts";
import { asId, type DocumentId, isId, newId, type OrganisationId } from "./model/id.ts";
import { type Scope, wholeOrganisation } from "./model/scope.ts";
import { type DocumentStatus, unfinishedStatuses } from "./model/status.ts";
import type { Parts } from "./parts.ts";
import { type Conversation, converse } from "./pipeline/converse.ts";
import { createKeyedMutex } from "./pipeline/keyed-mutex.ts";
import { type AddRequest, receive } from "./pipeline/receive.ts";
import { remove, removeAll } from "./pipeline/remove.ts";
import { type Revision, revise } from "./pipeline/revise.ts";
import { createStep } from "./pipeline/step.ts";
import type { Listed, Page } from "./ports/document-store.ts";
import { ingestHandler } from "./queue/ingest-handler.ts";
import { rememberHandler } from "./queue/remember-handler.ts";
import type { WakeUp } from "./queue/wake-up.ts";
import { work } from "./queue/worker.ts";
import { type DocumentQuery, type FoundDocument, searchDocuments } from "./search/search-documents.ts";
import { type Found, type MemoryQuery, searchMemories } from "./search/search-memories.ts";

export interface Service {
	readonly add: (organisation: OrganisationId, request: AddRequest) => Promise<Document>;
	readonly converse: (organisation: OrganisationId, conversation: Conversation) => Promise<Document>;
	/** By id, or by the client's own `customId`. Throws `DOCUMENT_MISSING`. */
	readonly get: (organisation: OrganisationId, idOrCustomId: string) => Promise<Document>;
	readonly revise: (organisation: OrganisationId, idOrCustomId: string, revision: Revision) => Promise<Document>;
	readonly remove: (organisation: OrganisationId, idOrCustomId: string) => Promise<void>;
	/** Removes everything in scope, whatever its status. @returns how many there were. */
	readonly removeAll: (organisation: OrganisationId, scope: Scope) => Promise<number>;
	readonly list: (organisation: OrganisationId, scope: Scope, statuses: readonly DocumentStatus[], page: Page, includeContent: boolean) => Promise<Listed>;
	/** The published chunks of a document, by position. */
	readonly chunks: (organisation: OrganisationId, idOrCustomId: string) => Promise<{ readonly document: Document; readonly chunks: readonly Chunk[] }>;
	/** Keeps the bytes of an upload, durably, before there is a document for them. `drop` them when there will be none. */
	readonly keep: (
		organisation: OrganisationId,
		bytes: AsyncIterable<Uint8Array>,
		bytesMax: number,
	) => Promise<Pick<FileContent, "blob" | "byteLength" | "sha256">>;
	/** The bytes of an upload; null when they are gone. */
	readonly bytes: (organisation: OrganisationId, blob: string) => Promise<Uint8Array | null>;
	readonly drop: (organisation: OrganisationId, blob: string) => Promise<void>;
	readonly processing: (organisation: OrganisationId) => Promise<Listed>;
	readonly searchDocuments: (organisation: OrganisationId, query: DocumentQuery, signal: AbortSignal) => Promise<readonly FoundDocument[]>;
	readonly searchMemories: (organisation: OrganisationId, query: Omit<MemoryQuery, "now">, signal: AbortSignal) => Promise<readonly Found[]>;
}

/** More than anybody looks at; the total is told beside it. A thousand would keep the thread that answers for 15 ms. */
const processingShownMax = 500;

export function createService(parts: Parts, wakeUp: Pick<WakeUp, "ring">): Service {
	const { storage, world } = parts;
	const rooms = storage.organisation;

	const get: Service["get"] = async (organisation, idOrCustomId) => {
		const { documents } = rooms(organisation);
		const byId = isId(idOrCustomId) ? await documents.get(asId<DocumentId>(idOrCustomId)) : null;
		const document = byId ?? (await documents.byCustomId(idOrCustomId));
		if (document === null) throw fail("DOCUMENT_MISSING");
		return document;
	};

	return {
		get,
		add: async (organisation, request) => {
			const document = await receive(request, organisation, rooms(organisation), world);
			wakeUp.ring();
			return document;
		},
		converse: async (organisation, conversation) => {
			const document = await converse(conversation, organisation, rooms(organisation), world);
			wakeUp.ring();
			return document;
		},
		revise: async (organisation, idOrCustomId, revision) => {
			const document = await revise(await get(organisation, idOrCustomId), revision, rooms(organisation), storage, world);
			wakeUp.ring();
			return document;
		},
		remove: async (organisation, idOrCustomId) => remove((await get(organisation, idOrCustomId)).id, rooms(organisation), world),
		removeAll: (organisation, scope) => removeAll(scope, rooms(organisation), world),
		list: (organisation, scope, statuses, page, includeContent) => rooms(organisation).documents.list(scope, statuses, page, includeContent),
		chunks: async (organisation, idOrCustomId) => {
			const document = await get(organisation, idOrCustomId);
			return { document, chunks: await rooms(organisation).documents.chunksOf(document.id) };
		},
		keep: async (organisation, bytes, bytesMax) => {
			const blob = newId<DocumentId>(world.randomBytes);
			return { blob, ...(await rooms(organisation).blobs.put(blob, bytes, bytesMax)) };
		},
		bytes: (organisation, blob) => rooms(organisation).blobs.get(blob),
		drop: (organisation, blob) => rooms(organisation).blobs.remove(blob),
		processing: (organisation) =>
			rooms(organisation).documents.list(
				wholeOrganisation,
				unfinishedStatuses,
				{ offset: 0, limit: processingShownMax, sort: "createdAt", order: "desc" },
				false,
			),
		searchDocuments: (organisation, query, signal) => searchDocuments(query, { ...parts, rooms: rooms(organisation) }, createStep(world, signal)),
		searchMemories: (organisation, query, signal) =>
			searchMemories({ ...query, now: world.now() }, { ...parts, rooms: rooms(organisation) }, createStep(world, signal)),
	};
}

/** Works through the queue until the signal is aborted. */
export function runWorker(parts: Parts, name: string, atOnce: number, wakeUp: WakeUp, signal: AbortSignal): Promise<void> {
	const oneAtATime = createKeyedMutex();
	const handlers = { ingest: ingestHandler(parts, oneAtATime), remember: rememberHandler(parts, oneAtATime) };
	return work({ name, jobs: parts.storage.jobs, handlers, world: parts.world, wakeUp, atOnce }, signal);
}
