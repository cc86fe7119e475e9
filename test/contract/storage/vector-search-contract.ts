/** What the vector search of a storage promises: the true nearest, never fewer than there are, in one space of one organisation. */

import { asId, cosine, type MemoryId, type Vector } from "cairn-memory";
import { type ChunkId, type EmbeddedChunk, type Scope, wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { sampleSpace } from "../samples.ts";
import { addDocument, addPublished, everything, type Ground, idsOf, later, type OpenStorage, plenty, saveMemory, storageTest } from "./ground.ts";

export function vectorSearchLaws(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `vectors: ${name}`, holds);
	return [
		contractTest("the nearest of 500 chunks are those that brute force finds", nearestAmongMany),
		contractTest("a narrow scope gives as many as there are, up to the limit", narrowScope),
		contractTest("the nearest memories are those that brute force finds", nearestMemories),
		contractTest("many queries find together what each finds alone", nearestOfEach),
		contractTest("equally near memories of a container come in the order in which they were saved", equallyNear),
		contractTest("a hit names its document and position", hitsNamePlace),
		contractTest("two spaces are never compared", spacesApart),
		contractTest("what is removed or replaced makes room for the next nearest", goneMakesRoom),
		contractTest("stored vectors come back, and what is gone is left out", vectorsComeBack),
		contractTest("cosines of chunks are those of their vectors, before a search and after it, and what is gone is left out", cosinesOfChunks),
	];
}

/** Single precision is kept, and nothing coarser. */
const scoreTolerance = 1e-4;

interface Scored {
	readonly id: string;
	readonly score: number;
}

interface Known {
	readonly id: string;
	readonly vector: Vector;
}

/** Best first, scored by cosine, and none missed that is nearer than the last. */
function demandNearest(found: readonly Scored[], known: readonly Known[], query: Vector, limit: number, what: string): void {
	const truth = new Map(known.map(({ id, vector }) => [id, cosine(query, vector)]));
	const wanted = [...truth.values()].sort((a, b) => b - a).slice(0, limit);
	demandEqual(found.length, wanted.length, `how many were found, ${what}`);
	demandEqual(new Set(idsOf(found)).size, found.length, `how many different ones were found, ${what}`);
	for (const [i, { id, score }] of found.entries()) {
		const right = truth.get(id);
		demand(right !== undefined, `something was found that is not in scope, ${what}`);
		demand(Math.abs(score - right) < scoreTolerance, `hit ${i} scores ${score} instead of ${right}, ${what}`);
		demand(Math.abs(right - (wanted[i] ?? 0)) < scoreTolerance, `hit ${i} should score ${wanted[i]} and scores ${right}, ${what}`);
	}
}

interface Stock {
	readonly known: readonly (Known & { readonly isRare: boolean })[];
	readonly rare: Scope;
}

/** 500 chunks in ten documents; the two rare documents hold two in fifty. */
async function stockUp(ground: Ground): Promise<Stock> {
	const { tenant, samples } = ground;
	const known: (Known & { readonly isRare: boolean })[] = [];
	for (let d = 0; d < 10; d++) {
		const isRare = d < 2;
		const document = await addDocument(ground, { containerTags: isRare ? ["rare"] : ["common"], metadata: { rare: isRare } });
		const embedded: EmbeddedChunk[] = [];
		for (let position = 0; position < (isRare ? 10 : 60); position++) {
			embedded.push({ chunk: samples.makeChunk(document, { position, text: `text ${d} ${position}` }), vector: samples.makeVector() });
		}
		await tenant.documents.stage(document.id, 1, sampleSpace, embedded);
		await tenant.documents.publish(document.id, 1, samples.nextTime());
		known.push(...embedded.map(({ chunk, vector }) => ({ id: chunk.id, vector, isRare })));
	}
	return { known, rare: { ...wholeOrganisation, containerTags: ["rare"] } };
}

async function nearestAmongMany(ground: Ground): Promise<void> {
	const { known } = await stockUp(ground);
	const index = ground.tenant.vectors(sampleSpace);
	for (let round = 0; round < 10; round++) {
		const query = ground.samples.makeVector();
		for (const limit of [0, 1, 10, 100]) {
			demandNearest(await index.nearestChunks(query, wholeOrganisation, limit), known, query, limit, `asked for ${limit} of 500`);
		}
	}
	const query = ground.samples.makeVector();
	demandNearest(await index.nearestChunks(query, wholeOrganisation, plenty), known, query, plenty, "asked for more than there are");
}

