/** Two organisations that hold the very same things never see each other's: not to read, not to change, not in a score. */

import { limits, type Memory } from "cairn-memory";
import { type Document, documentStatuses, type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import { queryWords } from "cairn-memory/words";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, evidenceIn, sampleSpace } from "../samples.ts";
import {
	addDocument,
	addPublished,
	embedTexts,
	everything,
	type Ground,
	idsOf,
	later,
	memoriesIn,
	type OpenStorage,
	otherOrganisation,
	plenty,
	retract,
	saveMemory,
	storageTest,
} from "./ground.ts";

export function isolationContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `isolation: ${name}`, holds);
	return [
		contractTest("an empty organisation beside a full one is empty", emptyStaysEmpty),
		contractTest("two organisations with identical ids each see their own", twinsSeeTheirOwn),
		contractTest("what one organisation does leaves its twin untouched", twinUntouched),
		contractTest("what another organisation stores hides no hit and changes no score", scoresHold),
		contractTest("blobs of one key are apart", blobsApart),
		contractTest("a job says whose it is", jobsNameTheirs),
	];
}

interface Canary {
	readonly document: Document;
	readonly memories: readonly Memory[];
}

/** The same ids, tags, texts and vectors every time; only title and metadata tell whose they are. */
async function plant(ground: Ground, tenant: TenantStore, title: string): Promise<Canary> {
	const { document, embedded, memories, vector } = seedOf(ground);
	const organisation = tenant === ground.others ? otherOrganisation : document.organisation;
	const own = { ...document, organisation, findings: { ...document.findings, title } };
	const job = { ...ground.samples.makeJob(own), organisation };
	demand(await tenant.documents.add(own, job), `the document of ${title} was not added`);
	demand(await tenant.documents.stage(own.id, 1, sampleSpace, embedded), `the chunks of ${title} were not staged`);
	demand(await tenant.documents.publish(own.id, 1, later), `the chunks of ${title} were not published`);
	const marked = memories.map((memory) => ({ ...memory, subject: title }));
	const [first, second] = marked;
	demand(first !== undefined && second !== undefined, "there are no memories");
	const saved = await tenant.memories.save(
		sampleSpace,
		marked.map((memory) => ({ memory, vector })),
		[edgeBetween(second, "extends", first)],
	);
	demand(saved, `the memories of ${title} were not saved`);
	return { document: own, memories: marked };
}

const seeds = new WeakMap<Ground, ReturnType<typeof makeSeed>>();

function seedOf(ground: Ground): ReturnType<typeof makeSeed> {
	const seed = seeds.get(ground) ?? makeSeed(ground);
	seeds.set(ground, seed);
	return seed;
}

function makeSeed({ samples }: Ground) {
	const document = samples.makeDocument({ customId: "canary", metadata: { canary: true }, filepath: "/canary" });
	const embedded = embedTexts(samples, document, ["canary one", "canary two"]);
	const evidence = embedded.map(({ chunk }) => evidenceIn(chunk));
	const memories = [1, 2].map(() => samples.makeMemory({ text: "canary sings", evidence, extractor: "sentences-1" }));
	return { document, embedded, memories, vector: samples.makeVector() };
}

