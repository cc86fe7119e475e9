/** What a storage promises to those who keep an index beside it: all of them in order, what has gone, and who may see which. */

import type { MemoryId } from "cairn-memory";
import { type ChunkId, type IndexSource, type TextSource, type VectorSource, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { sampleOrganisation, sampleSpace } from "../samples.ts";
import {
	addDocument,
	addPublished,
	embedTexts,
	everything,
	type Ground,
	idsOf,
	later,
	type OpenStorage,
	otherOrganisation,
	plenty,
	publishTexts,
	saveMemory,
	storageTest,
} from "./ground.ts";

export function indexSourceLaws(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground, source: VectorSource) => Promise<void>) =>
		storageTest(open, `vector source: ${name}`, (ground) => holds(ground, ground.storage.vectorSource(sampleOrganisation, sampleSpace)));
	const textLaw = (name: string, holds: (ground: Ground, source: TextSource) => Promise<void>) =>
		storageTest(open, `text source: ${name}`, (ground) => holds(ground, ground.storage.textSource(sampleOrganisation)));
	return [
		...shared.flatMap(([name, holds]) => [contractTest(name, holds), textLaw(name, holds)]),
		contractTest("only what is published and in scope has a vector, and a place", onlyInScope),
		textLaw("the text is the one that is indexed", textsComeBack),
		contractTest("a content that the caller knows is not read, and does not bring back what is gone or out of scope", knownIsNotRead),
		contractTest("of two spaces and two organisations none tells of the other", apart),
	];
}

type AnySource = Pick<IndexSource<unknown>, "changesSince">;

const shared: readonly (readonly [name: string, holds: (ground: Ground, source: AnySource) => Promise<void>])[] = [
	["from the beginning all published chunks are told, page by page", allAreTold],
	["what is published after a position is told after it", publishedLater],
	["what is written and published between two pages is told once", publishedIsToldOnce],
	["what has gone after a position is told by its id", goneIsTold],
	["who is in other containers is told anew, with their tags", movedIsTold],
	["a document with more texts than a page is told by itself", largeIsToldAlone],
	["memories are told, and those that come back are told again", memoriesAreTold],
	["a position of nowhere is refused", strangePositions],
];

async function textsComeBack(ground: Ground, source: TextSource): Promise<void> {
	const { tenant, samples } = ground;
	const document = await addDocument(ground);
	const chunk = samples.makeChunk(document, { text: "shown", indexedText: "heading, shown" });
	await tenant.documents.stage(document.id, 1, sampleSpace, [{ chunk, vector: samples.makeVector() }]);
	await tenant.documents.publish(document.id, 1, samples.nextTime());
	const memory = await saveMemory(ground, { text: "shown", indexedText: "a memory" });
	const told = [await source.changesSince("chunk", null, plenty), await source.changesSince("memory", null, plenty)];
	demandEqual(
		told.flatMap((changes) => changes?.put.map(({ text }) => text) ?? []),
		["heading, shown", "a memory"],
		"the texts that are told",
	);
	const [found] = await source.chunksIn([chunk.id], wholeOrganisation);
	demandEqual([found?.text, found?.document, found?.position], ["heading, shown", document.id, 0], "a chunk's text and place");
	demandEqual((await source.memoriesIn([memory.id], everything))[0]?.text, "a memory", "a memory's text");
}

interface Told {
	readonly put: ReadonlyMap<string, readonly string[]>;
	/** How many each page has put. */
	readonly pages: readonly number[];
	readonly gone: readonly string[];
	readonly position: string;
}

/** All that comes after a position. */
async function toldSince(source: AnySource, kind: "chunk" | "memory", after: string | null, limit = plenty): Promise<Told> {
	const put = new Map<string, readonly string[]>();
	const gone: string[] = [];
	const pages: number[] = [];
	let position = after;
	for (;;) {
		demand(pages.length < plenty, "the changes have no end");
		const changes: Awaited<ReturnType<typeof source.changesSince>> = await source.changesSince(kind, position, limit);
		demand(changes !== null, `the position ${position} is refused`);
		for (const { id, containerTags } of changes.put) put.set(id, containerTags);
		pages.push(changes.put.length);
		gone.push(...changes.gone);
		position = changes.position;
		if (changes.isAtEnd) return { put, pages, gone, position };
	}
}

async function allAreTold(ground: Ground, source: AnySource): Promise<void> {
	const one = await addPublished(ground, ["first", "second", "third"], { containerTags: ["a", "b"] });
	const other = await addPublished(ground, ["fourth", "fifth"], { containerTags: ["c"] });
	const { put } = await toldSince(source, "chunk", null, 2);
	demandEqual([...put.keys()].toSorted(), idsOf([...one.chunks, ...other.chunks]).toSorted(), "what is told from the beginning");
	for (const { id } of one.chunks) demandEqual([...(put.get(id) ?? [])].toSorted(), ["a", "b"], "the tags of a chunk");
}

