/** The known memories that new ones are compared with, read in one go for a document, since its sentences mostly share their neighbours. */

import type { Filter } from "../model/filter.ts";
import type { MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Memory } from "../model/memory.ts";
import { wholeOrganisation } from "../model/scope.ts";
import { affinity, cosine, type Vector } from "../model/vector.ts";
import type { Embedder, Neighbour } from "../plugin/contract.ts";
import type { EmbeddedMemory } from "../ports/memory-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { Hit } from "../ports/vector-search.ts";
import type { World } from "../ports/world.ts";

export interface NeighbourParts {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly world: World;
	/** Memories that were read a moment ago: documents about the same things have the same neighbours. */
	readonly lately?: Map<MemoryId, Memory>;
}

export interface Surroundings {
	/** By the vector that was asked about. */
	readonly hits: ReadonlyMap<Vector, readonly Hit<MemoryId>[]>;
	readonly memories: ReadonlyMap<MemoryId, Memory>;
}

/** So many times the neighbours that a linker is shown are looked at for some of the same subject: two statements about one home may share no word. */
const lookedAtPerNeighbour = 4;
/** About 1 kB each. */
const latelyMax = 20_000;
const lookedAtMax = limits.similarMemoriesMax * lookedAtPerNeighbour;

/** The nearest known memories of a container for each of the vectors, each memory read once. */
export async function surroundingsOf(
	vectors: readonly Vector[],
	{ tag, filter }: { readonly tag: string; readonly filter: Filter | null },
	{ tenant, embedder, world, lately = new Map() }: NeighbourParts,
): Promise<Surroundings> {
	const memoryFilter = { scope: { ...wholeOrganisation, containerTags: [tag], filter }, includeForgotten: false, now: world.now() };
	const found = await tenant.vectors(embedder.space).nearestMemoriesOfEach(vectors, memoryFilter, lookedAtMax);
	const hits = new Map(vectors.map((vector, i) => [vector, found[i] ?? []]));
	const ids = new Set<MemoryId>();
	for (const some of found) for (const { id } of some) ids.add(id);
	return { hits, memories: await memoriesOf([...ids], tenant, lately) };
}

async function memoriesOf(ids: readonly MemoryId[], { memories }: TenantStore, lately: Map<MemoryId, Memory>): Promise<ReadonlyMap<MemoryId, Memory>> {
	const unknown = ids.filter((id) => !lately.has(id));
	if (lately.size + unknown.length > latelyMax) lately.clear();
	const read = await memories.get(lately.size > 0 ? unknown : ids);
	for (const memory of read) lately.set(memory.id, memory);
	return lately;
}

/** The nearest memories among the known ones and those of this document, nearest first, and some more distant ones about the same subject. */
export function neighboursOf(
	vector: Vector,
	subject: string | null,
	{ hits, memories }: Surroundings,
	planned: readonly EmbeddedMemory[],
	replaced: ReadonlySet<MemoryId>,
	{ embedder }: NeighbourParts,
): readonly Neighbour[] {
	const { calibration } = embedder.space;
	const nearest: Near[] = [];
	for (const { id, score } of hits.get(vector) ?? []) {
		const memory = memories.get(id);
		if (memory !== undefined && !replaced.has(id)) nearest.push({ memory, score });
	}
	// Of very many of one document nearly all are far away.
	const least = nearest.length < lookedAtMax ? Number.NEGATIVE_INFINITY : (nearest.at(-1)?.score ?? 0);
	const isAbout = (memory: Memory) => subject !== null && memory.subject === subject;
	for (const { memory, vector: other } of planned) {
		const score = cosine(vector, other);
		if ((score >= least || isAbout(memory)) && !replaced.has(memory.id)) nearest.push({ memory, score });
	}
	return nearest
		.sort((a, b) => b.score - a.score)
		.filter(({ memory }, i) => i < limits.similarMemoriesMax || isAbout(memory))
		.slice(0, lookedAtMax)
		.map(({ memory, score }) => ({ memory, affinity: affinity(score, calibration) }));
}

interface Near {
	readonly memory: Memory;
	readonly score: number;
}