/** Everything that can be read of the canary through these tenant stores, scores and all. */
async function readAll(ground: Ground, tenant: TenantStore) {
	const { document, embedded, memories, vector } = seedOf(ground);
	const chunkIds = embedded.map(({ chunk }) => chunk.id);
	const memoryIds = memories.map(({ id }) => id);
	const words = queryWords("canary", limits.queryWordsMax);
	const index = tenant.vectors(sampleSpace);
	const memoryFilter = { ...everything, includeForgotten: true };
	const page = { offset: 0, limit: plenty, sort: "createdAt", order: "desc" } as const;
	return {
		get: await tenant.documents.get(document.id),
		getMany: await tenant.documents.getMany([document.id]),
		byCustomId: (await tenant.documents.byCustomId("canary", [], 1))[0] ?? null,
		list: await tenant.documents.list(wholeOrganisation, documentStatuses, page, true),
		tally: [...(await tenant.documents.tally(wholeOrganisation, ["containerTag"])).containerTag].sort(),
		dreaming: await tenant.documents.dreaming("team", plenty),
		chunks: await tenant.documents.chunks(chunkIds),
		chunksOf: await tenant.documents.chunksOf(document.id),
		chunksAt: await tenant.documents.chunksAt(new Map([[document.id, [0, 1]]])),
		chunksByWords: sorted((await tenant.words.matchChunks(words, wholeOrganisation, plenty)).hits),
		chunksInDocument: sorted((await tenant.words.matchChunks(words, { ...wholeOrganisation, document: document.id }, plenty)).hits),
		chunksByVector: sorted(await index.nearestChunks(vector, wholeOrganisation, plenty)),
		chunkCosines: [...(await index.chunkCosines(vector, chunkIds))].sort(),
		chunkVectors: [...(await index.chunkVectors(chunkIds))].sort(),
		memories: await tenant.memories.get(memoryIds),
		documentsWithin: [...(await tenant.documents.within([document.id], document.containerTags))],
		memoryContainers: [...(await tenant.memories.within(memoryIds, document.containerTags))].sort(),
		memorySubjects: [...(await tenant.memories.subjects(memoryIds))].sort(),
		memoriesListed: sorted(await memoriesIn(tenant, wholeOrganisation, false, plenty)),
		memoriesInPath: sorted(await memoriesIn(tenant, { ...wholeOrganisation, filepath: "/canary" }, false, plenty)),
		memoriesOfDocument: sorted(await tenant.memories.ofDocument(document.id)),
		memoriesOfDocuments: sorted(await tenant.memories.ofDocuments([document.id])),
		memoriesCounted: await tenant.memories.count(memoryFilter),
		memoryByText: await Promise.all(memories.map(({ containerTag, text }) => tenant.memories.byText(containerTag, text))),
		edges: await tenant.memories.edges(memoryIds),
		memoriesByWords: sorted((await tenant.words.matchMemories(words, memoryFilter, plenty)).hits),
		memoriesByVector: sorted(await index.nearestMemories(vector, memoryFilter, plenty)),
		memoryVectors: [...(await index.memoryVectors(memoryIds))].sort(),
	};
}

