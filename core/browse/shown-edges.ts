/** The edges shown with memories in lists: at most as many for each memory as a search shows relatives. */

import type { MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { type MemoryEdge, relations } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

/** Edges to other versions come first, then the other relations in the order of `relations`, each with its newest edges. Makes one call of the store. */
export async function shownEdges(ids: readonly MemoryId[], store: MemoryStore): Promise<ReadonlyMap<MemoryId, readonly MemoryEdge[]>> {
	const edges = new Map<MemoryId, MemoryEdge[]>(ids.map((id) => [id, []]));
	const found = await store.newestEdges([...edges.keys()], limits.relativesMax, null);
	for (const edge of found) for (const end of new Set([edge.from, edge.to])) edges.get(end)?.push(edge);
	const inOrder = (list: readonly MemoryEdge[]) => list.toSorted((a, b) => relations.indexOf(a.relation) - relations.indexOf(b.relation));
	return new Map([...edges].map(([id, list]) => [id, inOrder(list).slice(0, limits.relativesMax)]));
}
