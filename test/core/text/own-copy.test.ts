/** Pieces of texts that are kept: they are equal to what was cut out, and no cache of words keeps the texts that it met them in. */

import { describe, expect, test } from "bun:test";
import { englishStem } from "../../../core/ranking/words/split-words.ts";
import { ownCopy } from "../../../core/text/own-copy.ts";
import { createWordCache } from "../../../plugins/embedders/word-cache.ts";
import { scanWords } from "../../../plugins/memory-linkers/similarity/scan-words.ts";
import { heldMegabytes } from "../../doubles/held-memory.ts";

test("a copy has the same characters, quotes and halves of pairs included", () => {
	for (const piece of ["", "kestrel", 'say "no"\\', "Größe\n\u2028", "😀", "a\ud83d", "\ude00b"]) expect(ownCopy(`x${piece}y`.slice(1, -1))).toBe(piece);
});

const texts = 500;
const charactersEach = 40_000;
/** All texts together are 20 MB; what is computed for their one word each is far below. */
const megabytesMax = 8;
const filler = " ".repeat(charactersEach);

describe("the words of many texts are kept without the texts", () => {
	const wordOf = (i: number) => `kestrelcirclingabovefields${i.toString(36).padStart(4, "q")}`.replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
	/** A text in one piece, with a word that is in no other. */
	const textOf = (i: number) => Buffer.from(`${wordOf(i)} ${filler}`).toString();
	const lengthOf = createWordCache(
		({ length }) => length,
		() => 0,
		megabytesMax * 2 ** 20,
	);
	const caches: Readonly<Record<string, (text: string) => void>> = {
		"stems of words": (text) => void englishStem(text.slice(0, text.indexOf(" "))),
		"values of words": (text) => void lengthOf(text.slice(0, text.indexOf(" "))),
		"words of statements": (text) => void scanWords(text),
	};
	for (const [name, use] of Object.entries(caches))
		test(name, () => {
			const before = heldMegabytes();
			for (let i = 0; i < texts; i++) use(textOf(i));
			expect(heldMegabytes() - before).toBeLessThan(megabytesMax);
			use(textOf(0)); // still in use, so that the cache was not collected
		});
});
