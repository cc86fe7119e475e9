/** Profiles in RAM. */

import { isCurrent, type Memory, type ProfilePart, type ProfileStore } from "cairn";
import type { Tables } from "./tables.ts";

const belongs = {
	static: ({ isStatic }) => isStatic,
	dynamic: ({ isStatic }) => !isStatic,
	inferred: ({ isInference }) => isInference,
} as const satisfies Record<ProfilePart, (memory: Memory) => boolean>;

export function ramProfiles({ memories, sortings }: Tables): ProfileStore {
	const newest = (containerTag: string, isWanted: (memory: Memory) => boolean, limit: number) =>
		[...memories.values()]
			.map(({ memory }) => memory)
			.filter((memory) => memory.containerTag === containerTag && memory.isLatest && !memory.isForgotten && isWanted(memory))
			.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
			.slice(0, limit);
	return {
		recent: async (containerTag, part, limit, now) => newest(containerTag, (memory) => belongs[part](memory) && isCurrent(memory, now), limit),
		inBucket: async (containerTag, sorting, bucket, limit, now) => {
			const isInside = (memory: Memory) => {
				const sorted = sortings.get(memory.id);
				return sorted?.sorting === sorting && sorted.buckets.includes(bucket) && isCurrent(memory, now);
			};
			return newest(containerTag, isInside, limit);
		},
		unsorted: async (containerTag, sorting, limit) => newest(containerTag, ({ id }) => sortings.get(id)?.sorting !== sorting, limit),
		sort: async (sorting, sorted) => {
			for (const { memory, buckets } of sorted) sortings.set(memory, { sorting, buckets });
		},
	};
}
