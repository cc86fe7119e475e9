/** Parents, children and relatives of a memory, each with how far it is: -1 the parent, +1 the child. */

import type { MemoryId } from "../model/id.ts";
import type { Memory, MemoryEdge, Relation } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { MemoryReach } from "../ports/vector-index.ts";

export interface Relative {
	readonly memory: Memory;
	readonly relation: Relation;
	/** Generations away: negative for older, positive for newer. */
	readonly distance: number;
}

export interface Kin {
	readonly parents: readonly Relative[];
	readonly children: readonly Relative[];
}

export const noKin: Kin = { parents: [], children: [] };

/** Grandparents and grandchildren are shown, further relatives are not: they crowd out what was asked for. */
const generationsMax = 2;

type Shown = Pick<MemoryReach, "includeForgotten" | "now" | "moment">;

/**
 * One round trip to the store per generation, however many memories are asked about. What was forgotten or has expired is
 * no kin, unless it is asked for, and neither is what was learnt after the moment that is asked about.
 */
export async function kinship(ids: readonly MemoryId[], memories: MemoryStore, shown: Shown): Promise<ReadonlyMap<MemoryId, Kin>> {
	const edges = await edgesAround(ids, memories);
	const steps = new Map(ids.map((id) => [id, { parents: climb(id, edges, "older"), children: climb(id, edges, "newer") }]));
	const wanted = new Set([...steps.values()].flatMap(({ parents, children }) => [...parents, ...children].map(({ id }) => id)));
	const known = new Map((await memories.get([...wanted])).map((memory) => [memory.id, memory]));
	const named = (reached: readonly Reached[]) =>
		reached.flatMap(({ id, relation, distance }) => {
			const memory = known.get(id);
			return memory === undefined || !isShown(memory, shown) ? [] : [{ memory, relation, distance }];
		});
	return new Map([...steps].map(([id, { parents, children }]) => [id, { parents: named(parents), children: named(children) }]));
}

function isShown({ isForgotten, forgetAfter, createdAt }: Memory, { includeForgotten, now, moment }: Shown): boolean {
	if (moment !== undefined && createdAt > moment.knownAt) return false;
	return includeForgotten || !(isForgotten || (forgetAfter !== null && forgetAfter <= (moment?.trueAt ?? moment?.knownAt ?? now)));
}

async function edgesAround(ids: readonly MemoryId[], memories: MemoryStore): Promise<readonly MemoryEdge[]> {
	const seen = new Map<string, MemoryEdge>();
	let frontier = ids;
	for (let generation = 0; generation < generationsMax && frontier.length > 0; generation++) {
		const found = await memories.edges(frontier);
		for (const edge of found) seen.set(`${edge.from} ${edge.to}`, edge);
		frontier = [...new Set(found.flatMap(({ from, to }) => [from, to]))];
	}
	return [...seen.values()];
}

interface Reached {
	readonly id: MemoryId;
	readonly relation: Relation;
	readonly distance: number;
}

/** Follows edges one way, nearest first. A memory reached twice counts once, at its nearest. */
function climb(start: MemoryId, edges: readonly MemoryEdge[], direction: "older" | "newer"): readonly Reached[] {
	const reached = new Map<MemoryId, Reached>();
	let frontier: readonly MemoryId[] = [start];
	for (let generation = 1; generation <= generationsMax; generation++) {
		const next: MemoryId[] = [];
		for (const { from, to, relation } of edges) {
			const [here, there] = direction === "older" ? [from, to] : [to, from];
			if (!frontier.includes(here) || there === start || reached.has(there)) continue;
			reached.set(there, { id: there, relation, distance: direction === "older" ? -generation : generation });
			next.push(there);
		}
		frontier = next;
	}
	return [...reached.values()];
}
