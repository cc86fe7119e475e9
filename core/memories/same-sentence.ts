/** Recognises a sentence that a language model words differently the next time: the sentence it rests on identifies it. */

import type { MemoryId } from "../model/id.ts";
import { type Evidence, type Memory, type MemoryDraft, rootIdOf } from "../model/memory.ts";
import { indexWords, normalize } from "../ranking/words.ts";

/** Enough of a digest to tell all sentences of an organisation apart. */
const signs = 24;

/** The words that a memory rests on, in lower case and without extra blanks. */
export function fingerprintOf(text: string, { span }: Evidence, digest: (text: string) => string): string {
	const words = normalize(text.slice(...span)).match(/[\p{L}\p{N}]+/gu) ?? [];
	return digest(words.join(" ")).slice(0, signs);
}

/**
 * The drafts that say in other words what memories said that are forgotten, corrected or replaced. A sentence may say several
 * things: each draft goes to the memory with which it has most words in common, and where that one is current it is news.
 */
export function sameSentence(
	memories: readonly Memory[],
	drafts: readonly MemoryDraft[],
	decided: ReadonlySet<MemoryId>,
	matches: ReadonlyMap<MemoryDraft, Memory>,
): ReadonlyMap<MemoryDraft, Memory> {
	const taken = new Set([...matches.values()].map(rootIdOf));
	const free = memories.filter((memory) => !taken.has(rootIdOf(memory)));
	const bySentence = Map.groupBy(
		free.flatMap((memory) => sentencesOf(memory).map((words) => ({ memory, words }))),
		({ words }) => words,
	);
	const pairs = drafts
		.filter((draft) => !matches.has(draft))
		.flatMap((draft) => {
			const candidates = new Set(sentencesOf(draft).flatMap((words) => (bySentence.get(words) ?? []).map(({ memory }) => memory)));
			return [...candidates].map((memory) => ({ draft, memory, shared: shared(draft.text, memory.text) }));
		})
		.sort((a, b) => b.shared - a.shared || Number(decided.has(b.memory.id)) - Number(decided.has(a.memory.id)));
	const found = new Map<MemoryDraft, Memory>();
	const used = new Set<MemoryId>();
	const placed = new Set<MemoryDraft>();
	for (const { draft, memory } of pairs) {
		if (placed.has(draft) || used.has(rootIdOf(memory))) continue;
		placed.add(draft);
		used.add(rootIdOf(memory));
		if (decided.has(memory.id) || !memory.isLatest) found.set(draft, memory);
	}
	return found;
}

function sentencesOf({ evidence }: Pick<Memory, "evidence">): readonly string[] {
	return evidence.flatMap(({ words }) => words ?? []);
}

function shared(a: string, b: string): number {
	const words = new Set(indexWords(a));
	return new Set(indexWords(b)).intersection(words).size;
}
