/** The words by which the soak fills the caches before it measures. */

import { expect, test } from "bun:test";
import { createWriter } from "../../bench/notes.ts";
import { rareWord, wordsWanted } from "../../bench/soak/fill-caches.ts";
import { indexWords } from "../../core/words.ts";
import { spelledFeatures } from "../../plugins/embedders/static/features.ts";

const words = Array.from({ length: wordsWanted }, (_, number) => rareWord(number));

test("nearly all of them are different words, and have different stems", () => {
	expect(new Set(words).size).toBe(words.length);
	expect(new Set(indexWords(words.join(" "))).size).toBeGreaterThan(0.99 * words.length);
});

test("they take as much in a cache as the rare words of notes, so that none has room for more words later", () => {
	const writer = createWriter(3);
	const rare = new Set(Array.from({ length: 200 }, () => writer.note().content).flatMap((text) => text.match(/(?<=The code of the \w+ is )\w+/g) ?? []));
	expect(rare.size).toBeGreaterThan(100);
	expect(Math.abs(meanFeatures(words) / meanFeatures([...rare]) - 1)).toBeLessThan(0.05);
});

function meanFeatures(of: readonly string[]): number {
	return of.reduce((sum, word) => sum + spelledFeatures(word, { words: 30_000, buckets: 30_000 }).rows.length, 0) / of.length;
}
