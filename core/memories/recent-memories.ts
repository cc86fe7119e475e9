/**
 * A cache of what was read of known memories, since documents about the same subject have the same neighbours. Nothing in it changes under the
 * id of a memory but its evidence, and it is only asked for memories that a search has just found.
 */

import type { MemoryId, OrganisationId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { World } from "../ports/world.ts";
import { BoundedMap } from "../text/bounded-map.ts";

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

/** A memory takes about 1 kB. */
const memoriesMax = 20_000;
/** A subject takes about 100 bytes. */
const subjectsMax = 200_000;

export function createRecentMemories(): RecentMemories {
	const memories = new BoundedMap<MemoryId, Memory>(memoriesMax);
	const subjects = new BoundedMap<MemoryId, string | null>(subjectsMax);
	return {
		get: (id) => memories.get(id),
		set: (memory) => void memories.set(memory.id, memory),
		drop: (id) => void memories.delete(id),
		subjectOf: (id) => subjects.get(id),
		setSubject: (id, subject) => void subjects.set(id, subject),
		clear: () => {
			memories.clear();
			subjects.clear();
		},
	};
}

/** What linkers read of a memory does not change under its id, but its evidence may, by other threads. So it is read again after this time. */
const recentMs = 30_000;

export interface RecentByOrganisation {
	readonly of: (organisation: OrganisationId) => RecentMemories;
	readonly drop: (organisation: OrganisationId) => void;
}

/** The known memories of organisations with many waiting documents, kept from one job to the next. */
export function createRecentByOrganisation({ elapsedMs }: Pick<World, "elapsedMs">): RecentByOrganisation {
	const known = new Map<OrganisationId, { readonly since: number; readonly memories: RecentMemories }>();
	return {
		of: (organisation) => {
			// Those of an organisation whose job failed would otherwise stay: nothing says when its next one comes.
			for (const [id, { since }] of known) if (elapsedMs() - since >= recentMs) known.delete(id);
			const found = known.get(organisation) ?? { since: elapsedMs(), memories: createRecentMemories() };
			known.set(organisation, found);
			return found.memories;
		},
		drop: (organisation) => void known.delete(organisation),
	};
}
