/** Words of texts by number: the same as the word index keeps, without the small ones. */

import { expect, test } from "bun:test";
import { isStopWord, queryWords } from "cairn-memory/words";
import { createLexicon } from "../../../../core/ranking/words/lexicon.ts";

test("a word has one number however it is spelled, and small words have none", () => {
	const lexicon = createLexicon();
	const read = (text: string) => lexicon.read(text).map((number) => lexicon.words[number] ?? "");
	expect(read("The bridges of the BRIDGE")).toEqual(["bridg", "bridg"]);
	expect(read("Brücke, brucke und 天气好")).toEqual(["bruck", "bruck", "und", "天气", "气好"]);
	expect(new Set(lexicon.words).size).toBe(lexicon.words.length);
	expect(lexicon.words.some(isStopWord)).toBe(false);
});

test("a text without other signs than those of English is read as any other", () => {
	const lexicon = createLexicon();
	const text = "Running forests, gen-itgc-4711 and getUserName at 10:30.";
	expect(lexicon.read(text)).toEqual(lexicon.read(`${text} …`));
	expect([...new Set(lexicon.read(text))].map((number) => lexicon.words[number] ?? "")).toEqual(queryWords(text, 64));
});
