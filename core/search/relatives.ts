/** The relatives of a memory with their distance: -1 for a parent, +1 for a child. */

import type { MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { type Memory, type MemoryEdge, type Relation, relations } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { MemoryFilter } from "../ports/vector-search.ts";

export interface Relative {
	readonly memory: Memory;
	readonly relation: Relation;
	/** Generations away: negative for older, positive for newer. */
	readonly distance: number;
}

export interface Relatives {
	readonly parents: readonly Relative[];
	readonly children: readonly Relative[];
}

export const noRelatives: Relatives = { parents: [], children: [] };

/** Grandparents and grandchildren are shown, further relatives are not: they would take the place of closer ones. */
const generationsMax = 2;
/** How many edges are read per relation and direction: more than are shown, because some relatives may be forgotten or expired. */
const edgesRead = 2 * limits.relativesMax;

type Shown = Pick<MemoryFilter, "includeForgotten" | "now" | "moment">;

/**
 * The nearest relatives of each memory. Forgotten and expired memories are left out unless `shown` includes them, and so are memories that
 * were created after the moment that the search asks about. The store is asked once per generation for all memories together, and only for
 * those that have too few relatives so far.
 */
export async function findRelatives(ids: readonly MemoryId[], memories: MemoryStore, shown: Shown): Promise<ReadonlyMap<MemoryId, Relatives>> {
	const lineages = ids.map((id) => ({ id, lines: [lineFrom(id, "older"), lineFrom(id, "newer")] }));
	const known = new Map<MemoryId, Memory>();
	const relativesOf = ({ lines }: Lineage) => lines.flatMap(({ reached }) => [...reached.values()].flatMap((each) => named(each, known, shown)));
	for (let generation = 0; generation < generationsMax; generation++) {
		const growing = lineages.filter((lineage) => relativesOf(lineage).length < limits.relativesMax).flatMap(({ lines }) => lines);
		const frontier = new Set(growing.flatMap((line) => line.frontier));
		if (frontier.size === 0) break;
		const edges = await memories.newestEdges([...frontier], edgesRead, shown.moment?.knownAt ?? null);
		climb(growing, edges);
		const unknown = new Set(growing.flatMap((line) => line.frontier).filter((id) => !known.has(id)));
		for (const memory of await memories.get([...unknown])) known.set(memory.id, memory);
	}
	return new Map(lineages.map((lineage) => [lineage.id, nearest(relativesOf(lineage))]));
}

interface Lineage {
	readonly id: MemoryId;
	readonly lines: readonly Line[];
}

/** The relatives of one memory in one direction. */
interface Line {
	readonly start: MemoryId;
	readonly direction: "older" | "newer";
	readonly reached: Map<MemoryId, Reached>;
	frontier: readonly MemoryId[];
}

interface Reached {
	readonly id: MemoryId;
	readonly relation: Relation;
	readonly distance: number;
}

function lineFrom(start: MemoryId, direction: Line["direction"]): Line {
	return { start, direction, reached: new Map(), frontier: [start] };
}

/** Adds the next generation. A memory that is reached twice is added once, with the shorter distance and the first of the `relations`. */
function climb(lines: readonly Line[], edges: readonly MemoryEdge[]): void {
	const sorted = edges.toSorted((a, b) => relations.indexOf(a.relation) - relations.indexOf(b.relation));
	const [leaving, arriving] = [Map.groupBy(sorted, ({ from }) => from), Map.groupBy(sorted, ({ to }) => to)];
	for (const line of lines) {
		const next: MemoryId[] = [];
		for (const here of line.frontier) {
			const away = (line.reached.get(here)?.distance ?? 0) + (line.direction === "older" ? -1 : 1);
			for (const { from, to, relation } of (line.direction === "older" ? leaving : arriving).get(here) ?? []) {
				const id = line.direction === "older" ? to : from;
				if (id === line.start || line.reached.has(id)) continue;
				line.reached.set(id, { id, relation, distance: away });
				next.push(id);
			}
		}
		line.frontier = next;
	}
}

function named({ id, relation, distance }: Reached, known: ReadonlyMap<MemoryId, Memory>, shown: Shown): readonly Relative[] {
	const memory = known.get(id);
	return memory === undefined || !isShown(memory, shown) ? [] : [{ memory, relation, distance }];
}

function isShown({ isForgotten, forgetAfter, createdAt }: Memory, { includeForgotten, now, moment }: Shown): boolean {
	if (moment !== undefined && createdAt > moment.knownAt) return false;
	return includeForgotten || !(isForgotten || (forgetAfter !== null && forgetAfter <= (moment?.trueAt ?? moment?.knownAt ?? now)));
}

/** Chooses at most `relativesMax`, parents and children together: the previous and the next version first, then by distance, then the newest. */
function nearest(relatives: readonly Relative[]): Relatives {
	const rank = ({ relation, distance }: Relative) => (relation === "updates" && Math.abs(distance) === 1 ? 0 : Math.abs(distance));
	const chosen = relatives
		.toSorted((a, b) => rank(a) - rank(b) || b.memory.createdAt.getTime() - a.memory.createdAt.getTime() || (a.memory.id < b.memory.id ? -1 : 1))
		.slice(0, limits.relativesMax);
	return { parents: chosen.filter(({ distance }) => distance < 0), children: chosen.filter(({ distance }) => distance > 0) };
}
