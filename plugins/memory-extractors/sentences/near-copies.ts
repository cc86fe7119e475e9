/** Remembers what was said, so that the same thing in nearly the same words is not said twice in one answer. */

import { indexWords, isStopWord } from "cairn";

/** From this share of common words on two statements are one. */
const overlapMin = 0.8;

export interface NearCopies {
	/** Whether it is new; then it is kept in mind. */
	readonly admit: (text: string) => boolean;
}

/** Finds copies without comparing all with all: two sets that share so much share one of their first words in sorted order. */
export function createNearCopies(): NearCopies {
	const known: ReadonlySet<string>[] = [];
	const byWord = new Map<string, number[]>();
	const admit = (text: string): boolean => {
		const words = [...new Set(indexWords(text).filter((word) => !isStopWord(word) || /^(?:not|no|nor|never)$/.test(word)))].sort();
		const set = new Set(words);
		const prefix = words.slice(0, words.length - Math.ceil(overlapMin * words.length) + 1);
		for (const word of prefix) {
			for (const at of byWord.get(word) ?? []) if (overlap(set, known[at] ?? set) >= overlapMin) return false;
		}
		for (const word of prefix) byWord.set(word, [...(byWord.get(word) ?? []), known.length]);
		known.push(set);
		return true;
	};
	return { admit };
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	let shared = 0;
	for (const word of a) if (b.has(word)) shared++;
	const all = a.size + b.size - shared;
	return all === 0 ? 1 : shared / all;
}
