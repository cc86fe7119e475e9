/** Recognises a memory that a language model has worded differently than before, by the sentence that supports it. */

import type { MemoryId } from "../model/id.ts";
import { type Evidence, type Memory, type MemoryDraft, rootIdOf } from "../model/memory.ts";
import { indexWords, normalize } from "../ranking/words.ts";

/** This many characters of a digest are enough to distinguish all sentences of an organisation. */
const digestCharacters = 24;

/** The fingerprint of the passage that supports a memory. It ignores case, punctuation and white space. */
export function fingerprintOf(text: string, { span }: Evidence, digest: (text: string) => string): string {
	const words = normalize(text.slice(...span)).match(/[\p{L}\p{N}]+/gu) ?? [];
	return digest(words.join(" ")).slice(0, digestCharacters);
}

/**
 * Finds the drafts that state in other words what a forgotten, corrected or replaced memory stated, and returns them with that memory. A
 * sentence may state several things, so each draft is assigned to the memory with which it has most words in common. If that memory is
 * current, the draft counts as new.
 */
export function sameSentence(
	memories: readonly Memory[],
	drafts: readonly MemoryDraft[],
	decided: ReadonlySet<MemoryId>,
	matches: ReadonlyMap<MemoryDraft, Memory>,
): ReadonlyMap<MemoryDraft, Memory> {
	const matchedRoots = new Set([...matches.values()].map(rootIdOf));
	const unmatched = memories.filter((memory) => !matchedRoots.has(rootIdOf(memory)));
	const bySentence = Map.groupBy(
		unmatched.flatMap((memory) => sentencesOf(memory).map((words) => ({ memory, words }))),
		({ words }) => words,
	);
	const pairs = drafts
		.filter((draft) => !matches.has(draft))
		.flatMap((draft) => {
			const candidates = new Set(sentencesOf(draft).flatMap((words) => (bySentence.get(words) ?? []).map(({ memory }) => memory)));
			return [...candidates].map((memory) => ({ draft, memory, shared: sharedWords(draft.text, memory.text) }));
		})
		.sort((a, b) => b.shared - a.shared || Number(decided.has(b.memory.id)) - Number(decided.has(a.memory.id)));
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

function sentencesOf({ evidence }: Pick<Memory, "evidence">): readonly string[] {
	return evidence.flatMap(({ words }) => words ?? []);
}

function sharedWords(a: string, b: string): number {
	const words = new Set(indexWords(a));
	return new Set(indexWords(b)).intersection(words).size;
}
