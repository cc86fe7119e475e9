/** The ground every contract test of a storage stands on: a fresh storage, two organisations in it, sample values, and ways to fill it. */

import { asId, type Chunk, limits, type Memory, type OrganisationId } from "cairn-memory";
import {
	type Document,
	type DocumentId,
	type EmbeddedChunk,
	type MemoryFilter,
	type Page,
	type Scope,
	type Storage,
	type TenantStore,
	wholeOrganisation,
} from "cairn-memory/stores";
import { queryWords } from "cairn-memory/words";
import { type ContractTest, demand } from "../contract-test.ts";
import { createSamples, edgeBetween, evidenceIn, type Samples, sampleOrganisation, sampleSpace } from "../samples.ts";

export interface OpenedStorage {
	/** Empty, and not yet migrated. */
	readonly storage: Storage;
	/** Opens the same data anew, after `close`. Wanted of a storage that claims to be durable. */
	readonly reopen?: () => Promise<Storage>;
	/** Closes what is open and removes all traces. */
	readonly dispose: () => Promise<void>;
}

export type OpenStorage = () => Promise<OpenedStorage>;

export interface Ground {
	readonly storage: Storage;
	readonly tenant: TenantStore;
	/** The stores of another organisation. */
	readonly others: TenantStore;
	readonly samples: Samples;
	readonly reopen: (() => Promise<Storage>) | undefined;
}

export const otherOrganisation = asId<OrganisationId>("organisationBBBBBBBBBB");

/** Far more than any contract test stores: asks for all there is. */
export const plenty = 1_000;

/** The newest so many. */
export function newest(limit = plenty): Page {
	return { offset: 0, limit, sort: "createdAt", order: "desc" };
}

export async function memoriesIn(tenant: TenantStore, scope: Scope, latestOnly: boolean, limit = plenty): Promise<readonly Memory[]> {
	return (await tenant.memories.list(scope, latestOnly, newest(limit))).memories;
}

export const later = new Date("2026-06-01T00:00:00.000Z");

export const everything: MemoryFilter = { scope: wholeOrganisation, includeForgotten: false, now: later };

/** A contract test that gets a storage of its own, so that no contract test depends on another. */
export function storageTest(open: OpenStorage, name: string, holds: (ground: Ground) => Promise<void>): ContractTest {
	return {
		name,
		check: async () => {
			const { storage, reopen, dispose } = await open();
			try {
				await storage.migrate();
				const tenant = storage.organisation(sampleOrganisation);
				await holds({ storage, tenant, others: storage.organisation(otherOrganisation), samples: createSamples(1), reopen });
			} finally {
				await dispose();
			}
		},
	};
}

/** Adds a document with its job. */
export async function addDocument({ tenant, samples }: Pick<Ground, "tenant" | "samples">, overrides: Partial<Document> = {}): Promise<Document> {
	const document = samples.makeDocument(overrides);
	const isAdded = await tenant.documents.add(document, samples.makeJob(document));
	demand(isAdded, "a new document was not added");
	return document;
}

/** Chunks with these texts and vectors of their own. */
export function embedTexts(samples: Samples, document: Pick<Document, "id" | "revision">, texts: readonly string[], from = 0): readonly EmbeddedChunk[] {
	return texts.map((text, i) => ({ chunk: samples.makeChunk(document, { text, position: from + i }), vector: samples.makeVector() }));
}

export interface Published {
	readonly document: Document;
	readonly embedded: readonly EmbeddedChunk[];
	readonly chunks: readonly Chunk[];
}

/** Stages and publishes these texts as the document's revision. */
export async function publishTexts({ tenant, samples }: Pick<Ground, "tenant" | "samples">, document: Document, texts: readonly string[]): Promise<Published> {
	const embedded = embedTexts(samples, document, texts);
	demand(await tenant.documents.stage(document.id, document.revision, sampleSpace, embedded), "a known revision could not be staged");
	demand(await tenant.documents.publish(document.id, document.revision, samples.nextTime()), "a staged revision could not be published");
	return { document, embedded, chunks: embedded.map(({ chunk }) => chunk) };
}

