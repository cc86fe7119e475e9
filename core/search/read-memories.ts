/** Reads the memories that a search has found, the best first, and only as many as its results and scores depend on. */

import type { MemoryId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Hit } from "../ports/vector-search.ts";
import type { Candidate } from "../ranking/fuse.ts";

type FoundMemory = Pick<Candidate<Hit<MemoryId>>, "hit" | "score">;

/** The score of an inferred memory is multiplied by this, because it was not stated in a document. */
export const inferenceTrust = 0.8;

/** More are read than are wanted, because some have the same text and inferred ones lose score. With this many the first read is usually enough. */
const firstShare = 1.5;

/**
 * @param candidates best first
 * @param wanted how many of the best are needed, each with a text of its own
 * @returns the memories that still exist, by id
 */
export async function readMemories(
	candidates: readonly FoundMemory[],
	wanted: number,
	{ get }: Pick<MemoryStore, "get">,
): Promise<ReadonlyMap<MemoryId, Memory>> {
	const memories = new Map<MemoryId, Memory>();
	const step = Math.ceil(wanted * firstShare);
	for (let start = 0; start < candidates.length && !areRead(candidates.slice(0, start), memories, wanted, candidates[start]?.score ?? 0); start += step) {
		const part = candidates.slice(start, start + step);
		for (const memory of await get(part.map(({ hit }) => hit.id))) memories.set(memory.id, memory);
	}
	return memories;
}

export function worthOf({ isInference }: Memory, score: number): number {
	return isInference ? score * inferenceTrust : score;
}

/** Two memories with the same key say the same. */
export function keyOf({ text }: { readonly text: string }): string {
	return text.trim().toLowerCase();
}

/** Whether `wanted` memories with different texts have at least the score `next`, which no unread memory can exceed. */
function areRead(candidates: readonly FoundMemory[], memories: ReadonlyMap<MemoryId, Memory>, wanted: number, next: number): boolean {
	const texts = new Set<string>();
	for (const { hit, score } of candidates) {
		const memory = memories.get(hit.id);
		if (memory !== undefined && worthOf(memory, score) >= next) texts.add(keyOf(memory));
	}
	return texts.size >= wanted;
}
