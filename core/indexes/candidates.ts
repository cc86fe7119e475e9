/** Shared by vector and word indexes: texts they do not contain yet, and asking for more candidates until enough of them are in scope. */

import type { IndexSource } from "../ports/index-source.ts";
import type { CollectionState } from "./collections.ts";

/** Candidates asked for at first, per result and at least; then four times as many until enough are in scope. */
const candidatesPerResult = 2;
const candidatesMin = 64;
const furtherFactor = 4;

/** A scope with at most so many texts is read completely, without the index. */
export const listedMax = { vectors: 2_000, words: 300 } as const;
/** The most ids passed to an index that filters by ids. */
export const allowedMax = 50_000;

const freshPage = 500;

/**
 * Changes after a position, in no order.
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
	/** The generation of the collection when the search began. */
	readonly generation: number;
	readonly limit: number;
	/** Asks the index for candidates, best first. */
	readonly ask: (count: number) => Promise<readonly string[]>;
	/** Candidates among texts that the index does not contain yet, best first. */
	readonly fresh: readonly string[];
	/** Returns those that exist and are in scope. */
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
