/** The older versions of memories, newest first. */

import type { MemoryId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

/** Longer histories are cut off, since each version costs a round trip. */
const versionsMax = 50;

/** The histories of all these memories. The versions of one age are read together, with one call of the store. */
export async function historyOf(memories: readonly Memory[], store: MemoryStore): Promise<ReadonlyMap<MemoryId, readonly Memory[]>> {
	const histories = new Map<MemoryId, Memory[]>(memories.map(({ id }) => [id, []]));
	let pending = memories.flatMap(({ id, parent }) => (parent === null ? [] : [{ latestId: id, id: parent }]));
	for (let round = 0; round < versionsMax && pending.length > 0; round++) {
		const older = new Map((await store.get([...new Set(pending.map(({ id }) => id))])).map((memory) => [memory.id, memory]));
		pending = pending.flatMap(({ latestId, id }) => {
			const memory = older.get(id);
			if (memory === undefined) return [];
			histories.get(latestId)?.push(memory);
			return memory.parent === null ? [] : [{ latestId, id: memory.parent }];
		});
	}
	return histories;
}
