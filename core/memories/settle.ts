/**
 * Compares the drafts of a document that was read again with its memories. A memory that the document still supports stays as it is (even
 * if it was forgotten, corrected or replaced) and gets the new evidence. A memory that no document supports any more is removed, unless a
 * person has decided about it: forgotten memories and corrections stay until that is undone or the document is deleted.
 */

import type { DocumentId, MemoryId } from "../model/id.ts";
import { type Evidence, idsDecidedByHand, type Memory, type MemoryDraft, rootIdOf, wasForgottenByHand } from "../model/memory.ts";
import type { Ground } from "../ports/memory-store.ts";
import { asDecided, sameSentence } from "./recognising/same-sentence.ts";
import { comparableText, saysAgain } from "./recognising/says-again.ts";

export interface Settled {
	/** Drafts that match an existing memory of the container. */
	readonly known: ReadonlySet<MemoryDraft>;
	/** The new evidence in the document, for memories whose evidence has changed. */
	readonly grounds: readonly Ground[];
	/** Memories that the document no longer supports. */
	readonly gone: readonly MemoryId[];
}

/** A document's memories in one container, oldest first. */
export interface FormerMemories {
	readonly document: DocumentId;
	readonly memories: readonly Memory[];
	/** The date that the document states for itself. */
	readonly saidAt: Date | null;
	/** Whether a chunk belongs to the text that was read now. */
	readonly isCurrent: (chunk: Evidence["chunk"]) => boolean;
	/** Whether the memories are from other memory extractors. They are then replaced by differently worded drafts, unless a person has decided about them. */
	readonly isAnew: boolean;
}

export function settle(formerMemories: FormerMemories, drafts: readonly MemoryDraft[]): Settled {
	const { document, memories, isCurrent, isAnew } = formerMemories;
	if (memories.length === 0) return { known: new Set(), grounds: [], gone: [] };
	const decided = idsDecidedByHand(memories, (memory) => wasForgottenByHand(memory) || isWrittenByClient(memory));
	const matches = matchByPlace(formerMemories, drafts);
	matchByText(formerMemories, drafts, decided, matches);
	for (const [draft, memory] of saysAgain(memories, drafts, decided, matches)) matches.set(draft, memory);
	for (const [draft, memory] of sameSentence(memories, drafts, decided, matches)) matches.set(draft, memory);
	const extracted = Map.groupBy(matches.keys(), (draft) => matches.get(draft)?.id);
	const isSettled = (memory: Memory) => !isAnew && memory.evidence.every((one) => one.document !== document || isCurrent(one.chunk));
	return {
		known: new Set(matches.keys()),
		grounds: memories.flatMap((memory) => newEvidenceOf(memory, memories, extracted, document, decided.has(memory.id))),
		gone: memories.filter((memory) => !extracted.has(memory.id) && !decided.has(memory.id) && !isSettled(memory)).map(({ id }) => id),
	};
}

/** Whether a client wrote or corrected it. */
function isWrittenByClient({ extractor }: Memory): boolean {
	return extractor === null;
}

/**
 * Matches drafts with memories that have evidence at the same places, which an earlier attempt has extracted from the same text. If a place
 * supports several memories, the one with the same text is chosen.
 */
function matchByPlace({ memories, isAnew }: FormerMemories, drafts: readonly MemoryDraft[]): Map<MemoryDraft, Memory> {
	const places = memories.flatMap((memory) => memory.evidence.map((one) => ({ memory, place: placeOf(one) })));
	const byPlace = Map.groupBy(places, ({ place }) => place);
	return new Map(
		drafts.flatMap((draft): (readonly [MemoryDraft, Memory])[] => {
			const memoriesAtPlace = draft.evidence.map((one) => new Set((byPlace.get(placeOf(one)) ?? []).map(({ memory }) => memory)));
			const known = [...(memoriesAtPlace[0] ?? [])].filter(
				(memory) => memory.isInference === draft.isInference && memoriesAtPlace.every((some) => some.has(memory)),
			);
			const found = known.find(({ text }) => text === draft.text) ?? (isAnew ? undefined : known[0]);
			return found === undefined ? [] : [[draft, found]];
		}),
	);
}

/**
 * Matches drafts with memories that have the same text. Each piece of evidence of a memory is matched once, so a further draft with the
 * same text counts as new, unless a person has decided about the memory.
 */
function matchByText(
	{ document, memories, saidAt }: FormerMemories,
	drafts: readonly MemoryDraft[],
	decided: ReadonlySet<MemoryId>,
	matches: Map<MemoryDraft, Memory>,
): void {
	const byText = Map.groupBy(memories, ({ text }) => comparableText(text));
	const unusedPlaces = new Map(memories.map(({ id, evidence }) => [id, evidence.filter((one) => one.document === document).length]));
	const takePlace = ({ id }: Memory) => unusedPlaces.set(id, (unusedPlaces.get(id) ?? 0) - 1);
	for (const memory of matches.values()) takePlace(memory);
	for (const draft of drafts) {
		const same = matches.has(draft) ? [] : (byText.get(comparableText(draft.text)) ?? []);
		const found =
			same.find(({ id }) => decided.has(id)) ?? same.find((memory) => (unusedPlaces.get(memory.id) ?? 0) > 0 && hasSameDates(memory, draft, saidAt));
		if (found === undefined) continue;
		takePlace(found);
		matches.set(draft, found);
	}
}

/** Whether a draft has the dates of a memory: the same words about another day are another fact. A memory that was restored after it expired has no expiry. */
function hasSameDates(memory: Memory, { eventTime, forgetAfter }: MemoryDraft, saidAt: Date | null): boolean {
	const expiry = memory.forgetAfter === null ? null : forgetAfter;
	return isSameTime(memory.eventTime, eventTime) && isSameTime(memory.saidAt ?? null, saidAt) && isSameTime(memory.forgetAfter, expiry);
}

function isSameTime(a: Date | null, b: Date | null): boolean {
	return a?.getTime() === b?.getTime();
}

function placeOf({ chunk, span }: Evidence): string {
	return `${chunk} ${span[0]} ${span[1]}`;
}

/** The memory's new evidence in the document, if it has changed. A correction has the evidence of the memory that it corrects. */
function newEvidenceOf(
	memory: Memory,
	all: readonly Memory[],
	extracted: ReadonlyMap<MemoryId | undefined, readonly MemoryDraft[]>,
	document: DocumentId,
	isDecided: boolean,
): Ground[] {
	const draftsOfCorrected = () => all.filter((other) => rootIdOf(other) === rootIdOf(memory)).flatMap(({ id }) => extracted.get(id) ?? []);
	const drafts = extracted.get(memory.id) ?? (isWrittenByClient(memory) ? draftsOfCorrected() : []);
	const found = drafts.flatMap((draft) => (isDecided ? asDecided(draft.evidence, memory) : draft.evidence));
	const evidence = [...new Map(found.map((one) => [placeOf(one), one])).values()];
	const before = memory.evidence.filter((one) => one.document === document);
	const isSame = before.length === evidence.length && before.every((one, i) => JSON.stringify(one) === JSON.stringify(evidence[i]));
	return evidence.length === 0 || isSame ? [] : [{ memory: memory.id, evidence }];
}
