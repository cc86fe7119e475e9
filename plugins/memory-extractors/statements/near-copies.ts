/** Drops statements that repeat an earlier one in nearly the same words. */

import { indexWords, isStopWord, yieldIfDue } from "cairn-memory/words";

/** Two statements with at least this share of common words (Jaccard index) are near-copies. */
const overlapMin = 0.8;
const negations = /^(?:not|no|nor|never)$/;

/**
 * Keeps the first of each group of near-copies. It does not compare all pairs (prefix filtering): if the words of all sets are in the
 * same order, two sets that overlap this much share one of their first words. With rare words first, few sets share one.
 */
export async function withoutNearCopies<Item extends { readonly text: string }>(items: readonly Item[]): Promise<readonly Item[]> {
	const wordSets: ReadonlySet<string>[] = [];
	for (const { text } of items) {
		wordSets.push(new Set(indexWords(text).filter((word) => !isStopWord(word) || negations.test(word))));
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	const frequencies = new Map<string, number>();
	for (const words of wordSets) for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
	const keptByWord = new Map<string, ReadonlySet<string>[]>();
	const kept: Item[] = [];
	for (const [i, item] of items.entries()) {
		if (isNew(wordSets[i] ?? new Set())) kept.push(item);
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	return kept;

	function isNew(words: ReadonlySet<string>): boolean {
		const firstWords = rareFirst(words, frequencies).slice(0, words.size - Math.ceil(overlapMin * words.size) + 1);
		for (const word of firstWords) if (keptByWord.get(word)?.some((other) => isCopy(words, other)) === true) return false;
		for (const word of firstWords) {
			const others = keptByWord.get(word);
			if (others === undefined) keptByWord.set(word, [words]);
			else others.push(words);
		}
		return true;
	}
}

function rareFirst(words: ReadonlySet<string>, frequencies: ReadonlyMap<string, number>): readonly string[] {
	return [...words].sort((a, b) => (frequencies.get(a) ?? 0) - (frequencies.get(b) ?? 0) || (a < b ? -1 : 1));
}

function isCopy(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	if (Math.min(a.size, b.size) < overlapMin * Math.max(a.size, b.size)) return false;
	let shared = 0;
	for (const word of a) if (b.has(word)) shared++;
	return shared >= overlapMin * (a.size + b.size - shared);
}
