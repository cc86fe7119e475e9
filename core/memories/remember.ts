/**
 * Stage five: drafts → neighbours → links → versions. Memories are extracted once from a document and saved in each of its
 * containers. A repeated run continues where the last one stopped, so a crash in between is harmless.
 */

import type { Digest } from "../language/fingerprint.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import { type Evidence, indexedTextOf, type Memory } from "../model/memory.ts";
import type { Vector } from "../model/vector.ts";
import type { Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { extractMemories, type MemoryExtractionParts } from "./extract-memories.ts";
import type { ExtractedMemory } from "./extract-with-model.ts";
import { type HomeContainers, homeContainersOfAll } from "./home-containers.ts";
import { type EmbeddedDraft, type Home, type PlanParts, planVersions } from "./remembering/plan-versions.ts";
import { carriedOver, noteRead, type Unread, unreadOf, withMoved } from "./remembering/read-before.ts";
import { saidOn } from "./said-on.ts";
import { fingerprintOf } from "./same-sentence.ts";
import { type Settled, settle } from "./settle.ts";

export interface RememberParts extends MemoryExtractionParts, PlanParts {
	readonly oneAtATime: KeyedMutex;
	readonly digest: Digest;
	/** Called when a save has been handed to the store: what comes next may be read while the disk works. */
	readonly saving?: () => void;
}

/** How often a save that found its neighbours changed looks again. Only another process can make that happen. */
const looksMax = 5;

/** A document whose memories are to be extracted. */
export interface Reading {
	readonly document: Document;
	readonly chunks: readonly Chunk[];
	/** Hears what could not be done with it. */
	readonly step: Step;
	/** Its memories are of other memory extractors, and give way. */
	readonly isAnew?: boolean;
	/** Read from the beginning, whatever was read before. */
	readonly isWhole?: boolean;
}

/** What was extracted from a document, and what of it is known. Nothing is written yet. */
export interface Extracted extends Reading {
	readonly extracted: readonly ExtractedMemory[];
	readonly vectors: Map<ExtractedMemory, Vector>;
	readonly settled: SettledHomes;
	/** Whether the rest was read before. */
	readonly isPart: boolean;
	/** The containers that have its memories. */
	readonly done: Set<string>;
}

/** @returns how many memories were written. */
export async function remember(document: Document, chunks: readonly Chunk[], parts: RememberParts, step: Step): Promise<number> {
	return rememberTogether(await extractTogether([{ document, chunks, step }], parts), parts);
}

/** Reads only, so that it may be done ahead and again. */
export async function extractTogether(readings: readonly Reading[], parts: RememberParts): Promise<readonly Extracted[]> {
	const documents = readings.map(({ document }) => document);
	const homeOf = await homeContainersOfAll(documents, parts.tenant);
	const former = await formerOf(documents, parts.tenant);
	const all: Extracted[] = [];
	for (const reading of readings) all.push(await extractedFrom(reading, homeOf(reading.document), former(reading.document), parts));
	return all;
}

/**
 * Several documents with one neighbour filter, in their order: the memories of all are compared and saved in one go, as if they were
 * one document. @returns how many memories were written.
 */
export async function rememberTogether(all: readonly Extracted[], parts: RememberParts): Promise<number> {
	for (const { settled, document } of all) await applySettled(settled, document, parts);
	let written = 0;
	let isWhole = true;
	for (;;) {
		const home = await nextHome(all, parts.tenant);
		if (home === null) {
			if (isWhole) await Promise.all(all.map(({ document, chunks, done }) => noteRead(document, chunks, [...done], parts)));
			return written;
		}
		const rest: EmbeddedDraft[] = [];
		for (const one of home.of) rest.push(...(await newsIn(home.tag, one, parts)));
		const filter = all[0]?.document.neighbourFilter ?? null;
		const saved = await parts.oneAtATime(`${home.of[0]?.document.organisation} ${home.tag}`, () => rememberIn({ tag: home.tag, filter }, rest, parts));
		written += saved ?? 0;
		isWhole &&= saved !== null;
		for (const { done } of home.of) done.add(home.tag);
	}
}

/** The memories that rest on a document, in the order in which they came. */
async function formerOf(documents: readonly Document[], { memories }: TenantStore): Promise<(document: Document) => readonly Memory[]> {
	const found = (await memories.ofDocuments(documents.map(({ id }) => id))).toReversed();
	return ({ id }) => found.filter(({ evidence }) => evidence.some(({ document }) => document === id));
}

async function extractedFrom(reading: Reading, home: HomeContainers, former: readonly Memory[], parts: RememberParts): Promise<Extracted> {
	const { document, chunks, step } = reading;
	const isWhole = reading.isAnew === true || reading.isWhole === true;
	const unread = isWhole ? null : await unreadOf(document, chunks, home.containerTags, former, parts);
	const all = withWords(await extractMemories(document, unread?.chunks ?? chunks, home, parts, step), chunks, parts.digest);
	const extracted = unread === null ? all : all.filter(({ draft }) => unread.isNews(draft));
	const settled = settledBy(home, reading, former, extracted, unread);
	const isNews = (each: ExtractedMemory) => [...settled.known.values()].some((known) => !known.has(each.draft));
	const vectors = new Map<ExtractedMemory, Vector>();
	// Before anything is removed: if this fails, nothing has changed.
	await embedInto(vectors, extracted.filter(isNews), parts, step);
	return { ...reading, extracted, vectors, settled, isPart: unread !== null, done: new Set() };
}

function settledBy(
	home: HomeContainers,
	reading: Reading,
	former: readonly Memory[],
	extracted: readonly ExtractedMemory[],
	unread: Unread | null,
): SettledHomes {
	if (unread === null) return settleIn(home.containerTags, reading, former, extracted);
	const carried = former.map((memory) => withMoved(memory, unread));
	return carriedOver(settleIn(home.containerTags, reading, carried, extracted), reading.document, former, unread);
}

/** The next container, and whose memories it lacks. Read anew each time: if a document has moved meanwhile, its new container gets them too. */
async function nextHome(all: readonly Extracted[], tenant: TenantStore): Promise<{ readonly tag: string; readonly of: readonly Extracted[] } | null> {
	const homeOf = await homeContainersOfAll(
		all.map(({ document }) => document),
		tenant,
	);
	const lacking = all.map((one) => ({ one, tags: homeOf(one.document).containerTags.filter((tag) => !one.done.has(tag)) }));
	const tag = lacking.flatMap(({ tags }) => tags)[0];
	return tag === undefined ? null : { tag, of: lacking.filter(({ tags }) => tags.includes(tag)).map(({ one }) => one) };
}

/** What of a document a container does not know yet. */
async function newsIn(tag: string, one: Extracted, parts: RememberParts): Promise<readonly EmbeddedDraft[]> {
	const { document, extracted, vectors, settled, isPart, step } = one;
	let known = settled.known.get(tag);
	if (known === undefined && isPart) {
		// A container that has come since has nothing of what was read before.
		const [whole] = await extractTogether([{ ...one, isWhole: true }], parts);
		return whole === undefined ? [] : newsIn(tag, whole, parts);
	}
	// It has moved since, and its memories with it.
	known ??= settleIn([tag], one, (await formerOf([document], parts.tenant))(document), extracted).known.get(tag);
	const news = extracted.filter(({ draft }) => known?.has(draft) !== true);
	await embedInto(vectors, news, parts, step);
	return news.map((each) => ({ ...each, vector: vectors.get(each), said: saidOn(document), step }));
}

/** Adds fingerprints of the sentences that the drafts rest on, so that they are recognised when their chunks are gone. */
function withWords(extracted: readonly ExtractedMemory[], chunks: readonly Chunk[], digest: Digest): readonly ExtractedMemory[] {
	const texts = new Map(chunks.map(({ id, text }) => [id, text]));
	const noted = (one: Evidence): Evidence => ({ ...one, words: fingerprintOf(texts.get(one.chunk) ?? "", one, digest) });
	return extracted.map((each) => ({ ...each, draft: { ...each.draft, evidence: each.draft.evidence.map(noted) } }));
}

interface SettledHomes extends Pick<Settled, "grounds" | "gone"> {
	/** By container. */
	readonly known: ReadonlyMap<string, Settled["known"]>;
}

/** Memories in containers that the document has left are treated as no longer said. */
function settleIn(
	homes: readonly string[],
	{ document, chunks, isAnew = false }: Reading,
	former: readonly Memory[],
	extracted: readonly ExtractedMemory[],
): SettledHomes {
	const { id } = document;
	const byTag = Map.groupBy(former, ({ containerTag }) => containerTag);
	const current = new Set(chunks.map((chunk) => chunk.id));
	const drafts = extracted.map(({ draft }) => draft);
	const settled = [...new Set([...homes, ...byTag.keys()])].map((tag) => {
		const memories = byTag.get(tag) ?? [];
		return {
			tag,
			...settle({ document: id, memories, said: saidOn(document), isCurrent: (chunk) => current.has(chunk), isAnew }, homes.includes(tag) ? drafts : []),
		};
	});
	return {
		known: new Map(settled.flatMap(({ tag, known }) => (homes.includes(tag) ? [[tag, known]] : []))),
		grounds: settled.flatMap(({ grounds }) => grounds),
		gone: settled.flatMap(({ gone }) => gone),
	};
}

async function applySettled({ grounds, gone }: SettledHomes, { id }: Document, { tenant, world }: RememberParts): Promise<void> {
	if (grounds.length + gone.length > 0) await tenant.memories.reground(id, grounds, gone, world.now());
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

/** @returns how many were written; null when that could not be done. */
async function rememberIn(home: Home, drafts: readonly EmbeddedDraft[], parts: RememberParts): Promise<number | null> {
	if (drafts.length === 0) return 0;
	const { memories } = parts.tenant;
	for (let look = 0; look < looksMax; look++) {
		const plan = await planVersions(home, drafts, parts);
		const saved = plan.memories.length === 0 || memories.save(parts.embedder.space, plan.memories, plan.edges);
		parts.saving?.();
		// They gain a source.
		for (const { known } of plan.supported) parts.lately?.delete(known);
		if (!(await saved)) {
			parts.lately?.clear();
			continue;
		}
		for (const { memory } of plan.memories) parts.lately?.set(memory.id, memory);
		// At the same time, so that one write to the disk serves all.
		await Promise.all(plan.supported.map(({ known, draft }) => memories.support(known, draft.evidence, parts.world.now())));
		return plan.memories.length;
	}
	for (const step of new Set(drafts.map((each) => each.step)))
		step.warn("MEMORIES_CONTESTED", `the memories of container ${home.tag} kept changing; nothing was remembered of this document`);
	return null;
}
