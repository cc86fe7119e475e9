/** Drops what says the same as something before it in nearly the same words. */

import { indexWords, isStopWord } from "cairn-memory/words";

/** From this share of common words on two statements are one. */
const overlapMin = 0.8;
const negations = /^(?:not|no|nor|never)$/;

/**
 * The first of each group of near-copies. All are not compared with all: two sets that share so much share one of their
 * first words in any order that is the same for both, and with rare words first few sets share one.
 */
export function withoutNearCopies<Item extends { readonly text: string }>(items: readonly Item[]): readonly Item[] {
	const sets = items.map(({ text }) => new Set(indexWords(text).filter((word) => !isStopWord(word) || negations.test(word))));
	const frequencies = new Map<string, number>();
	for (const set of sets) for (const word of set) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
	const keptByWord = new Map<string, ReadonlySet<string>[]>();
	return items.filter((_, i) => {
		const set = sets[i] ?? new Set();
		const prefix = rareFirst(set, frequencies).slice(0, set.size - Math.ceil(overlapMin * set.size) + 1);
		for (const word of prefix) if (keptByWord.get(word)?.some((kept) => isCopy(set, kept)) === true) return false;
		for (const word of prefix) {
			const kept = keptByWord.get(word);
			if (kept === undefined) keptByWord.set(word, [set]);
			else kept.push(set);
		}
		return true;
	});
}

function rareFirst(set: ReadonlySet<string>, frequencies: ReadonlyMap<string, number>): readonly string[] {
	return [...set].sort((a, b) => (frequencies.get(a) ?? 0) - (frequencies.get(b) ?? 0) || (a < b ? -1 : 1));
}

function isCopy(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	if (Math.min(a.size, b.size) < overlapMin * Math.max(a.size, b.size)) return false;
	let shared = 0;
	for (const word of a) if (b.has(word)) shared++;
	return shared >= overlapMin * (a.size + b.size - shared);
}
