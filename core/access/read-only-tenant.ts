/** The stores of a key that may only read: every write is refused, even where somebody forgets to check. */

import { fail } from "../errors/fail.ts";
import type { TenantStore } from "../ports/storage.ts";

export function readOnlyTenant({ documents, memories, blobs, containers, profiles, records, removals, events, words, vectors }: TenantStore): TenantStore {
	return {
		documents: {
			...documents,
			add: refuse,
			change: refuse,
			move: refuse,
			progress: refuse,
			describe: refuse,
			fail: refuse,
			setDreaming: refuse,
			stage: refuse,
			publish: refuse,
			remove: refuse,
		},
		memories: { ...memories, save: refuse, support: refuse, reground: refuse, forget: refuse, restore: refuse, rehome: refuse, amend: refuse },
		blobs: { ...blobs, put: refuse, remove: refuse },
		containers: { ...containers, change: refuse, describe: refuse, remove: refuse },
		// Sorting is bookkeeping of ours, which a reader's question may set off.
		profiles,
		records: { ...records, put: refuse, remove: refuse },
		removals: { ...removals, setAside: refuse, bringBack: refuse, expireAll: refuse },
		events: { ...events, append: refuse },
		words,
		vectors,
	};
}

async function refuse(): Promise<never> {
	throw fail("ROLE_MISSING", "write");
}
