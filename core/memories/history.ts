/** The older versions of memories, newest first. */

import type { MemoryId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

/** Longer chains are cut: each generation costs a round trip. */
const generationsMax = 50;

/** One round trip to the store per generation, however many memories are asked about. */
export async function historyOf(memories: readonly Memory[], store: MemoryStore): Promise<ReadonlyMap<MemoryId, readonly Memory[]>> {
	const histories = new Map<MemoryId, Memory[]>(memories.map(({ id }) => [id, []]));
	let frontier = memories.flatMap(({ id, parent }) => (parent === null ? [] : [{ of: id, id: parent }]));
	for (let generation = 0; generation < generationsMax && frontier.length > 0; generation++) {
		const older = new Map((await store.get([...new Set(frontier.map(({ id }) => id))])).map((memory) => [memory.id, memory]));
		frontier = frontier.flatMap(({ of, id }) => {
			const memory = older.get(id);
			if (memory === undefined) return [];
			histories.get(of)?.push(memory);
			return memory.parent === null ? [] : [{ of, id: memory.parent }];
		});
	}
	return histories;
}
