/** The known memories that new ones are compared with. They are read once for many drafts, since the sentences of a document mostly share them. */

import type { Filter } from "../model/filter.ts";
import type { MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Memory } from "../model/memory.ts";
import { wholeOrganisation } from "../model/scope.ts";
import { affinity, cosines, type Vector } from "../model/vector.ts";
import type { Embedder, Neighbour } from "../plugin/contract.ts";
import type { EmbeddedMemory } from "../ports/memory-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { Hit } from "../ports/vector-search.ts";
import type { World } from "../ports/world.ts";
import { createPauses } from "../runtime/pauses.ts";

export interface NeighbourParts {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly world: World;
	/** A cache of memories that were read recently, since documents about the same subject have the same neighbours. */
	readonly recentMemories?: Map<MemoryId, Memory>;
}

export interface NearestMemories {
	/** The hits for each vector that was searched for. */
	readonly hits: ReadonlyMap<Vector, readonly Hit<MemoryId>[]>;
	readonly memories: ReadonlyMap<MemoryId, Memory>;
}

/**
 * This many times more neighbours are considered than linkers get, to find those with the same subject: two statements about one home may
 * not share a word.
 */
const consideredPerNeighbour = 4;
/** The size of the cache. A memory takes about 1 kB. */
const recentMemoriesMax = 20_000;
/** Memories that are read without a pause: about 5 ms. */
const memoriesPerRead = 300;
const consideredMax = limits.similarMemoriesMax * consideredPerNeighbour;

/** The nearest known memories of a container for each of the vectors, each memory read once. */
export async function nearestMemoriesOf(
	vectors: readonly Vector[],
	{ tag, filter }: { readonly tag: string; readonly filter: Filter | null },
	parts: NeighbourParts,
	signal: AbortSignal,
): Promise<NearestMemories> {
	const { tenant, embedder, world } = parts;
	const memoryFilter = { scope: { ...wholeOrganisation, containerTags: [tag], filter }, includeForgotten: false, now: world.now() };
	const found = await tenant.vectors(embedder.space).nearestMemoriesOfEach(vectors, memoryFilter, consideredMax);
	const hits = new Map(vectors.map((vector, i) => [vector, found[i] ?? []]));
	const ids = new Set<MemoryId>();
	for (const some of found) for (const { id } of some) ids.add(id);
	return { hits, memories: await memoriesOf([...ids], parts, signal) };
}

async function memoriesOf(
	ids: readonly MemoryId[],
	{ tenant: { memories }, world, recentMemories = new Map() }: NeighbourParts,
	signal: AbortSignal,
): Promise<ReadonlyMap<MemoryId, Memory>> {
	const pauseIfDue = createPauses(world);
	const found = new Map<MemoryId, Memory>();
	const unknown: MemoryId[] = [];
	for (const id of ids) {
		const memory = recentMemories.get(id);
		if (memory === undefined) unknown.push(id);
		else found.set(id, memory);
	}
	if (recentMemories.size + unknown.length > recentMemoriesMax) recentMemories.clear();
	// Other jobs use the cache too, and may clear it in the meantime.
	for (let start = 0; start < unknown.length; start += memoriesPerRead) {
		for (const memory of await memories.get(unknown.slice(start, start + memoriesPerRead))) {
			found.set(memory.id, memory);
			recentMemories.set(memory.id, memory);
		}
		const pause = pauseIfDue(signal);
		if (pause !== null) await pause;
	}
	return found;
}

/** The nearest memories among the known ones and those of this document, nearest first, and some more distant ones about the same subject. */
export function neighboursOf(
	vector: Vector,
	subject: string | null,
	{ hits, memories }: NearestMemories,
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
	// If a document has very many memories, nearly all of them are too dissimilar to be considered.
	const scoreMin = nearest.length < consideredMax ? Number.NEGATIVE_INFINITY : (nearest.at(-1)?.score ?? 0);
	const hasSameSubject = (memory: Memory) => subject !== null && memory.subject === subject;
	const scores = cosines(
		vector,
		planned.map((each) => each.vector),
	);
	let i = 0;
	for (const { memory } of planned) {
		const score = scores[i++] ?? 0;
		if ((score >= scoreMin || hasSameSubject(memory)) && !replaced.has(memory.id)) nearest.push({ memory, score });
	}
	return nearest
		.sort((a, b) => b.score - a.score)
		.filter(({ memory }, i) => i < limits.similarMemoriesMax || hasSameSubject(memory))
		.slice(0, consideredMax)
		.map(({ memory, score }) => ({ memory, affinity: affinity(score, calibration) }));
}

interface Near {
	readonly memory: Memory;
	readonly score: number;
}
