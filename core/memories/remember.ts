/**
 * Stage five: extracts memories from a document, compares them with known ones, links them and saves them as versions. They are extracted
 * once and saved in each of the document's home containers. A repeated run continues where the last one stopped, so a crash is harmless.
 */

import { withdrawMemories } from "../ingest/receive.ts";
import type { Digest } from "../language/fingerprint.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { DocumentId } from "../model/id.ts";
import { type Evidence, indexedTextOf, type Memory } from "../model/memory.ts";
import type { Vector } from "../model/vector.ts";
import type { Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { yieldIfDue } from "../runtime/yielder.ts";
import { documentDateOf } from "./document-date.ts";
import { extractMemories, type MemoryExtractionParts } from "./extract-memories.ts";
import type { ExtractedMemory } from "./extract-with-model.ts";
import { type HomeContainers, homeContainersOfAll } from "./home-containers.ts";
import { createFingerprints } from "./recognising/fingerprints.ts";
import { type EmbeddedDraft, type Home, type PlanParts, planVersions } from "./remembering/plan-versions.ts";
import { findUnread, keepEvidenceOfUnchanged, storeReadRecord, type Unread, withNewChunkIds } from "./remembering/read-before.ts";
import { type Settled, settle } from "./settle.ts";

export interface RememberParts extends MemoryExtractionParts, PlanParts {
	readonly oneAtATime: KeyedMutex;
	readonly digest: Digest;
	/** Called when a save was sent to the store, so that the next documents can be read while it is written. */
	readonly saving?: () => void;
}

/** How often memories are compared again if known memories have changed before the save. Only another process can cause that. */
const attemptsMax = 5;

/** A document whose memories are to be extracted. */
export interface DocumentToRead {
	readonly document: Document;
	readonly chunks: readonly Chunk[];
	/** Gets the warnings about the document. */
	readonly step: Step;
	/** Set if its memories are from other memory extractors and are to be replaced. */
	readonly isAnew?: boolean;
	/** Set to read the whole document, even if a part of it was read before. */
	readonly isWhole?: boolean;
}

/** The memories extracted from a document. Nothing is written yet. */
export interface ExtractedDocument extends DocumentToRead {
	readonly extracted: readonly ExtractedMemory[];
	readonly vectors: Map<ExtractedMemory, Vector>;
	/** The part that was read, if the rest was read before. */
	readonly unread: Unread | null;
	/** The home containers for which it was read. */
	readonly readFor: readonly string[];
}

/** Which of the extracted memories are known, and what becomes of the document's former ones. */
interface SettledDocument extends ExtractedDocument {
	readonly settled: SettledHomes;
	/** The containers in which its memories are saved already. */
	readonly done: Set<string>;
}

/** What became of documents whose memories were to be saved. */
export interface Remembered {
	/** How many memories were written. */
	readonly written: number;
	/** Documents that were changed, deleted or switched meanwhile. They are not done: other jobs read them. */
	readonly leftOut: ReadonlySet<DocumentId>;
}

export async function remember(document: Document, chunks: readonly Chunk[], parts: RememberParts, step: Step): Promise<Remembered> {
	return rememberTogether(await extractTogether([{ document, chunks, step }], parts), parts);
}

/** Extracts the memories of several documents. It writes nothing, so it may be done in advance and repeated. */
export async function extractTogether(readings: readonly DocumentToRead[], parts: RememberParts): Promise<readonly ExtractedDocument[]> {
	const documents = readings.map(({ document }) => document);
	const homeOf = await homeContainersOfAll(documents, parts.tenant);
	const formerMemories = await formerMemoriesOf(documents, parts.tenant);
	const all: ExtractedDocument[] = [];
	for (const reading of readings) {
		all.push(await extractFromDocument(reading, homeOf(reading.document), formerMemories(reading.document), parts));
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	return all;
}

/**
 * Saves the memories of several documents, in their order. They are compared and saved together, as if they were from one document, so all
 * documents must have the same neighbour filter.
 */
export async function rememberTogether(extractedDocuments: readonly ExtractedDocument[], parts: RememberParts): Promise<Remembered> {
	const all = await settleCurrent(extractedDocuments, parts.tenant);
	const settledIds = new Set(all.map(({ document }) => document.id));
	const leftOut = new Set(extractedDocuments.map(({ document }) => document.id).filter((id) => !settledIds.has(id)));
	for (const { settled, document } of all) await applySettled(settled, document, parts);
	let written = 0;
	let isWhole = true;
	for (;;) {
		const nextContainer = await findNextHome(all, parts.tenant);
		if (nextContainer === null) {
			if (isWhole) await Promise.all(all.map(({ document, chunks, done }) => storeReadRecord(document, chunks, [...done], parts)));
			for (const id of await withdrawnMeanwhile(all, parts)) leftOut.add(id);
			return { written, leftOut };
		}
		const newDrafts: EmbeddedDraft[] = [];
		for (const settledDocument of nextContainer.of) newDrafts.push(...(await newDraftsFor(nextContainer.tag, settledDocument, parts)));
		const filter = all[0]?.document.neighbourFilter ?? null;
		const organisation = nextContainer.of[0]?.document.organisation;
		const save = () => saveIn({ tag: nextContainer.tag, filter }, newDrafts, parts);
		const saved = newDrafts.length === 0 ? 0 : await parts.oneAtATime(`memories ${organisation} ${nextContainer.tag}`, save, organisation);
		written += saved ?? 0;
		isWhole &&= saved !== null;
		for (const { done } of nextContainer.of) done.add(nextContainer.tag);
	}
}

/** A document that is only searched since its memories were compared loses those that were saved. */
async function withdrawnMeanwhile(all: readonly SettledDocument[], { tenant, world }: RememberParts): Promise<readonly DocumentId[]> {
	const current = await tenant.documents.getMany(
		all.map(({ document }) => document.id),
		false,
	);
	const switched = current.filter(({ taskType }) => taskType === "superrag");
	for (const document of switched) await withdrawMemories(document, tenant, world.now());
	return switched.map(({ id }) => id);
}

/** The memories with evidence in a document, oldest first. */
async function formerMemoriesOf(documents: readonly Document[], { memories }: TenantStore): Promise<(document: Document) => readonly Memory[]> {
	const found = (await memories.ofDocuments(documents.map(({ id }) => id))).toReversed();
	return ({ id }) => found.filter(({ evidence }) => evidence.some(({ document }) => document === id));
}

async function extractFromDocument(
	reading: DocumentToRead,
	home: HomeContainers,
	formerMemories: readonly Memory[],
	parts: RememberParts,
): Promise<ExtractedDocument> {
	const { document, chunks, step } = reading;
	const isWhole = reading.isAnew === true || reading.isWhole === true;
	const unread = isWhole ? null : await findUnread(document, chunks, home.containerTags, formerMemories, parts);
	const all = await withFingerprints(await extractMemories(document, unread?.chunks ?? chunks, home, parts, step), chunks, parts.digest);
	const extracted = unread === null ? all : all.filter(({ draft }) => unread.isNews(draft));
	const settled = settleDocument(home, reading, formerMemories, extracted, unread);
	const isNew = (each: ExtractedMemory) => [...settled.known.values()].some((known) => !known.has(each.draft));
	const vectors = new Map<ExtractedMemory, Vector>();
	// The texts are embedded before anything is removed, so that nothing has changed if this fails.
	await embedInto(vectors, extracted.filter(isNew), parts, step);
	return { ...reading, extracted, vectors, unread, readFor: home.containerTags };
}

/**
 * Compares what was extracted with the memories that the documents have now: while they were read, which may take minutes, a client may have
 * forgotten or corrected some. Documents that were changed, deleted or are only searched meanwhile are left out.
 */
async function settleCurrent(all: readonly ExtractedDocument[], tenant: TenantStore): Promise<readonly SettledDocument[]> {
	const documents = all.map(({ document }) => document);
	const [current, homeOf, formerMemories] = await Promise.all([
		tenant.documents.getMany(
			documents.map(({ id }) => id),
			false,
		),
		homeContainersOfAll(documents, tenant),
		formerMemoriesOf(documents, tenant),
	]);
	const revisions = new Map(current.flatMap(({ id, revision, taskType }) => (taskType === "memory" ? [[id, revision]] : [])));
	const settledDocuments: SettledDocument[] = [];
	for (const each of all) {
		const { document, extracted, unread } = each;
		if (revisions.get(document.id) !== document.revision) continue;
		const settled = settleDocument(homeOf(document), each, formerMemories(document), extracted, unread);
		settledDocuments.push({ ...each, settled: unread === null ? settled : withoutUnread(settled, each, formerMemories(document)), done: new Set() });
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	return settledDocuments;
}

/** A container to which the document was added meanwhile lacks the memories of the part that was read before, so nothing is known of it. */
function withoutUnread(settled: SettledHomes, { readFor }: ExtractedDocument, former: readonly Memory[]): SettledHomes {
	const isRead = (tag: string) => readFor.includes(tag) || former.some(({ containerTag }) => containerTag === tag);
	return { ...settled, known: new Map([...settled.known].filter(([tag]) => isRead(tag))) };
}

function settleDocument(
	home: HomeContainers,
	reading: DocumentToRead,
	formerMemories: readonly Memory[],
	extracted: readonly ExtractedMemory[],
	unread: Unread | null,
): SettledHomes {
	if (unread === null) return settleIn(home.containerTags, reading, formerMemories, extracted);
	const moved = formerMemories.map((memory) => withNewChunkIds(memory, unread));
	return keepEvidenceOfUnchanged(settleIn(home.containerTags, reading, moved, extracted), reading.document, formerMemories, unread);
}

/**
 * The next container that lacks memories, and the documents whose memories it lacks. The tags are read again each time, so that a document
 * that has moved in the meantime gets its memories in its new container too.
 */
async function findNextHome(
	all: readonly SettledDocument[],
	tenant: TenantStore,
): Promise<{ readonly tag: string; readonly of: readonly SettledDocument[] } | null> {
	const homeOf = await homeContainersOfAll(
		all.map(({ document }) => document),
		tenant,
	);
	const lacking = all.map((settledDocument) => ({
		settledDocument,
		tags: homeOf(settledDocument.document).containerTags.filter((tag) => !settledDocument.done.has(tag)),
	}));
	const tag = lacking.flatMap(({ tags }) => tags)[0];
	return tag === undefined ? null : { tag, of: lacking.filter(({ tags }) => tags.includes(tag)).map(({ settledDocument }) => settledDocument) };
}

/** The drafts of a document that are not saved in a container yet. */
async function newDraftsFor(tag: string, settledDocument: SettledDocument, parts: RememberParts): Promise<readonly EmbeddedDraft[]> {
	const { document, extracted, vectors, settled, unread, step } = settledDocument;
	let known = settled.known.get(tag);
	if (known === undefined && unread !== null) {
		// The document was added to this container later, so the container lacks the memories of the part that was read before.
		const [wholeDocument] = await settleCurrent(await extractTogether([{ ...settledDocument, isWhole: true }], parts), parts.tenant);
		return wholeDocument === undefined ? [] : newDraftsFor(tag, wholeDocument, parts);
	}
	// The document has moved in the meantime, and its memories with it.
	known ??= settleIn([tag], settledDocument, (await formerMemoriesOf([document], parts.tenant))(document), extracted).known.get(tag);
	const newMemories = extracted.filter(({ draft }) => known?.has(draft) !== true);
	await embedInto(vectors, newMemories, parts, step);
	return newMemories.map((each) => ({ ...each, vector: vectors.get(each), said: documentDateOf(document), step }));
}

/** Adds fingerprints of the sentences that support the drafts, so that they are recognised after their chunks were replaced. */
async function withFingerprints(extracted: readonly ExtractedMemory[], chunks: readonly Chunk[], digest: Digest): Promise<readonly ExtractedMemory[]> {
	const fingerprints = new Map(chunks.map(({ id, text }) => [id, createFingerprints(text, digest)]));
	const withFingerprint = (passage: Evidence): Evidence => {
		const words = fingerprints.get(passage.chunk)?.(passage);
		return words === undefined ? passage : { ...passage, words };
	};
	const found: ExtractedMemory[] = [];
	for (const each of extracted) {
		found.push({ ...each, draft: { ...each.draft, evidence: each.draft.evidence.map(withFingerprint) } });
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	return found;
}

interface SettledHomes extends Pick<Settled, "grounds" | "gone"> {
	/** The known drafts by container. */
	readonly known: ReadonlyMap<string, Settled["known"]>;
}

/** Compares the drafts with the document's memories in each container. In containers that the document has left, none is supported any more. */
function settleIn(
	homes: readonly string[],
	{ document, chunks, isAnew = false }: DocumentToRead,
	formerMemories: readonly Memory[],
	extracted: readonly ExtractedMemory[],
): SettledHomes {
	const { id } = document;
	const byTag = Map.groupBy(formerMemories, ({ containerTag }) => containerTag);
	const current = new Set(chunks.map((chunk) => chunk.id));
	const drafts = extracted.map(({ draft }) => draft);
	const settled = [...new Set([...homes, ...byTag.keys()])].map((tag) => {
		const memories = byTag.get(tag) ?? [];
		return {
			tag,
			...settle(
				{ document: id, memories, saidAt: documentDateOf(document), isCurrent: (chunk) => current.has(chunk), isAnew },
				homes.includes(tag) ? drafts : [],
			),
		};
	});
	return {
		known: new Map(settled.flatMap(({ tag, known }) => (homes.includes(tag) ? [[tag, known]] : []))),
		grounds: settled.flatMap(({ grounds }) => grounds),
		gone: settled.flatMap(({ gone }) => gone),
	};
}

async function applySettled({ grounds, gone }: SettledHomes, { id }: Document, { tenant, world, recentMemories }: RememberParts): Promise<void> {
	if (grounds.length + gone.length > 0) await tenant.memories.reground(id, grounds, gone, world.now());
	for (const { memory } of grounds) recentMemories?.drop(memory);
}

async function embedInto(vectors: Map<ExtractedMemory, Vector>, extracted: readonly ExtractedMemory[], { embedder }: RememberParts, step: Step): Promise<void> {
	const missing = extracted.filter((each) => !vectors.has(each));
	if (missing.length === 0) return;
	const texts = missing.map(({ draft }) => indexedTextOf(draft));
	for (const [i, vector] of (await embedTexts(texts, embedder, "document", step)).entries()) {
		const each = missing[i];
		if (each !== undefined && vector !== undefined) vectors.set(each, vector);
	}
}

/** Saves drafts in one container. @returns how many memories were written; null if the known memories kept changing. */
async function saveIn(home: Home, drafts: readonly EmbeddedDraft[], parts: RememberParts): Promise<number | null> {
	const { memories } = parts.tenant;
	for (let attempt = 0; attempt < attemptsMax; attempt++) {
		const plan = await planVersions(home, drafts, parts);
		const saved = plan.memories.length === 0 || memories.save(parts.embedder.space, plan.memories, plan.edges);
		parts.saving?.();
		// Known memories that gain a source are out of date in the cache.
		for (const { known } of plan.supported) parts.recentMemories?.drop(known);
		if (!(await saved)) {
			parts.recentMemories?.clear();
			continue;
		}
		for (const { memory } of plan.memories) {
			parts.recentMemories?.set(memory);
			parts.recentMemories?.setSubject(memory.id, memory.subject);
		}
		// Concurrently, so that they share one commit.
		await Promise.all(plan.supported.map(({ known, draft }) => memories.support(known, draft.evidence, parts.world.now())));
		return plan.memories.length;
	}
	for (const step of new Set(drafts.map((each) => each.step)))
		step.warn("MEMORIES_CONTESTED", `the memories of container ${home.tag} kept changing; nothing was remembered of this document`);
	return null;
}
