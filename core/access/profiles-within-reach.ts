/** Profiles as a key with bounds may use them. Sorting is upkeep, not a write of the client's, and tells nothing. */

import type { ProfileStore } from "../ports/profile-store.ts";
import type { Bounds } from "./bounds.ts";

export function profilesWithinReach(inner: ProfileStore, { demandSeen }: Bounds): ProfileStore {
	return {
		recent: async (containerTag, ...rest) => {
			demandSeen([containerTag]);
			return inner.recent(containerTag, ...rest);
		},
		inBucket: async (containerTag, ...rest) => {
			demandSeen([containerTag]);
			return inner.inBucket(containerTag, ...rest);
		},
		unsorted: async (containerTag, ...rest) => {
			demandSeen([containerTag]);
			return inner.unsorted(containerTag, ...rest);
		},
		sort: inner.sort,
	};
}
