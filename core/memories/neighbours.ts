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
}

export interface Surroundings {
	/** By the vector that was asked about. */
	readonly hits: ReadonlyMap<Vector, readonly Hit<MemoryId>[]>;
	readonly memories: ReadonlyMap<MemoryId, Memory>;
}

/** So many times the neighbours that a linker is shown are looked at for some of the same subject: two statements about one home may share no word. */
const lookedAtPerNeighbour = 4;
const lookedAtMax = limits.memoryNeighboursMax * lookedAtPerNeighbour;

/** The nearest known memories of a container for each of the vectors, each memory read once. */
export async function surroundingsOf(
	vectors: readonly Vector[],
	{ tag, filter }: { readonly tag: string; readonly filter: Filter | null },
	{ tenant, embedder, world }: NeighbourParts,
): Promise<Surroundings> {
	const memoryFilter = { scope: { ...wholeOrganisation, containerTags: [tag], filter }, includeForgotten: false, now: world.now() };
	const index = tenant.vectors(embedder.space);
	const hits = new Map<Vector, readonly Hit<MemoryId>[]>();
	for (const vector of vectors) hits.set(vector, await index.nearestMemories(vector, memoryFilter, lookedAtMax));
	const ids = new Set([...hits.values()].flat().map(({ id }) => id));
	return { hits, memories: new Map((await tenant.memories.get([...ids])).map((memory) => [memory.id, memory])) };
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
	const known = (hits.get(vector) ?? []).flatMap(({ id, score }): readonly Neighbour[] => {
		const memory = memories.get(id);
		return memory === undefined ? [] : [{ memory, affinity: affinity(score, calibration) }];
	});
	const own = planned.map(({ memory, vector: other }): Neighbour => ({ memory, affinity: affinity(cosine(vector, other), calibration) }));
	return [...known, ...own]
		.filter(({ memory }) => !replaced.has(memory.id))
		.sort((a, b) => b.affinity - a.affinity)
		.filter(({ memory }, i) => i < limits.memoryNeighboursMax || (subject !== null && memory.subject === subject))
		.slice(0, lookedAtMax);
}
