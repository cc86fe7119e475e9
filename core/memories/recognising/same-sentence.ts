/** Recognises a memory that a language model has worded differently than before, by the sentences that support it. */

import type { MemoryId } from "../../model/id.ts";
import { type Evidence, type Memory, type MemoryDraft, rootIdOf } from "../../model/memory.ts";
import { indexWords } from "../../ranking/words.ts";
import { fingerprintsOf, isPart, isSamePassage, isTellingPassage } from "./fingerprints.ts";
import { tellingShare } from "./telling-words.ts";

/** A draft that is supported by more or fewer sentences states the same if it has more than this share of the telling words. */
const sameShareMin = 0.5;
/** The name for a writer whose name is not known. */
const narrator = "user";

/**
 * Finds the drafts that state in other words what a forgotten, corrected or replaced memory stated, and returns them with that memory. A
 * sentence may state several things, so each draft is assigned to the memory with which it has most words in common. If that memory is
 * current, the draft counts as new. A draft of the same passage comes before one of a longer or a shorter passage.
 */
export function sameSentence(
	memories: readonly Memory[],
	drafts: readonly MemoryDraft[],
	decided: ReadonlySet<MemoryId>,
	matches: ReadonlyMap<MemoryDraft, Memory>,
): ReadonlyMap<MemoryDraft, Memory> {
	const matchedRoots = new Set([...matches.values()].map(rootIdOf));
	const unmatched = memories.filter((memory) => !matchedRoots.has(rootIdOf(memory)));
	const byFingerprint = Map.groupBy(
		unmatched.flatMap((memory) => memory.evidence.flatMap(fingerprintsOf).map((fingerprint) => ({ memory, fingerprint }))),
		({ fingerprint }) => fingerprint,
	);
	const pairs = drafts
		.filter((draft) => !matches.has(draft))
		.flatMap((draft) => {
			const candidates = new Set(draft.evidence.flatMap(fingerprintsOf).flatMap((one) => (byFingerprint.get(one) ?? []).map(({ memory }) => memory)));
			return [...candidates].flatMap((memory) => {
				const isWhole = isOfSamePassage(draft, memory);
				return isWhole || isOfPart(draft, memory) ? [{ draft, memory, isWhole, shared: sharedWords(draft.text, memory.text) }] : [];
			});
		})
		.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.shared - a.shared || Number(decided.has(b.memory.id)) - Number(decided.has(a.memory.id)));
	const assigned = new Map<MemoryDraft, Memory>();
	const assignedRoots = new Set<MemoryId>();
	const assignedDrafts = new Set<MemoryDraft>();
	for (const { draft, memory } of pairs) {
		if (assignedDrafts.has(draft) || assignedRoots.has(rootIdOf(memory))) continue;
		assignedDrafts.add(draft);
		assignedRoots.add(rootIdOf(memory));
		if (decided.has(memory.id) || !memory.isLatest) assigned.set(draft, memory);
	}
	return assigned;
}

/** Draft evidence for a memory that a person has decided about, with the fingerprints of what the decision was about. */
export function asDecided(evidence: readonly Evidence[], { evidence: before }: Memory): readonly Evidence[] {
	const known = evidence.flatMap((one) => {
		if (before.some((other) => isSamePassage(one, other))) return [one];
		const words = before.find((other) => isPart(one, other))?.words;
		return words === undefined ? [] : [{ ...one, words }];
	});
	return known.length > 0 ? known : evidence;
}

type Supported = Pick<Memory, "evidence" | "subject" | "text">;

/**
 * A passage such as "Yes." counts only if the draft rests on no telling one and its text does not quote the line that it answers. The same
 * words in another sentence, which has the name of the speaker in front of it, may be somebody else's.
 */
function isOfSamePassage(draft: Supported, memory: Supported): boolean {
	const telling = draft.evidence.filter(isTellingPassage);
	const counting = telling.length > 0 || draft.text.includes("“") ? telling : draft.evidence;
	const isOthers = haveOtherOwners(draft, memory);
	return counting.some((one) => memory.evidence.some((other) => isSamePassage(one, other) && !(isOthers && one.words !== other.words)));
}

function haveOtherOwners({ subject: a }: Supported, { subject: b }: Supported): boolean {
	return a !== null && b !== null && a !== narrator && b !== narrator && sharedWords(a, b) === 0;
}

/** Whether one is supported by some of the sentences of the other, and states the same. */
function isOfPart(draft: Supported, memory: Supported): boolean {
	if (haveOtherOwners(draft, memory) || tellingShare(draft.text, memory.text) <= sameShareMin) return false;
	return draft.evidence.some((one) => memory.evidence.some((other) => isPart(one, other)));
}

function sharedWords(a: string, b: string): number {
	const words = new Set(indexWords(a));
	return new Set(indexWords(b)).intersection(words).size;
}
