/** What listed indexes share: what they do not hold yet, and asking them for more until enough of their candidates may be seen. */

import type { IndexSource } from "../ports/index-source.ts";
import type { CollectionState } from "./collections.ts";

/** Asked for at first, for each result and at least; then four times as many until enough of them may be seen. */
const candidatesPerResult = 2;
const candidatesMin = 64;
const furtherFactor = 4;

/** A scope with no more texts than this is read whole, without the index. */
export const listedMax = { vectors: 2_000, words: 300 } as const;
/** So many ids are handed to an index that filters by them. */
export const allowedMax = 50_000;

const freshPage = 500;

/**
 * What has been written after a position, in no order.
 * @returns null when it is more than `most`, or no longer known
 */
export async function freshSince<Content>(
	source: IndexSource<Content>,
	kind: "chunk" | "memory",
	from: string | null,
	most: number,
): Promise<ReadonlyMap<string, Content> | null> {
	const fresh = new Map<string, Content>();
	for (let position = from; ; ) {
		const changes = await source.changesSince(kind, position, freshPage);
		if (changes === null) return null;
		for (const entry of changes.put) fresh.set(entry.id, entry);
		if (changes.isAtEnd) return fresh;
		if (fresh.size > most) return null;
		position = changes.position;
	}
}

export interface CandidateSearch<Entry extends { readonly id: string }> {
	readonly state: CollectionState;
	/** The generation of the collection when it was first looked at. */
	readonly generation: number;
	readonly limit: number;
	/** So many candidates of the index, the best first. */
	readonly ask: (count: number) => Promise<readonly string[]>;
	/** Of what it does not hold yet, the best first. */
	readonly fresh: readonly string[];
	/** Those of them that count. */
	readonly check: (ids: readonly string[]) => Promise<readonly Entry[]>;
}

/** @returns as many as are wanted, or all there are; null when the collection was dropped meanwhile */
export async function visibleCandidates<Entry extends { readonly id: string }>({
	state,
	generation,
	limit,
	...asked
}: CandidateSearch<Entry>): Promise<readonly Entry[] | null> {
	const seen: Entry[] = [];
	const known = new Set<string>();
	for (let count = Math.max(limit * candidatesPerResult, candidatesMin); ; count *= furtherFactor) {
		const ids = await asked.ask(count);
		if (state.generation !== generation) return null;
		const unknown = new Set([...ids, ...asked.fresh.slice(0, count)].filter((id) => !known.has(id)));
		for (const id of unknown) known.add(id);
		seen.push(...(await asked.check([...unknown])));
		if (seen.length >= limit || (ids.length < count && asked.fresh.length <= count)) return seen;
	}
}