function sorted<Found extends { readonly id: string }>(found: readonly Found[]): readonly Found[] {
	return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function emptyStaysEmpty(ground: Ground): Promise<void> {
	const nothing = await readAll(ground, ground.others);
	await plant(ground, ground.tenant, "mine");
	demandEqual(await readAll(ground, ground.others), nothing, "what an empty organisation sees");
	const { document, memories } = seedOf(ground);
	const { documents, memories: foreign } = ground.others;
	demandEqual(await documents.change(document.id, { metadata: {} }, later, null), null, "a change to another's document");
	demand(!(await documents.move(document.id, 1, documentStatuses, "failed", later)), "another's document was moved");
	demandEqual(await documents.remove(document.id, later), null, "a removal of another's document");
	demandEqual(await foreign.forget(idsOf(memories) as Memory["id"][], null, later), 0, "how many of another's memories were forgotten");
}

async function twinsSeeTheirOwn(ground: Ground): Promise<void> {
	const mine = await plant(ground, ground.tenant, "mine");
	const alone = await readAll(ground, ground.tenant);
	const theirs = await plant(ground, ground.others, "theirs");
	demandEqual(await readAll(ground, ground.tenant), alone, "what an organisation sees beside its twin");
	const seen = await readAll(ground, ground.others);
	demandEqual([seen.get, seen.byCustomId, seen.memories], [theirs.document, theirs.document, theirs.memories].map(published), "what the twin sees");
	demandEqual(seen.list.total, 1, "how many documents the twin has");
	demandEqual([seen.chunksByWords.length, seen.chunksByVector.length, seen.memoriesByVector.length], [2, 2, 2], "how much the twin finds");
	demandEqual((await readAll(ground, ground.tenant)).get, published(mine.document), "the document of the first");
}

/** As it reads after it was published. */
function published(value: Document | readonly Memory[]): Document | readonly Memory[] {
	return "content" in value ? { ...value, publishedRevision: 1, updatedAt: later } : value;
}

async function twinUntouched(ground: Ground): Promise<void> {
	await plant(ground, ground.tenant, "mine");
	await plant(ground, ground.others, "theirs");
	const before = await readAll(ground, ground.tenant);
	const { document, memories, vector } = seedOf(ground);
	const { documents, memories: theirs } = ground.others;
	const [memory] = memories;
	demand(memory !== undefined, "there is no memory");
	await theirs.forget([memory.id], "not mine", later);
	const update = { ...ground.samples.makeMemory(), id: ground.samples.newId<Memory["id"]>() };
	await theirs.save(sampleSpace, [{ memory: update, vector }], [edgeBetween(update, "updates", memory)]);
	await documents.progress(document.id, 1, { done: 1, total: 2, unit: "page" });
	await documents.describe(document.id, 1, { summary: "not mine" });
	await documents.change(document.id, { containerTags: ["elsewhere"], metadata: {}, filepath: "/elsewhere", customId: "else" }, later, null);
	await documents.stage(document.id, 1, sampleSpace, embedTexts(ground.samples, document, ["not mine"]));
	await documents.publish(document.id, 1, later);
	await retract(ground.others, document.id);
	await documents.setDreaming(document.id, 1, "done", later);
	await documents.fail(document.id, 1, { code: "X", message: "x", stage: "queued", hint: null, retryAt: null }, "failed", later);
	await documents.remove(document.id, later);
	demandEqual(await readAll(ground, ground.tenant), before, "what an organisation sees after its twin changed and removed everything");
	demandEqual((await ground.storage.jobs.depth()).waiting, 1, "jobs after the twin removed its document");
}

/** A score that moved would tell an organisation what words another one uses. */
async function scoresHold(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	await addPublished(ground, ["Ada keeps the lighthouse", "the harbour master", "a lamp and a rope"]);
	for (const text of ["Ada keeps the lighthouse", "the harbour is deep"]) await saveMemory(ground, { text });
	const words = queryWords("lighthouse harbour", limits.queryWordsMax);
	const match = async () => [await tenant.words.matchChunks(words, wholeOrganisation, plenty), await tenant.words.matchMemories(words, everything, plenty)];
	const before = await match();
	demand(
		before.every(({ hits }) => hits.length === 2),
		"what holds a word was not found",
	);
	const foreign = { tenant: ground.others, samples };
	const long = "lighthouse ".repeat(20);
	for (let i = 0; i < 5; i++) {
		await addPublished(foreign, Array(8).fill(long), { organisation: otherOrganisation });
		await saveMemory(foreign, { text: long });
	}
	demandEqual(await match(), before, "hits and scores after another organisation stored its texts");
	const [first] = (await tenant.words.matchChunks(queryWords("lighthouse", limits.queryWordsMax), wholeOrganisation, 1)).hits;
	demandEqual(first?.position, 0, "the position of the one best hit after another organisation stored better ones");
}

async function blobsApart({ tenant, others }: Ground): Promise<void> {
	const put = (room: TenantStore, text: string) => room.blobs.put("same", piece(text), 100);
	const read = async (room: TenantStore) => new TextDecoder().decode((await room.blobs.get("same")) ?? new Uint8Array());
	await put(tenant, "mine");
	demandEqual(await others.blobs.get("same"), null, "another's blob");
	await put(others, "theirs");
	demandEqual([await read(tenant), await read(others)], ["mine", "theirs"], "the blobs of one key");
	await others.blobs.remove("same");
	demandEqual(await read(tenant), "mine", "a blob after another removed its own");
}

async function* piece(text: string): AsyncGenerator<Uint8Array> {
	yield new TextEncoder().encode(text);
}

async function jobsNameTheirs(ground: Ground): Promise<void> {
	const mine = await addDocument(ground);
	const theirs = await addDocument({ tenant: ground.others, samples: ground.samples }, { organisation: otherOrganisation });
	const claimed = await ground.storage.jobs.claim("worker", ["ingest"], 10, later, 1_000);
	const wanted = [mine, theirs].map(({ organisation, id }) => `${organisation} ${id}`).sort();
	demandEqual(claimed.map(({ organisation, subject }) => `${organisation} ${subject}`).sort(), wanted, "the owners of the claimed jobs");
}
