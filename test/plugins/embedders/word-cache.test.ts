/** The cache for values of words: a word is computed once, and the cache is bounded in bytes. */

import { expect, test } from "bun:test";
import { createWordCache } from "../../../plugins/embedders/word-cache.ts";

/** @param bytes of each value, with which an entry takes 350 more */
function watched(bytesMax: number, bytes = 50) {
	const worked: string[] = [];
	const find = (word: string) => {
		worked.push(word);
		return [...word];
	};
	const known = createWordCache(find, () => bytes, bytesMax);
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
	expect(watched(10_000).ask("tide", "tide", "moon", "tide")).toEqual(["tide", "moon"]);
});

test("when there are too many words the oldest are forgotten", () => {
	const { ask } = watched(800);
	expect(ask("a", "b", "a", "c", "c", "b", "a", "b")).toEqual(["a", "b", "c", "a", "b"]);
});

test("so they are when their values are too large together", () => {
	expect(watched(800, 450).ask("a", "a", "b", "b", "a")).toEqual(["a", "b", "a"]);
});

test("a long word is not remembered and takes nobody's place", () => {
	const { ask } = watched(800);
	const long = "x".repeat(64);
	expect(ask("tide", long, long, "tide")).toEqual(["tide", long, long]);
});
