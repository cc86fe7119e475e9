/** A merge of containers as it is stored, and the store of merges. */

import type { RecordStore, StoredRecord } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";

/** Times are ISO 8601, since it is stored as JSON. */
export type Merge = {
	readonly id: string;
	/** The containers whose contents are moved. They are removed at the end. */
	readonly sourceTags: readonly string[];
	readonly targetTag: string;
	readonly status: "queued" | "running" | "done" | "failed";
	/** The number of documents in the sources when the merge began. */
	readonly documents: number;
	/** The number of their memories at that time. */
	readonly memories: number;
	readonly error: { readonly code: string; readonly message: string } | null;
	/** The id of the API key that requested it. */
	readonly by: string;
	readonly createdAt: string;
	readonly updatedAt: string;
};

export interface MergeStore {
	readonly get: (id: string) => Promise<Merge | null>;
	/** Unfinished merges, the oldest first. */
	readonly active: () => Promise<readonly Merge[]>;
	/** @returns the merge as it was written. */
	readonly put: (merge: Merge) => Promise<Merge>;
}

/** How long the result of a merge can be requested. */
const retentionMs = 30 * 24 * 60 * 60_000;
const pageSize = 1_000;

export function mergeStore(records: RecordStore, world: Pick<World, "now">): MergeStore {
	return {
		get: async (id) => asMerge(await records.get("merge", id, world.now())),
		active: async () => {
			const active: Merge[] = [];
			for (let last: string | null = null; ; ) {
				const page: readonly StoredRecord[] = await records.list("merge", last, pageSize, world.now());
				active.push(...page.flatMap((kept) => asMerge(kept) ?? []).filter((merge) => !isFinished(merge)));
				last = page.at(-1)?.id ?? null;
				if (page.length < pageSize) return active.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
			}
		},
		put: async (merge) => {
			const now = world.now();
			const written = { ...merge, updatedAt: now.toISOString() };
			const expiresAt = isFinished(merge) ? new Date(now.getTime() + retentionMs) : null;
			await records.put("merge", merge.id, written, { expected: null, expiresAt, now });
			return written;
		},
	};
}

export function isFinished({ status }: Merge): boolean {
	return status === "done" || status === "failed";
}

/** Only this store writes records of this kind. */
function asMerge(kept: StoredRecord | null): Merge | null {
	return kept === null ? null : (kept.value as Merge);
}
