/** Storages that lose what they should bring back, or show what is gone; and profiles that mix up what is current and where it belongs. */

import { type StorageMutant, spoilTenant } from "./spoil.ts";

const spoilRemovals = (spoil: (removals: Parameters<Parameters<typeof spoilTenant>[0]>[0]["removals"]) => object): StorageMutant["spoil"] =>
	spoilTenant(({ removals }) => ({ removals: { ...removals, ...spoil(removals) } }));

const spoilProfiles = (spoil: (profiles: Parameters<Parameters<typeof spoilTenant>[0]>[0]["profiles"]) => object): StorageMutant["spoil"] =>
	spoilTenant(({ profiles }) => ({ profiles: { ...profiles, ...spoil(profiles) } }));

export const removalMutants: readonly StorageMutant[] = [
	{
		name: "removes for good what it should set aside",
		breaks: "removals: what was set aside is seen nowhere, and comes back as it was",
		spoil: spoilTenant(({ documents, removals }) => ({
			removals: { ...removals, setAside: async (id, _removal, _expiresAt, now) => (await documents.remove(id, now)) !== null },
		})),
	},
	{
		name: "leaves what was set aside where it was",
		breaks: "removals: what was set aside is seen nowhere, and comes back as it was",
		spoil: spoilTenant(({ documents, removals }) => ({
			removals: { ...removals, setAside: async (id) => (await documents.get(id)) !== null },
		})),
	},
	{
		name: "brings a document back without its memories",
		breaks: "removals: memories come back with their links, and what they had replaced is replaced again",
		spoil: spoilTenant(({ memories, removals }) => ({
			removals: {
				...removals,
				bringBack: async (removal, id, job, now) => {
					const back = await removals.bringBack(removal, id, job, now);
					const known = (await memories.ofDocument(id)).map((memory) => memory.id);
					await memories.reground(id, [], known, now);
					return back;
				},
			},
		})),
	},
	{
		name: "brings back what has expired",
		breaks: "removals: after its time nothing comes back, and nothing twice",
		spoil: spoilRemovals(({ bringBack }) => ({
			bringBack: (...[removal, id, job, now]: Parameters<typeof bringBack>) =>
				bringBack(removal, id, job, new Date(Math.min(now.getTime(), Date.parse("2026-06-01")))),
		})),
	},
	{
		name: "lists the first removed first",
		breaks: "removals: a removal lists the last first, and none but its own",
		spoil: spoilRemovals(({ list }) => ({ list: async (...asked: Parameters<typeof list>) => (await list(...asked)).toReversed() })),
	},
	{
		name: "shows what has expired in a profile",
		breaks: "profiles: what was replaced, forgotten or has expired is in no part and no bucket",
		spoil: spoilProfiles(({ recent }) => ({
			recent: (...[tag, part, limit]: Parameters<typeof recent>) => recent(tag, part, limit, new Date(0)),
		})),
	},
	{
		name: "shows buckets of an older sorting",
		breaks: "profiles: a memory is in the buckets it was sorted into, under that sorting only",
		spoil: spoilProfiles(({ inBucket, sort }) => ({
			inBucket: (...[tag, , bucket, limit, now]: Parameters<typeof inBucket>) => inBucket(tag, ["s"], bucket, limit, now),
			sort: (...[, sorted]: Parameters<typeof sort>) => sort("s", sorted),
		})),
	},
	{
		name: "never tells what has to be sorted",
		breaks: "profiles: what has to be sorted is told until it is",
		spoil: spoilProfiles(() => ({ unsorted: async () => [] })),
	},
];
