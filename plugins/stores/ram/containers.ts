/** Containers in RAM. */

import type { Container, ContainerCounts, ContainerStore } from "cairn-memory";
import type { Tables } from "./tables.ts";

export function ramContainers(tables: Tables): ContainerStore {
	const { containers } = tables;
	return {
		list: async () =>
			[...containers.values()]
				.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.tag < b.tag ? -1 : 1))
				.map((container) => ({ container, counts: countsOf(tables, container.tag) })),
		get: async (tag) => containers.get(tag) ?? null,
		change: async (tag, change, now) => {
			const changed = { ...(containers.get(tag) ?? fresh(tag, now)), ...change, updatedAt: now };
			containers.set(tag, changed);
			return changed;
		},
		describe: async (tag, description) => {
			const known = containers.get(tag);
			if (known !== undefined) containers.set(tag, { ...known, description });
			return known !== undefined;
		},
		remove: async (tag) => containers.delete(tag),
	};
}

/** Makes what is missing of these containers. */
export function openContainers({ containers }: Tables, tags: readonly string[], now: Date): void {
	for (const tag of tags) if (!containers.has(tag)) containers.set(tag, fresh(tag, now));
}

function fresh(tag: string, now: Date): Container {
	return { tag, name: null, description: null, entityContext: null, memoryFilesystemPaths: null, profileBuckets: [], createdAt: now, updatedAt: now };
}

function countsOf({ documents, memories }: Tables, tag: string): ContainerCounts {
	const inside = [...documents.values()].filter(({ containerTags }) => containerTags.includes(tag));
	const current = [...memories.values()].map(({ memory }) => memory).filter((memory) => memory.containerTag === tag && memory.isLatest && !memory.isForgotten);
	const newest = Math.max(...[...inside, ...current].map(({ updatedAt }) => updatedAt.getTime()));
	return { documents: inside.length, memories: current.length, lastActivityAt: Number.isFinite(newest) ? new Date(newest) : null };
}
