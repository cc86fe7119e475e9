/**
 * A cache of what was read of known memories, since documents about the same subject have the same neighbours. Nothing in it changes under the
 * id of a memory but its evidence, and it is only asked for memories that a search has just found.
 */

import type { MemoryId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";

export interface RecentMemories {
	readonly get: (id: MemoryId) => Memory | undefined;
	readonly set: (memory: Memory) => void;
	/** Forgets a memory whose evidence has changed. */
	readonly drop: (id: MemoryId) => void;
	/** The subject of a memory; undefined if it is not in the cache. */
	readonly subjectOf: (id: MemoryId) => string | null | undefined;
	readonly setSubject: (id: MemoryId, subject: string | null) => void;
	readonly clear: () => void;
}

/**
 * There are two generations of this size, and a memory takes about 1 kB. When the newer one is full, it becomes the older one, which is
 * dropped.
 */
const generationMax = 10_000;
/** A subject takes about 100 bytes. */
const subjectsMax = 200_000;

export function createRecentMemories(): RecentMemories {
	let newer = new Map<MemoryId, Memory>();
	let older = new Map<MemoryId, Memory>();
	const subjects = new Map<MemoryId, string | null>();
	const set = (memory: Memory) => {
		if (newer.size >= generationMax) [older, newer] = [newer, new Map()];
		newer.set(memory.id, memory);
	};
	return {
		get: (id) => {
			const known = newer.get(id);
			if (known !== undefined) return known;
			const found = older.get(id);
			if (found !== undefined) set(found);
			return found;
		},
		set,
		drop: (id) => {
			newer.delete(id);
			older.delete(id);
		},
		subjectOf: (id) => subjects.get(id),
		setSubject: (id, subject) => {
			if (subjects.size >= subjectsMax) subjects.clear();
			subjects.set(id, subject);
		},
		clear: () => {
			newer = new Map();
			older = new Map();
			subjects.clear();
		},
	};
}
