/** Sorts the memories of a container that were not sorted yet, or into other buckets than there are now. */

import type { ProfileBucket } from "../model/container.ts";
import type { Embedder, Step } from "../plugin/contract.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import { bucketsFor, prepareSorting, type Sorting, sortingName } from "./sorting.ts";

export interface SortingParts {
	readonly rooms: Pick<OrganisationRooms, "profiles" | "vectors">;
	readonly embedder: Embedder;
}

/** Sortings met lately, so that definitions are embedded once. */
const prepared = new WeakMap<Embedder, Map<string, Promise<Sorting>>>();
const preparedMax = 500;

/** The newest first. @returns how many were sorted; fewer than `limit` when all are. */
export async function sortMemories(
	containerTag: string,
	buckets: readonly ProfileBucket[],
	limit: number,
	{ rooms, embedder }: SortingParts,
	step: Step,
): Promise<number> {
	const waiting = await rooms.profiles.unsorted(containerTag, sortingName(buckets, embedder.space), limit);
	if (waiting.length === 0) return 0;
	const [sorting, vectors] = await Promise.all([sortingFor(buckets, embedder, step), rooms.vectors(embedder.space).memoryVectors(waiting.map(({ id }) => id))]);
	const sorted = waiting.map(({ id, text }) => ({ memory: id, buckets: bucketsFor(text, vectors.get(id) ?? null, sorting) }));
	await rooms.profiles.sort(sorting.name, sorted);
	return waiting.length;
}

function sortingFor(buckets: readonly ProfileBucket[], embedder: Embedder, step: Step): Promise<Sorting> {
	const known = prepared.get(embedder) ?? new Map<string, Promise<Sorting>>();
	prepared.set(embedder, known);
	const name = sortingName(buckets, embedder.space);
	const ready = known.get(name);
	if (ready !== undefined) return ready;
	if (known.size >= preparedMax) known.clear();
	const made = prepareSorting(buckets, embedder, step);
	known.set(name, made);
	made.catch(() => known.delete(name));
	return made;
}
