/**
 * The known memories that new ones are compared with. They are looked up once for many drafts, since the sentences of a document mostly share
 * them. Of most only the subject is read.
 */

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
import { yieldIfDue } from "../runtime/yielder.ts";
import { createRecentMemories, type RecentMemories } from "./recent-memories.ts";

export interface NeighbourParts {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly world: World;
	/** Memories that were read for other documents. */
	readonly recentMemories?: RecentMemories;
}

/** What a draft is compared by. */
export interface Compared {
	readonly vector: Vector;
	readonly subject: string | null;
}

export interface NearestMemories {
	/** The hits for each vector that was searched for. */
	readonly hits: ReadonlyMap<Vector, readonly Hit<MemoryId>[]>;
	/** The subjects of all hits that still exist. */
	readonly subjects: ReadonlyMap<MemoryId, string | null>;
	/** The memories that were read so far. */
	readonly memories: Map<MemoryId, Memory>;
}

/**
 * This many times more neighbours are considered than linkers get, to find those with the same subject: two statements about one home may
 * not share a word.
 */
const consideredPerNeighbour = 4;
const consideredMax = limits.similarMemoriesMax * consideredPerNeighbour;
/** Memories that are read without a pause: about 2 ms. */
const memoriesPerRead = 100;
/** The same for their subjects alone. */
const subjectsPerRead = 500;

/** The nearest known memories of a container for each of the drafts, each memory read once. */
export async function nearestMemoriesOf(
	drafts: readonly Compared[],
	{ tag, filter }: { readonly tag: string; readonly filter: Filter | null },
	parts: NeighbourParts,
): Promise<NearestMemories> {
	const { tenant, embedder, world } = parts;
	const memoryFilter = { scope: { ...wholeOrganisation, containerTags: [tag], filter }, includeForgotten: false, now: world.now() };
	const vectors = drafts.map(({ vector }) => vector);
	const found = await tenant.vectors(embedder.space).nearestMemoriesOfEach(vectors, memoryFilter, consideredMax);
	const hits = new Map(vectors.map((vector, i) => [vector, found[i] ?? []]));
	const ids = new Set<MemoryId>();
	for (const some of found) for (const { id } of some) ids.add(id);
	const recentMemories = parts.recentMemories ?? createRecentMemories();
	const subjects = await subjectsOf([...ids], { ...parts, recentMemories });
	const memories = await memoriesOf(likelyNeighbours(drafts, hits, subjects), { ...parts, recentMemories });
	return { hits, subjects, memories };
}

/** Those that linkers will get, unless some of them were replaced in the meantime. */
function likelyNeighbours(drafts: readonly Compared[], hits: NearestMemories["hits"], subjects: NearestMemories["subjects"]): readonly MemoryId[] {
	const likely = new Set<MemoryId>();
	for (const { vector, subject } of drafts) {
		let rank = 0;
		for (const { id } of hits.get(vector) ?? []) {
			const known = subjects.get(id);
			if (known === undefined) continue;
			if (rank++ < limits.similarMemoriesMax || (subject !== null && known === subject)) likely.add(id);
		}
	}
	return [...likely];
}

interface ReadParts extends Pick<NeighbourParts, "tenant"> {
	readonly recentMemories: RecentMemories;
}

async function subjectsOf(ids: readonly MemoryId[], { tenant: { memories }, recentMemories }: ReadParts): Promise<ReadonlyMap<MemoryId, string | null>> {
	const found = new Map<MemoryId, string | null>();
	const unknown = ids.filter((id) => {
		const subject = recentMemories.subjectOf(id);
		if (subject !== undefined) found.set(id, subject);
		return subject === undefined;
	});
	for (let start = 0; start < unknown.length; start += subjectsPerRead) {
		for (const [id, subject] of await memories.subjects(unknown.slice(start, start + subjectsPerRead))) {
			found.set(id, subject);
			recentMemories.setSubject(id, subject);
		}
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	return found;
}

async function memoriesOf(ids: readonly MemoryId[], { tenant: { memories }, recentMemories }: ReadParts): Promise<Map<MemoryId, Memory>> {
	const found = new Map<MemoryId, Memory>();
	const unknown: MemoryId[] = [];
	for (const id of ids) {
		const memory = recentMemories.get(id);
		if (memory === undefined) unknown.push(id);
		else found.set(id, memory);
	}
	for (let start = 0; start < unknown.length; start += memoriesPerRead) {
		for (const memory of await memories.get(unknown.slice(start, start + memoriesPerRead))) {
			found.set(memory.id, memory);
			recentMemories.set(memory);
		}
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	return found;
}

/** The nearest memories among the known ones and those of this document, nearest first, and some more distant ones about the same subject. */
export async function neighboursOf(
	{ vector, subject }: Compared,
	nearestMemories: NearestMemories,
	planned: readonly EmbeddedMemory[],
	replaced: ReadonlySet<MemoryId>,
	{ embedder, tenant }: NeighbourParts,
): Promise<readonly Neighbour[]> {
	const { hits, subjects, memories } = nearestMemories;
	const near: Near[] = [];
	let rank = 0;
	// What is not nearer than this is not among the nearest of all.
	let nearestMin = Number.NEGATIVE_INFINITY;
	for (const { id, score } of hits.get(vector) ?? []) {
		const known = subjects.get(id);
		if (known === undefined || replaced.has(id)) continue;
		const isSame = subject !== null && known === subject;
		if (++rank === limits.similarMemoriesMax) nearestMin = score;
		if (rank <= limits.similarMemoriesMax || isSame) near.push({ id, score, memory: null, isSame });
	}
	const scores = cosines(
		vector,
		planned.map((each) => each.vector),
	);
	let i = 0;
	for (const { memory } of planned) {
		const score = scores[i++] ?? 0;
		const isSame = subject !== null && memory.subject === subject;
		if ((score > nearestMin || isSame) && !replaced.has(memory.id)) near.push({ id: memory.id, score, memory, isSame });
	}
	const chosen = near
		.sort((a, b) => b.score - a.score)
		.filter(({ isSame }, i) => i < limits.similarMemoriesMax || isSame)
		.slice(0, consideredMax);
	const missing = chosen.filter(({ id, memory }) => memory === null && !memories.has(id)).map(({ id }) => id);
	if (missing.length > 0) for (const memory of await tenant.memories.get(missing)) memories.set(memory.id, memory);
	return chosen.flatMap(({ id, score, memory: own }): readonly Neighbour[] => {
		const memory = own ?? memories.get(id);
		return memory === undefined ? [] : [{ memory, affinity: affinity(score, embedder.space.calibration) }];
	});
}

interface Near {
	readonly id: MemoryId;
	readonly score: number;
	/** Null if it is a known one. */
	readonly memory: Memory | null;
	/** Whether it has the subject of the draft. */
	readonly isSame: boolean;
}
