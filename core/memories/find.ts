/** Finds a memory by what clients send: the id of any of its versions, or its exact text. */

import { fail } from "../errors/fail.ts";
import { asId, isId, type MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Memory } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

export interface MemoryReference {
	readonly id: string | null;
	/** The exact text; used only if there is no id. */
	readonly text: string | null;
}

/**
 * The latest version of a memory in a container. The id may be that of any version; a text matches only the latest version, unless it is
 * forgotten.
 *
 * @throws ServiceError `MEMORY_MISSING`
 */
export async function findMemory(containerTag: string, { id, text }: MemoryReference, memories: MemoryStore): Promise<Memory> {
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
