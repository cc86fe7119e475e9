/** Sorts memories into profile buckets by rules: those of a container that are new, or whose buckets have changed. */

import type { ProfileBucket } from "../model/container.ts";
import type { Memory } from "../model/memory.ts";
import type { Embedder, Step } from "../plugin/contract.ts";
import type { Sorted } from "../ports/profile-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { bucketsFor, prepareSorting, type Sorting, sortingName } from "./sorting.ts";

export interface SortingParts {
	readonly tenant: Pick<TenantStore, "profiles" | "vectors">;
	readonly embedder: Embedder;
}

/** A cache of recent sortings, so that bucket descriptions are embedded once. */
const prepared = new WeakMap<Embedder, Map<string, Promise<Sorting>>>();
const preparedMax = 500;

/** The newest first. @param parts.others names of sortings that are valid as well. @returns how many were sorted; fewer than `limit` when all are. */
export async function sortMemories(
	containerTag: string,
	buckets: readonly ProfileBucket[],
	limit: number,
	{ tenant, embedder, others = [] }: SortingParts & { readonly others?: readonly string[] },
	step: Step,
): Promise<number> {
	const name = sortingName(buckets, embedder.space);
	const waiting = await tenant.profiles.unsorted(containerTag, [name, ...others], limit);
	if (waiting.length > 0) await tenant.profiles.sort(name, await sortedByRules(waiting, buckets, { tenant, embedder }, step));
	return waiting.length;
}

export async function sortedByRules(
	memories: readonly Memory[],
	buckets: readonly ProfileBucket[],
	{ tenant, embedder }: SortingParts,
	step: Step,
): Promise<readonly Sorted[]> {
	const [sorting, vectors] = await Promise.all([
		sortingFor(buckets, embedder, step),
		tenant.vectors(embedder.space).memoryVectors(memories.map(({ id }) => id)),
	]);
	return memories.map(({ id, text }) => ({ memory: id, buckets: bucketsFor(text, vectors.get(id) ?? null, sorting) }));
}

async function sortingFor(buckets: readonly ProfileBucket[], embedder: Embedder, step: Step): Promise<Sorting> {
	const known = prepared.get(embedder) ?? new Map<string, Promise<Sorting>>();
	prepared.set(embedder, known);
	const name = sortingName(buckets, embedder.space);
	const underWay = known.get(name);
	// The caller that began it may have been aborted: then it is begun again.
	const ready = underWay === undefined ? null : await underWay.catch(() => null);
	if (ready !== null) return ready;
	if (known.size >= preparedMax) known.clear();
	const made = prepareSorting(buckets, embedder, step);
	known.set(name, made);
	made.catch(() => {
		if (known.get(name) === made) known.delete(name);
	});
	return made;
}