async function publishedLater(ground: Ground, source: AnySource): Promise<void> {
	const { tenant, samples } = ground;
	await addPublished(ground, ["before"]);
	const document = await addDocument(ground);
	const embedded = embedTexts(samples, document, ["one", "two"]);
	await tenant.documents.stage(document.id, 1, sampleSpace, embedded);
	const staged = await toldSince(source, "chunk", null);
	demandEqual(staged.put.size, 1, "how many are told while others are staged");
	await tenant.documents.publish(document.id, 1, samples.nextTime());
	const { put, position } = await toldSince(source, "chunk", staged.position);
	demandEqual([...put.keys()].toSorted(), embedded.map(({ chunk }) => chunk.id as string).toSorted(), "what is told after it was published");
	demandEqual((await toldSince(source, "chunk", position)).put.size, 0, "how many are told where nothing has happened");
}

/** More documents of one chunk than were ever told in a page by their scopes alone. */
const imported = 21;

async function publishedIsToldOnce(ground: Ground, source: AnySource): Promise<void> {
	await addPublished(ground, ["before"]);
	const { position } = await toldSince(source, "chunk", null);
	const published = await Promise.all(Array.from({ length: imported }, (_, i) => addPublished(ground, [`note ${i}`])));
	const first = await source.changesSince("chunk", position, plenty);
	demandEqual(idsOf(first?.put ?? []).toSorted(), published.flatMap(({ chunks }) => idsOf(chunks)).toSorted(), "what the first page tells");
	demandEqual(first?.isAtEnd, true, "whether it is the last page");
}

async function goneIsTold(ground: Ground, source: AnySource): Promise<void> {
	const kept = await addPublished(ground, ["stays"]);
	const goner = await addPublished(ground, ["goes", "as well"]);
	const { position } = await toldSince(source, "chunk", null);
	await ground.tenant.documents.remove(goner.document.id, later);
	const { put, gone } = await toldSince(source, "chunk", position);
	for (const { id } of goner.chunks) demand(gone.includes(id), "a chunk that has gone is not told");
	demand(!gone.includes(kept.chunks[0]?.id ?? "") && put.size === 0, "more is told than has happened");
	demandEqual([...(await toldSince(source, "chunk", null)).put.keys()], idsOf(kept.chunks), "what is told anew from the beginning");
}

/** More documents than their texts are counted of at once. */
const movers = 21;
/** Texts of a page that are asked for. */
const moversTold = 3;

async function movedIsTold(ground: Ground, source: AnySource): Promise<void> {
	const published = await Promise.all(Array.from({ length: movers }, (_, i) => addPublished(ground, [`moves ${i}`, "as well"], { containerTags: ["here"] })));
	const memory = await saveMemory(ground, { containerTag: "here" });
	const before = { chunk: await toldSince(source, "chunk", null), memory: await toldSince(source, "memory", null) };
	await Promise.all(published.map(({ document }) => ground.tenant.documents.change(document.id, { containerTags: ["there"] }, later, null)));
	await ground.tenant.memories.rehome("here", "there", plenty, later);
	const chunks = await toldSince(source, "chunk", before.chunk.position, moversTold);
	const moved = published.flatMap(({ chunks }) => idsOf(chunks));
	demandEqual([...chunks.put.keys()].toSorted(), moved.toSorted(), "the chunks that have moved");
	demandEqual(chunks.put.get(moved[0] ?? ""), ["there"], "the tags of a chunk that has moved");
	demand(Math.max(...chunks.pages) <= moversTold, `pages of ${moversTold} texts have ${chunks.pages.join(", ")}`);
	const memories = await toldSince(source, "memory", before.memory.position);
	demandEqual(memories.put.get(memory.id), ["there"], "the tags of a memory that has moved");
}

async function largeIsToldAlone(ground: Ground, source: AnySource): Promise<void> {
	const texts = [["small"], ["as", "small"], ["a document", "of more", "texts", "than a page", "has"], ["small", "again"]];
	const published: Awaited<ReturnType<typeof addPublished>>[] = [];
	for (const each of texts) published.push(await addPublished(ground, each, { containerTags: ["here"] }));
	const { position } = await toldSince(source, "chunk", null);
	for (const { document } of published) await ground.tenant.documents.change(document.id, { containerTags: ["there"] }, later, null);
	const { pages } = await toldSince(source, "chunk", position, moversTold);
	demandEqual(
		pages.filter((count) => count > 0),
		[3, 5, 2],
		"how many texts are told at a time",
	);
}

async function memoriesAreTold(ground: Ground, source: AnySource): Promise<void> {
	const { tenant, samples } = ground;
	const written = await saveMemory(ground);
	const published = await addPublished(ground, ["a source"]);
	const extracted = await saveMemory(ground, {
		extractor: "sentences-1",
		evidence: [{ document: published.document.id, chunk: published.chunks[0]?.id as ChunkId, span: [0, 1] }],
	});
	const first = await toldSince(source, "memory", null, 1);
	demandEqual([...first.put.keys()].toSorted(), [written.id as string, extracted.id].toSorted(), "the memories that are told");
	const removal = samples.newId<never>();
	await tenant.removals.setAside(published.document.id, removal, new Date(later.getTime() + 1_000_000), later);
	const second = await toldSince(source, "memory", first.position);
	demandEqual(second.gone, [extracted.id], "the memories that have gone");
	await tenant.removals.bringBack(removal, published.document.id, samples.makeJob(published.document), later);
	const third = await toldSince(source, "memory", second.position);
	demand(third.put.has(extracted.id), "a memory that has come back is not told");
}

