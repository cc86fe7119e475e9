/**
 * Compares a document that was read again with the memories it had. A memory that it still supports stays as it is (even
 * forgotten, corrected or replaced) and gets the new words as evidence. A memory that no document supports any more is removed,
 * unless a person has decided about it: a forgotten memory and a correction stay until that is undone or the document is deleted.
 */

import type { DocumentId, MemoryId } from "../model/id.ts";
import { type Evidence, idsDecidedByHand, type Memory, type MemoryDraft, rootIdOf, wasForgottenByHand } from "../model/memory.ts";
import type { Ground } from "../ports/memory-store.ts";
import { normalize } from "../ranking/words.ts";
import { sameSentence } from "./same-sentence.ts";

export interface Settled {
	/** Drafts that the container's memories contain already. */
	readonly known: ReadonlySet<MemoryDraft>;
	/** The new evidence of its memories in the document, where it has changed. */
	readonly grounds: readonly Ground[];
	/** Memories that the document no longer supports. */
	readonly gone: readonly MemoryId[];
}

/** A document's memories in one container, in the order in which they came. */
export interface Former {
	readonly document: DocumentId;
	readonly memories: readonly Memory[];
	/** The day that the document names as its own. */
	readonly said: Date | null;
	/** Whether a chunk is of the text that has been read now. */
	readonly isCurrent: (chunk: Evidence["chunk"]) => boolean;
	/** Other memory extractors have read the same text: what they said in other words gives way, wherever nobody has decided about it. */
	readonly isAnew: boolean;
}

export function settle(former: Former, drafts: readonly MemoryDraft[]): Settled {
	const { document, memories, isCurrent, isAnew } = former;
	const decided = idsDecidedByHand(memories, (memory) => wasForgottenByHand(memory) || isByHand(memory));
	const matches = matchPlaces(former, drafts);
	matchTexts(former, drafts, decided, matches);
	const said = sameSentence(memories, drafts, decided, matches);
	for (const [draft, memory] of said) matches.set(draft, memory);
	const extracted = Map.groupBy(matches.keys(), (draft) => matches.get(draft)?.id);
	const isSettled = (memory: Memory) => !isAnew && memory.evidence.every((one) => one.document !== document || isCurrent(one.chunk));
	return {
		known: new Set(matches.keys()),
		grounds: memories.flatMap((memory) => groundOf(memory, memories, extracted, document)),
		gone: memories.filter((memory) => !extracted.has(memory.id) && !decided.has(memory.id) && !isSettled(memory)).map(({ id }) => id),
	};
}

/** Whether a client wrote or corrected it. */
function isByHand({ extractor }: Memory): boolean {
	return extractor === null;
}

/** By the very words: what an earlier try has extracted from this very text. Of several things that one place says the one with the same text. */
function matchPlaces({ memories, isAnew }: Former, drafts: readonly MemoryDraft[]): Map<MemoryDraft, Memory> {
	const places = memories.flatMap((memory) => memory.evidence.map((one) => ({ memory, place: placeOf(one) })));
	const byPlace = Map.groupBy(places, ({ place }) => place);
	return new Map(
		drafts.flatMap((draft): (readonly [MemoryDraft, Memory])[] => {
			const there = draft.evidence.map((one) => new Set((byPlace.get(placeOf(one)) ?? []).map(({ memory }) => memory)));
			const known = [...(there[0] ?? [])].filter((memory) => memory.isInference === draft.isInference && there.every((some) => some.has(memory)));
			const found = known.find(({ text }) => text === draft.text) ?? (isAnew ? undefined : known[0]);
			return found === undefined ? [] : [[draft, found]];
		}),
	);
}

/**
 * By what they say. Each place of a memory is taken once: where the same is said once more it is news, but for what somebody
 * has decided about.
 */
function matchTexts(
	{ document, memories, said }: Former,
	drafts: readonly MemoryDraft[],
	decided: ReadonlySet<MemoryId>,
	matches: Map<MemoryDraft, Memory>,
): void {
	const byText = Map.groupBy(memories, ({ text }) => plain(text));
	const places = new Map(memories.map(({ id, evidence }) => [id, evidence.filter((one) => one.document === document).length]));
	const takePlace = ({ id }: Memory) => places.set(id, (places.get(id) ?? 0) - 1);
	for (const memory of matches.values()) takePlace(memory);
	for (const draft of drafts) {
		const same = matches.has(draft) ? [] : (byText.get(plain(draft.text)) ?? []);
		const found = same.find(({ id }) => decided.has(id)) ?? same.find((memory) => (places.get(memory.id) ?? 0) > 0 && isOfOneTime(memory, draft, said));
		if (found === undefined) continue;
		takePlace(found);
		matches.set(draft, found);
	}
}

/** The same words about another day are another fact. A memory that a user restored after it expired stays. */
function isOfOneTime(memory: Memory, { eventTime, forgetAfter }: MemoryDraft, said: Date | null): boolean {
	const expiry = memory.forgetAfter === null ? null : forgetAfter;
	return isSameTime(memory.eventTime, eventTime) && isSameTime(memory.saidAt ?? null, said) && isSameTime(memory.forgetAfter, expiry);
}

function isSameTime(a: Date | null, b: Date | null): boolean {
	return a?.getTime() === b?.getTime();
}

function placeOf({ chunk, span }: Evidence): string {
	return `${chunk} ${span[0]} ${span[1]}`;
}

function plain(text: string): string {
	return normalize(text)
		.replace(/\s+/g, " ")
		.replace(/[\s.!]+$/, "")
		.trim();
}

/** A correction has the evidence of the memory that it corrects. */
function groundOf(
	memory: Memory,
	all: readonly Memory[],
	extracted: ReadonlyMap<MemoryId | undefined, readonly MemoryDraft[]>,
	document: DocumentId,
): Ground[] {
	const corrected = () => all.filter((other) => rootIdOf(other) === rootIdOf(memory)).flatMap(({ id }) => extracted.get(id) ?? []);
	const drafts = extracted.get(memory.id) ?? (isByHand(memory) ? corrected() : []);
	const evidence = [...new Map(drafts.flatMap((draft) => draft.evidence).map((one) => [placeOf(one), one])).values()];
	const before = memory.evidence.filter((one) => one.document === document);
	const isSame = before.length === evidence.length && before.every((one, i) => JSON.stringify(one) === JSON.stringify(evidence[i]));
	return evidence.length === 0 || isSame ? [] : [{ memory: memory.id, evidence }];
}