async function narrowScope(ground: Ground): Promise<void> {
	const { known, rare } = await stockUp(ground);
	const index = ground.tenant.vectors(sampleSpace);
	const inScope = known.filter(({ isRare }) => isRare);
	const byFilter: Scope = { ...wholeOrganisation, filter: { kind: "equals", key: "rare", value: "true", negate: false, ignoreCase: false } };
	for (const scope of [rare, byFilter]) {
		for (const limit of [1, 15, 20, 40]) {
			const query = ground.samples.makeVector();
			demandNearest(await index.nearestChunks(query, scope, limit), inScope, query, limit, `asked for ${limit} of 20 in scope`);
		}
	}
	demandEqual(await index.nearestChunks(ground.samples.makeVector(), { ...rare, containerTags: ["nobody"] }, 10), [], "the nearest in an empty scope");
}

async function nearestMemories(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const embedded = Array.from({ length: 120 }, (_, i) => ({
		memory: samples.makeMemory({ containerTag: i % 10 === 0 ? "rare" : "common" }),
		vector: samples.makeVector(),
	}));
	demand(await tenant.memories.save(sampleSpace, embedded, []), "memories without rivals were not saved");
	const known = embedded.map(({ memory, vector }) => ({ id: memory.id, vector, tag: memory.containerTag }));
	const index = tenant.vectors(sampleSpace);
	const rare = { ...everything, scope: { ...wholeOrganisation, containerTags: ["rare"] } };
	for (const limit of [1, 8, 50]) {
		const query = samples.makeVector();
		demandNearest(await index.nearestMemories(query, everything, limit), known, query, limit, `asked for ${limit} of 120 memories`);
		const inScope = known.filter(({ tag }) => tag === "rare");
		demandNearest(await index.nearestMemories(query, rare, limit), inScope, query, limit, `asked for ${limit} of 12 memories in scope`);
	}
}

async function nearestOfEach(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const embedded = Array.from({ length: 120 }, (_, i) => ({
		memory: samples.makeMemory({ containerTag: i % 3 === 0 ? "rare" : "common" }),
		vector: samples.makeVector(),
	}));
	demand(await tenant.memories.save(sampleSpace, embedded, []), "memories without rivals were not saved");
	const forgotten = embedded.slice(0, 12).map(({ memory }) => memory.id);
	await tenant.memories.forget(forgotten, null, everything.now);
	const index = tenant.vectors(sampleSpace);
	const queries = Array.from({ length: 7 }, () => samples.makeVector());
	for (const memoryFilter of [everything, { ...everything, scope: { ...wholeOrganisation, containerTags: ["rare"] } }]) {
		for (const limit of [1, 8, 50]) {
			const alone = await Promise.all(queries.map((query) => index.nearestMemories(query, memoryFilter, limit)));
			demandEqual((await index.nearestMemoriesOfEach(queries, memoryFilter, limit)).map(idsOf), alone.map(idsOf), `the nearest ${limit} of each`);
		}
	}
	demandEqual(await index.nearestMemoriesOfEach([], everything, plenty), [], "the nearest of no query");
}

async function equallyNear({ tenant, samples }: Ground): Promise<void> {
	const [vector, other] = [samples.makeVector(), samples.makeVector()];
	const embedded = Array.from({ length: 60 }, (_, i) => ({
		memory: samples.makeMemory({ containerTag: i % 3 === 0 ? "others" : "mine", createdAt: later, updatedAt: later }),
		vector,
	}));
	for (const part of [embedded.slice(0, 30), embedded.slice(30)]) demand(await tenant.memories.save(sampleSpace, part, []), "memories were not saved");
	const saved = embedded.flatMap(({ memory }) => (memory.containerTag === "mine" ? [memory] : []));
	const index = tenant.vectors(sampleSpace);
	const inMine = { ...everything, scope: { ...wholeOrganisation, containerTags: ["mine"] } };
	for (const limit of [8, 32, plenty]) {
		const first = idsOf(saved.slice(0, limit));
		demandEqual(idsOf(await index.nearestMemories(vector, inMine, limit)), first, `the nearest ${limit}`);
		demandEqual((await index.nearestMemoriesOfEach([vector, other], inMine, limit)).map(idsOf), [first, first], `the nearest ${limit} of each`);
	}
}

async function hitsNamePlace(ground: Ground): Promise<void> {
	const { document, embedded } = await addPublished(ground, ["a quiet harbour", "the lighthouse keeper"]);
	const wanted = embedded[1];
	demand(wanted !== undefined, "there is no second chunk");
	const [hit] = await ground.tenant.vectors(sampleSpace).nearestChunks(wanted.vector, wholeOrganisation, 1);
	demandEqual(hit === undefined ? null : [hit.id, hit.document, hit.position], [wanted.chunk.id, document.id, 1], "a hit");
	demand(hit !== undefined && Math.abs(hit.score - 1) < scoreTolerance, "a chunk's own vector does not score 1");
}