async function strangePositions(ground: Ground, source: AnySource): Promise<void> {
	await addPublished(ground, ["one"]);
	for (const position of ["nowhere", "999999.999999.999999", ""])
		demandEqual(await source.changesSince("chunk", position, 10), null, `what comes after ${position}`);
}

async function onlyInScope(ground: Ground, source: VectorSource): Promise<void> {
	const { tenant, samples } = ground;
	const { document, chunks, embedded } = await addPublished(ground, ["one", "two"], { containerTags: ["mine"] });
	const other = await addPublished(ground, ["three"], { containerTags: ["yours"] });
	const unseen = await addDocument(ground, { containerTags: ["mine"] });
	const staged = embedTexts(samples, unseen, ["staged"]);
	await tenant.documents.stage(unseen.id, 1, sampleSpace, staged);
	const mine = { ...wholeOrganisation, containerTags: ["mine"] };
	const ids = [...chunks, ...other.chunks, ...staged.map(({ chunk }) => chunk)].map(({ id }) => id);
	const found = await source.chunksIn(ids, mine);
	demandEqual(sortedPlaces(found), sortedPlaces(chunks.map(({ id, position }) => ({ id, document: document.id, position }))), "the chunks in scope");
	for (const { id, vector } of found) demandEqual(vector, embedded.find(({ chunk }) => chunk.id === id)?.vector, "the vector of a chunk");
	demandEqual([...((await source.listChunks(mine, 2)) ?? [])].toSorted(), idsOf(chunks).toSorted(), "all chunks in scope");
	demandEqual(await source.listChunks(mine, 1), null, "the list of more than were asked for");
	const old = await saveMemory(ground, { containerTag: "mine", isLatest: false });
	const memory = await saveMemory(ground, { containerTag: "mine" });
	const memoryFilter = { ...everything, scope: mine };
	demandEqual(idsOf(await source.memoriesIn([old.id, memory.id, samples.newId<MemoryId>()], memoryFilter)), [memory.id], "the memories within reach");
	demandEqual(await source.listMemories(memoryFilter, 5), [memory.id], "all memories within reach");
	demandEqual(await source.listMemories(memoryFilter, 0), null, "the list of more memories than were asked for");
}

async function knownIsNotRead(ground: Ground, source: VectorSource): Promise<void> {
	const { samples } = ground;
	const { chunks, embedded } = await addPublished(ground, ["one", "two"], { containerTags: ["mine"] });
	const other = await addPublished(ground, ["three"], { containerTags: ["yours"] });
	const [first, second] = chunks;
	demand(first !== undefined && second !== undefined, "two texts are not two chunks");
	const given = { vector: samples.makeVector() };
	const missing = samples.newId<ChunkId>();
	const known = new Map([first, ...other.chunks].map(({ id }) => [id as string, given]));
	const asked = [missing, second.id, first.id, ...other.chunks.map(({ id }) => id)];
	const found = await source.chunksIn(asked, { ...wholeOrganisation, containerTags: ["mine"] }, known.set(missing, given));
	const vectors = new Map(found.map(({ id, vector }) => [id, vector]));
	demandEqual([...vectors.keys()].toSorted(), idsOf(chunks).toSorted(), "the chunks in scope");
	demandEqual(vectors.get(first.id), given.vector, "the vector that the caller knows");
	demandEqual(vectors.get(second.id), embedded.find(({ chunk }) => chunk.id === second.id)?.vector, "the vector that it does not know");
	const memory = await saveMemory(ground, { containerTag: "mine" });
	const knownMemories = new Map<string, typeof given>([[memory.id, given]]);
	demandEqual((await source.memoriesIn([memory.id], everything, knownMemories))[0]?.vector, given.vector, "the vector of a memory that the caller knows");
}

function sortedPlaces(places: readonly { readonly id: string; readonly document: string; readonly position: number }[]): readonly string[] {
	return places.map(({ id, document, position }) => `${id} ${document} ${position}`).toSorted();
}

async function apart(ground: Ground, source: VectorSource): Promise<void> {
	const { storage, others, samples } = ground;
	const { chunks } = await addPublished(ground, ["ours"]);
	const theirs = await publishTexts({ tenant: others, samples }, await addDocument({ tenant: others, samples }, { organisation: otherOrganisation }), [
		"theirs",
	]);
	demandEqual([...(await toldSince(source, "chunk", null)).put.keys()], idsOf(chunks), "what is told of an organisation");
	demandEqual(
		idsOf(
			await source.chunksIn(
				[...chunks, ...theirs.chunks].map(({ id }) => id),
				wholeOrganisation,
			),
		),
		idsOf(chunks),
		"the chunks of an organisation",
	);
	const elsewhere = storage.vectorSource(sampleOrganisation, { ...sampleSpace, name: "sample-2" });
	demandEqual((await toldSince(elsewhere, "chunk", null)).put.size, 0, "how many are told of another space");
}