/** Adds a document and publishes these texts as its chunks. */
export async function addPublished(
	ground: Pick<Ground, "tenant" | "samples">,
	texts: readonly string[],
	overrides: Partial<Document> = {},
): Promise<Published> {
	return publishTexts(ground, await addDocument(ground, overrides), texts);
}

/** The first chunk of what was just published. */
export async function firstChunk(published: Promise<Published>): Promise<Chunk> {
	const [chunk] = (await published).chunks;
	demand(chunk !== undefined, "there is no chunk");
	return chunk;
}

/** Saves a memory that an extractor drew from this chunk. */
export async function saveExtracted({ tenant, samples }: Pick<Ground, "tenant" | "samples">, chunk: Chunk, overrides: Partial<Memory> = {}): Promise<Memory> {
	return saveMemory({ tenant, samples }, { extractor: "sentences-1", evidence: [evidenceIn(chunk)], ...overrides });
}

export async function saveMemory({ tenant, samples }: Pick<Ground, "tenant" | "samples">, overrides: Partial<Memory> = {}): Promise<Memory> {
	const memory = samples.makeMemory(overrides);
	demand(await tenant.memories.save(sampleSpace, [{ memory, vector: samples.makeVector() }], []), "a memory without rivals was not saved");
	return memory;
}

/** Saves a memory that replaces another, in its container. */
export async function saveReplacement({ tenant, samples }: Pick<Ground, "tenant" | "samples">, replaced: Memory): Promise<Memory> {
	const { id, root, version, containerTag } = replaced;
	const memory = samples.makeMemory({ containerTag, version: version + 1, parent: id, root: root ?? id });
	const isSaved = await tenant.memories.save(sampleSpace, [{ memory, vector: samples.makeVector() }], [edgeBetween(memory, "updates", replaced)]);
	demand(isSaved, "an update of the latest memory was refused");
	return memory;
}

/** A document says nothing any more of what it has said. */
export async function retract({ memories }: TenantStore, document: DocumentId): Promise<void> {
	const known = await memories.ofDocument(document);
	await memories.reground(
		document,
		[],
		known.map(({ id }) => id),
		later,
	);
}

/** The ids of the chunks that a phrase finds, best first. */
export async function chunksByWords(tenant: TenantStore, phrase: string, scope: Scope = wholeOrganisation): Promise<readonly string[]> {
	return (await tenant.words.matchChunks(queryWords(phrase, limits.queryWordsMax), scope, plenty)).hits.map(({ id }) => id);
}

/** The ids of all chunks that a vector search can see, sorted. */
export async function chunksByVector({ tenant, samples }: Pick<Ground, "tenant" | "samples">, scope: Scope = wholeOrganisation): Promise<readonly string[]> {
	return (await tenant.vectors(sampleSpace).nearestChunks(samples.makeVector(), scope, plenty)).map(({ id }) => id).sort();
}

export async function memoriesByWords(tenant: TenantStore, phrase: string, memoryFilter: MemoryFilter = everything): Promise<readonly string[]> {
	return (await tenant.words.matchMemories(queryWords(phrase, limits.queryWordsMax), memoryFilter, plenty)).hits.map(({ id }) => id);
}

export async function memoriesByVector(
	{ tenant, samples }: Pick<Ground, "tenant" | "samples">,
	memoryFilter: MemoryFilter = everything,
): Promise<readonly string[]> {
	return (await tenant.vectors(sampleSpace).nearestMemories(samples.makeVector(), memoryFilter, plenty)).map(({ id }) => id).sort();
}

export function idsOf(items: readonly { readonly id: string }[]): readonly string[] {
	return items.map(({ id }) => id);
}

export function sortedIdsOf(items: readonly { readonly id: string }[]): readonly string[] {
	return idsOf(items).toSorted();
}

/** The document as it now is; broken when it is gone. */
export async function reread({ tenant }: Pick<Ground, "tenant">, { id }: Pick<Document, "id">): Promise<Document> {
	const document = await tenant.documents.get(id);
	demand(document !== null, "a document that was added is gone");
	return document;
}
