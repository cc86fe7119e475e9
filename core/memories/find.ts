/** Finds a memory by what clients send: the id of any of its versions, or its exact text. */

import { fail } from "../errors/fail.ts";
import { asId, isId, type MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Memory } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

export interface MemoryName {
	readonly id: string | null;
	/** The exact text; used only when there is no id. */
	readonly text: string | null;
}

/**
 * The latest version of the named memory in a container. An id of an older version leads to the latest; a text names only
 * what is current and not forgotten.
 *
 * @throws ServiceError `MEMORY_MISSING`
 */
export async function findMemory(containerTag: string, { id, text }: MemoryName, memories: MemoryStore): Promise<Memory> {
	const found = id === null ? await memories.byText(containerTag, text ?? "") : await byId(id, memories);
	if (found === null || found.containerTag !== containerTag) throw fail("MEMORY_MISSING");
	return found;
}

async function byId(id: string, memories: MemoryStore): Promise<Memory | null> {
	if (!isId(id)) return null;
	let [memory] = await memories.get([asId<MemoryId>(id)]);
	const seen = new Set<MemoryId>();
	while (memory !== undefined && !memory.isLatest && !seen.has(memory.id)) {
		const { id: current } = memory;
		seen.add(current);
		const successor = (await memories.newestEdges([current], limits.relativesMax, null)).find(
			({ to, relation }) => to === current && relation === "updates",
		)?.from;
		if (successor === undefined) return memory;
		[memory] = await memories.get([successor]);
	}
	return memory ?? null;
}