async function spacesApart(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const { embedded } = await addPublished(ground, ["the lighthouse keeper"]);
	const memory = await saveMemory(ground);
	const ids = embedded.map(({ chunk }) => chunk.id);
	for (const space of [
		{ ...sampleSpace, name: "sample-2" },
		{ ...sampleSpace, name: "sample-3", dimensions: 8 },
	]) {
		const index = tenant.vectors(space);
		const query = samples.makeVector(space.dimensions);
		demandEqual(await index.nearestChunks(query, wholeOrganisation, plenty), [], `chunks in ${space.name}`);
		demandEqual(await index.nearestMemories(query, everything, plenty), [], `memories in ${space.name}`);
		demandEqual([...(await index.chunkVectors(ids)).keys()], [], `vectors of chunks in ${space.name}`);
		demandEqual([...(await index.memoryVectors([memory.id])).keys()], [], `vectors of memories in ${space.name}`);
	}
}

async function goneMakesRoom(ground: Ground): Promise<void> {
	const { tenant } = ground;
	const published = [];
	for (let i = 0; i < 12; i++) published.push(await addPublished(ground, [`first ${i}`, `second ${i}`]));
	const index = tenant.vectors(sampleSpace);
	const query = ground.samples.makeVector();
	const best = await index.nearestChunks(query, wholeOrganisation, 4);
	const goners = new Set(best.map(({ document }) => document));
	for (const id of goners) await tenant.documents.remove(id, later);
	const left = published
		.filter(({ document }) => !goners.has(document.id))
		.flatMap(({ embedded }) => embedded.map(({ chunk, vector }) => ({ id: chunk.id, vector })));
	demandNearest(await index.nearestChunks(query, wholeOrganisation, 4), left, query, 4, "after the nearest were removed");
}

async function vectorsComeBack(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const kept = await addPublished(ground, ["one", "two"]);
	const gone = await addPublished(ground, ["three"]);
	await tenant.documents.remove(gone.document.id, later);
	const index = tenant.vectors(sampleSpace);
	const ids = [...kept.embedded, ...gone.embedded].map(({ chunk }) => chunk.id);
	const vectors = await index.chunkVectors([...ids, samples.newId<ChunkId>(), asId<ChunkId>("")]);
	demandEqual([...vectors.keys()].sort(), idsOf(kept.chunks).toSorted(), "the chunks whose vectors are kept");
	for (const { chunk, vector } of kept.embedded) demandEqual(vectors.get(chunk.id), vector, "a stored vector");
	demandEqual([...(await index.chunkVectors([])).keys()], [], "the vectors of no chunks");
	demandEqual([...(await index.memoryVectors([samples.newId<MemoryId>()])).keys()], [], "the vector of an unknown memory");
}

/** What the port promises of a score. */
const cosineTolerance = 0.005;

async function cosinesOfChunks(ground: Ground): Promise<void> {
	const { tenant, samples } = ground;
	const kept = await addPublished(ground, ["one", "two"]);
	const gone = await addPublished(ground, ["three"]);
	const index = tenant.vectors(sampleSpace);
	const query = samples.makeVector().map((value) => value * 3);
	const all = [...kept.embedded, ...gone.embedded];
	const ids = [...all.map(({ chunk }) => chunk.id), samples.newId<ChunkId>(), asId<ChunkId>("")];
	const demandCosines = async (wanted: readonly EmbeddedChunk[], when: string) => {
		const cosines = await index.chunkCosines(query, ids);
		demandEqual([...cosines.keys()].sort(), wanted.map(({ chunk }) => chunk.id).toSorted(), `the chunks that have a cosine ${when}`);
		for (const { chunk, vector } of wanted) {
			const [found = Number.NaN, right] = [cosines.get(chunk.id), cosine(query, vector)];
			demand(Math.abs(found - right) < cosineTolerance, `a cosine is ${found} instead of ${right} ${when}`);
		}
	};
	await demandCosines(all, "before a search");
	await index.nearestChunks(query, wholeOrganisation, plenty);
	await demandCosines(all, "after a search");
	await tenant.documents.remove(gone.document.id, later);
	await demandCosines(kept.embedded, "after a document was removed");
	demandEqual([...(await index.chunkCosines(query, [])).keys()], [], "the cosines of no chunks");
}
