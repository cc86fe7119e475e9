/** Profiles in RAM. */

import { isCurrent, type Memory, type ProfilePart, type ProfileStore } from "cairn-memory";
import { wasThere } from "./moments.ts";
import type { Tables } from "./tables.ts";

const belongs = {
	static: ({ isStatic }) => isStatic,
	dynamic: ({ isStatic }) => !isStatic,
	inferred: ({ isInference }) => isInference,
} as const satisfies Record<ProfilePart, (memory: Memory) => boolean>;

export function ramProfiles(tables: Tables): ProfileStore {
	const { memories } = tables;
	const newest = (containerTag: string, isWanted: (memory: Memory) => boolean, limit: number) =>
		[...memories.values()]
			.map(({ memory }) => memory)
			.filter((memory) => memory.containerTag === containerTag && isWanted(memory))
			.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
			.slice(0, limit);
	return {
		recent: async (containerTag, part, limit, now, moment) => {
			const isThere = (memory: Memory) => (moment === undefined ? isCurrent(memory, now) : wasThere(memory, moment, tables));
			return newest(containerTag, (memory) => belongs[part](memory) && isThere(memory), limit);
		},
		inBucket: async (containerTag, sortings, bucket, limit, now) => {
			const names = new Set(sortings);
			const isInside = (memory: Memory) => {
				const sorted = tables.sortings.get(memory.id);
				return sorted !== undefined && names.has(sorted.sorting) && sorted.buckets.includes(bucket) && isCurrent(memory, now);
			};
			return newest(containerTag, isInside, limit);
		},
		unsorted: async (containerTag, sortings, limit) => {
			const names = new Set(sortings);
			const isUnsorted = ({ id, isLatest, isForgotten }: Memory) => isLatest && !isForgotten && !names.has(tables.sortings.get(id)?.sorting ?? "");
			return newest(containerTag, isUnsorted, limit);
		},
		sort: async (sorting, sorted) => {
			for (const { memory, buckets } of sorted) tables.sortings.set(memory, { sorting, buckets });
		},
	};
}
