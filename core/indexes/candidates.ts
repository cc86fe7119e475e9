/** Shared by vector and word indexes: finds the texts that an index does not contain yet, and asks for more candidates until enough of them are in scope. */

import type { IndexSource } from "../ports/index-source.ts";
import type { CollectionState } from "./collections.ts";

/** The first request asks for this many candidates per result, but at least for the minimum; each further one for four times as many. */
const candidatesPerResult = 1.25;
const candidatesMin = 48;
const furtherFactor = 4;

/** A scope with at most this many texts is read completely, without the index. */
export const directTextsMax = { vectors: 2_000, words: 300 } as const;
/** The most ids passed to an index that filters by ids. */
export const allowedIdsMax = 50_000;

/** Page size of reads. */
const changesAtOnce = 500;

/**
 * The texts changed after a position of the change log, by id.
 * @returns null if there are more than `most`, or the log no longer reaches back to the position
 */
export async function changedSince<Content>(
	source: IndexSource<Content>,
	kind: "chunk" | "memory",
	from: string | null,
	most: number,
): Promise<ReadonlyMap<string, Content> | null> {
	const changed = new Map<string, Content>();
	if (from !== null && (await source.isUpToDate(kind, from))) return changed;
	for (let position = from; ; ) {
		const changes = await source.changesSince(kind, position, changesAtOnce);
		if (changes === null) return null;
		for (const entry of changes.put) changed.set(entry.id, entry);
		if (changes.isAtEnd) return changed;
		if (changed.size > most) return null;
		position = changes.position;
	}
}

export interface CandidateSearch<Entry extends { readonly id: string }> {
	readonly state: CollectionState;
	/** The generation of the collection when the search began. */
	readonly generation: number;
	readonly limit: number;
	/** Asks the index for candidates, best first. */
	readonly ask: (count: number) => Promise<readonly string[]>;
	/** What the index has answered when it was asked for the first candidates, if it was already. */
	readonly first?: readonly string[];
	/** Ids of the texts that the index does not contain yet, best first. */
	readonly unindexed: readonly string[];
	/** Returns the texts that exist and are in scope. */
	readonly check: (ids: readonly string[]) => Promise<readonly Entry[]>;
}

/** How many candidates an index is asked for first. */
export function firstCandidates(limit: number): number {
	return Math.max(Math.ceil(limit * candidatesPerResult), candidatesMin);
}

/** @returns at least `limit` texts in scope, or all of them; null if the collection was dropped meanwhile */
export async function visibleCandidates<Entry extends { readonly id: string }>({
	state,
	generation,
	limit,
	...search
}: CandidateSearch<Entry>): Promise<readonly Entry[] | null> {
	const found: Entry[] = [];
	const checked = new Set<string>();
	let { first } = search;
	for (let count = firstCandidates(limit); ; count *= furtherFactor) {
		const ids = first ?? (await search.ask(count));
		first = undefined;
		if (state.generation !== generation) return null;
		const unchecked = new Set([...ids, ...search.unindexed.slice(0, count)].filter((id) => !checked.has(id)));
		for (const id of unchecked) checked.add(id);
		found.push(...(await search.check([...unchecked])));
		if (found.length >= limit || (ids.length < count && search.unindexed.length <= count)) return found;
	}
}
