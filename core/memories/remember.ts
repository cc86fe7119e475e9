/**
 * Stage five: drafts → neighbours → links → versions. Memories are extracted once from a document and saved in each of its
 * containers. A repeated run continues where the last one stopped, so a crash in between is harmless.
 */

import type { Digest } from "../language/fingerprint.ts";
import { ageing } from "../model/ageing.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { Filter } from "../model/filter.ts";
import { type MemoryId, newId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { type Evidence, indexedTextOf, type Link, type Memory, type MemoryDraft, type MemoryEdge } from "../model/memory.ts";
import type { Vector } from "../model/vector.ts";
import type { Embedder, Linking, MemoryLinker, Neighbour, Step } from "../plugin/contract.ts";
import type { EmbeddedMemory } from "../ports/memory-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { extractMemories, type MemoryExtractionParts } from "./extract-memories.ts";
import type { ExtractedMemory } from "./extract-with-model.ts";
import { homeContainersOf } from "./home-containers.ts";
import { neighboursOf, type Surroundings, surroundingsOf } from "./neighbours.ts";
import { saidLater, saidOn } from "./said-on.ts";
import { fingerprintOf } from "./same-sentence.ts";
import { type Settled, settle } from "./settle.ts";

export interface RememberParts extends MemoryExtractionParts {
	readonly embedder: Embedder;
	readonly memoryLinkers: readonly MemoryLinker[];
	readonly oneAtATime: KeyedMutex;
	readonly digest: Digest;
}

/** How often a save that found its neighbours changed looks again. Only another process can make that happen. */
const looksMax = 5;
/** So many drafts have their neighbours looked up together; a book has thousands of drafts. */
const draftsAtOnce = 50;

/** A document whose memories are to be extracted. */
export interface Reading {
	readonly document: Document;
	readonly chunks: readonly Chunk[];
	/** Hears what could not be done with it. */
	readonly step: Step;
	/** Its memories are of other memory extractors, and give way. */
	readonly isAnew?: boolean;
}

/** @returns how many memories were written. */
export async function remember(document: Document, chunks: readonly Chunk[], parts: RememberParts, step: Step): Promise<number> {
	return rememberTogether([{ document, chunks, step }], parts);
}

/**
 * Several documents with one neighbour filter, in their order: the memories of all are compared and saved in one go, as if they were
 * one document. @returns how many memories were written.
 */
export async function rememberTogether(readings: readonly Reading[], parts: RememberParts): Promise<number> {
	const vectors = new Map<ExtractedMemory, Vector>();
	const all: Extracted[] = [];
	for (const reading of readings) all.push(await extractedFrom(reading, vectors, parts));
	for (const { settled, document } of all) await applySettled(settled, document, parts);
	let written = 0;
	for (;;) {
		const home = await nextHome(all, parts.tenant);
		if (home === null) return written;
		const rest: EmbeddedDraft[] = [];
		for (const one of home.of) rest.push(...(await newsIn(home.tag, one, vectors, parts)));
		const filter = readings[0]?.document.neighbourFilter ?? null;
		written += await parts.oneAtATime(`${home.of[0]?.document.organisation} ${home.tag}`, () => rememberIn({ tag: home.tag, filter }, rest, parts));
		for (const { done } of home.of) done.add(home.tag);
	}
}

interface Extracted extends Reading {
	readonly extracted: readonly ExtractedMemory[];
	readonly settled: SettledHomes;
	/** The containers that have its memories. */
	readonly done: Set<string>;
}

async function extractedFrom(reading: Reading, vectors: Map<ExtractedMemory, Vector>, parts: RememberParts): Promise<Extracted> {
	const { document, chunks, step } = reading;
	const extracted = withWords(await extractMemories(document, chunks, parts, step), chunks, parts.digest);
	const settled = await settleIn((await homeContainersOf(document, parts.tenant)).containerTags, reading, extracted, parts);
	const isNews = (each: ExtractedMemory) => [...settled.known.values()].some((known) => !known.has(each.draft));
	// Before anything is removed: if this fails, nothing has changed.
	await embedInto(vectors, extracted.filter(isNews), parts, step);
	return { ...reading, extracted, settled, done: new Set() };
}

/** The next container, and whose memories it lacks. Read anew each time: if a document has moved meanwhile, its new container gets them too. */
async function nextHome(all: readonly Extracted[], tenant: TenantStore): Promise<{ readonly tag: string; readonly of: readonly Extracted[] } | null> {
	const lacking = await Promise.all(
		all.map(async (one) => ({ one, tags: (await homeContainersOf(one.document, tenant)).containerTags.filter((tag) => !one.done.has(tag)) })),
	);
	const tag = lacking.flatMap(({ tags }) => tags)[0];
	return tag === undefined ? null : { tag, of: lacking.filter(({ tags }) => tags.includes(tag)).map(({ one }) => one) };
}

/** What of a document a container does not know yet. */
async function newsIn(tag: string, one: Extracted, vectors: Map<ExtractedMemory, Vector>, parts: RememberParts): Promise<readonly EmbeddedDraft[]> {
	const { document, extracted, settled, step } = one;
	const known = settled.known.get(tag) ?? (await settleIn([tag], one, extracted, parts)).known.get(tag);
	const news = extracted.filter(({ draft }) => known?.has(draft) !== true);
	await embedInto(vectors, news, parts, step);
	return news.map((each) => ({ ...each, vector: vectors.get(each), said: saidOn(document), step }));
}

/** Adds fingerprints of the sentences that the drafts rest on, so that they are recognised when their chunks are gone. */
function withWords(extracted: readonly ExtractedMemory[], chunks: readonly Chunk[], digest: Digest): readonly ExtractedMemory[] {
	const texts = new Map(chunks.map(({ id, text }) => [id, text]));
	const noted = (one: Evidence): Evidence => ({ ...one, words: fingerprintOf(texts.get(one.chunk) ?? "", one, digest) });
	return extracted.map(({ draft, extractor }) => ({ draft: { ...draft, evidence: draft.evidence.map(noted) }, extractor }));
}

interface SettledHomes extends Pick<Settled, "grounds" | "gone"> {
	/** By container. */
	readonly known: ReadonlyMap<string, Settled["known"]>;
}

/** Memories in containers that the document has left are treated as no longer said. */
async function settleIn(
	homes: readonly string[],
	{ document, chunks, isAnew = false }: Reading,
	extracted: readonly ExtractedMemory[],
	{ tenant }: RememberParts,
): Promise<SettledHomes> {
	const { id } = document;
	const former = Map.groupBy((await tenant.memories.ofDocument(id)).toReversed(), ({ containerTag }) => containerTag);
	const current = new Set(chunks.map((chunk) => chunk.id));
	const drafts = extracted.map(({ draft }) => draft);
	const settled = [...new Set([...homes, ...former.keys()])].map((tag) => {
		const memories = former.get(tag) ?? [];
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

/** A container that gets the memories, and which of its memories count as known. */
interface Home {
	readonly tag: string;
	readonly filter: Filter | null;
}

interface EmbeddedDraft extends ExtractedMemory {
	/** Absent when it did not come. */
	readonly vector: Vector | undefined;
	/** The day that its document names as its own. */
	readonly said: Date | null;
	readonly step: Step;
}

async function rememberIn(home: Home, drafts: readonly EmbeddedDraft[], parts: RememberParts): Promise<number> {
	if (drafts.length === 0) return 0;
	const { memories } = parts.tenant;
	for (let look = 0; look < looksMax; look++) {
		const plan = await planVersions(home, drafts, parts);
		if (plan.memories.length > 0 && !(await memories.save(parts.embedder.space, plan.memories, plan.edges))) continue;
		// At the same time, so that one write to the disk serves all.
		await Promise.all(plan.supported.map(({ known, draft }) => memories.support(known, draft.evidence, parts.world.now())));
		return plan.memories.length;
	}
	for (const step of new Set(drafts.map((each) => each.step)))
		step.warn("MEMORIES_CONTESTED", `the memories of container ${home.tag} kept changing; nothing was remembered of this document`);
	return 0;
}

interface Plan {
	readonly memories: EmbeddedMemory[];
	readonly edges: MemoryEdge[];
	/** Drafts that say what a memory already says. */
	readonly supported: { readonly known: MemoryId; readonly draft: MemoryDraft }[];
}

/** Decides draft by draft, so that a later sentence of a document can update an earlier one. */
async function planVersions(home: Home, drafts: readonly EmbeddedDraft[], parts: RememberParts): Promise<Plan> {
	const plan: Plan = { memories: [], edges: [], supported: [] };
	let around: Surroundings = { hits: new Map(), memories: new Map() };
	for (const [i, { draft, extractor, vector, said, step }] of drafts.entries()) {
		if (i % draftsAtOnce === 0)
			around = await surroundingsOf(
				drafts.slice(i, i + draftsAtOnce).flatMap((each) => each.vector ?? []),
				home,
				parts,
			);
		if (vector === undefined) continue;
		const replaced = new Set(plan.edges.filter(({ relation }) => relation === "updates").map(({ to }) => to));
		const neighbours = neighboursOf(vector, draft.subject, around, plan.memories, replaced, parts);
		const { links, duplicateOf } = await link(draft, neighbours, parts.memoryLinkers, step);
		const planned = plan.memories.findIndex(({ memory }) => memory.id === duplicateOf);
		if (planned >= 0) addEvidence(plan, planned, draft);
		else if (duplicateOf !== null) plan.supported.push({ known: duplicateOf, draft });
		else {
			const newer = await saidLater(links, neighbours, said, parts.tenant.documents);
			const own = newer === null ? links : links.filter(({ relation }) => relation !== "updates");
			addMemory(plan, { draft, extractor, vector, said }, own, neighbours, home.tag, parts.world);
			if (newer !== null) putBehind(plan, newer);
		}
	}
	return plan;
}

/** Joins the answers of all linkers; where two link to one target, the first listed wins. */
async function link(draft: MemoryDraft, neighbours: readonly Neighbour[], linkers: readonly MemoryLinker[], step: Step): Promise<Linking> {
	const offered = new Set(neighbours.map(({ memory }) => memory.id));
	const links = new Map<MemoryId, Link>();
	for (const linker of linkers) {
		const answer = await linker.link(draft, neighbours, step);
		if (answer.duplicateOf !== null && offered.has(answer.duplicateOf)) return { links: [], duplicateOf: answer.duplicateOf };
		for (const found of answer.links) if (offered.has(found.target) && !links.has(found.target)) links.set(found.target, found);
	}
	return { links: withoutExcess([...links.values()]), duplicateOf: null };
}

/** Of what a memory merely extends the first: linkers say them in their order, and about one subject everything adds to everything. */
function withoutExcess(links: readonly Link[]): readonly Link[] {
	const extending = links.filter(({ relation }) => relation === "extends").slice(0, limits.memoryExtendsMax);
	return links.filter((one) => one.relation !== "extends" || extending.includes(one));
}

/** An older document states what was true before: the memory added last becomes the older version. */
function putBehind(plan: Plan, newer: MemoryId): void {
	const last = plan.memories.pop();
	if (last === undefined) return;
	plan.memories.push({ ...last, memory: { ...last.memory, isLatest: false } });
	plan.edges.push({ from: newer, to: last.memory.id, relation: "updates" });
}

function addEvidence(plan: Plan, index: number, draft: MemoryDraft): void {
	const planned = plan.memories[index];
	if (planned === undefined) return;
	plan.memories[index] = { ...planned, memory: { ...planned.memory, evidence: [...planned.memory.evidence, ...draft.evidence] } };
}

function addMemory(
	plan: Plan,
	{ draft, extractor, vector, said }: ExtractedMemory & { readonly vector: Vector; readonly said: Date | null },
	links: readonly Link[],
	neighbours: readonly Neighbour[],
	tag: string,
	world: World,
): void {
	const now = world.now();
	const update = links.find(({ relation }) => relation === "updates");
	const replaced = neighbours.find(({ memory }) => memory.id === update?.target)?.memory;
	const id = newId<MemoryId>(world.randomBytes);
	const memory: Memory = {
		...draft,
		id,
		containerTag: tag,
		version: (replaced?.version ?? 0) + 1,
		parent: replaced?.id ?? null,
		root: replaced === undefined ? null : (replaced.root ?? replaced.id),
		isLatest: true,
		isForgotten: false,
		forgetReason: null,
		metadata: {},
		extractor,
		...(said === null ? {} : { saidAt: said }),
		...ageing(draft, said, now),
		createdAt: now,
		updatedAt: now,
	};
	const earlier = plan.memories.findIndex(({ memory: planned }) => planned.id === replaced?.id);
	const planned = plan.memories[earlier];
	if (planned !== undefined) plan.memories[earlier] = { ...planned, memory: { ...planned.memory, isLatest: false } };
	plan.memories.push({ memory, vector });
	plan.edges.push(...links.map(({ relation, target }) => ({ from: id, to: target, relation })));
}
