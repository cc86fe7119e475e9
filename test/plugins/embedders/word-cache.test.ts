/** The cache for values of words: a word is computed once, and the cache is bounded in words and in numbers. */

import { expect, test } from "bun:test";
import { createWordCache } from "../../../plugins/embedders/word-cache.ts";

/** One number for each sign. */
function watched(bounds: { readonly wordsMax: number; readonly numbersMax: number }) {
	const worked: string[] = [];
	const find = (word: string) => {
		worked.push(word);
		return [...word];
	};
	const known = createWordCache(find, ({ length }) => length, bounds);
	return {
		/** The words that had to be worked out. */
		ask: (...words: readonly string[]) => {
			worked.length = 0;
			for (const word of words) expect(known(word)).toEqual([...word]);
			return [...worked];
		},
	};
}

test("a word is worked out once", () => {
	expect(watched({ wordsMax: 9, numbersMax: 99 }).ask("tide", "tide", "moon", "tide")).toEqual(["tide", "moon"]);
});

test("when there are too many words all are forgotten", () => {
	const { ask } = watched({ wordsMax: 2, numbersMax: 99 });
	expect(ask("a", "b", "a", "c", "c", "a", "b", "b")).toEqual(["a", "b", "c", "a", "b"]);
});

test("so they are when their numbers are too many together", () => {
	const { ask } = watched({ wordsMax: 99, numbersMax: 10 });
	expect(ask("tide", "shore", "tide", "ab", "ab", "tide")).toEqual(["tide", "shore", "ab", "tide"]);
});

test("a long word is not remembered and takes nobody's place", () => {
	const { ask } = watched({ wordsMax: 9, numbersMax: 50 });
	const long = "x".repeat(64);
	expect(ask("tide", long, long, "tide")).toEqual(["tide", long, long]);
});
