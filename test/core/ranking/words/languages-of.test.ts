/** Which languages a text is in: told by script and small words, and not guessed where nothing tells. */

import { describe, expect, test } from "bun:test";
import { languages, languagesOf } from "cairn-memory/words";
import { isSmallWord, possibleLanguagesOf } from "../../../../core/ranking/words/languages-of.ts";
import { languageSamples } from "../../../contract/storage/language-samples.ts";

const codes = (text: string) => languagesOf(text).map(({ code }) => code);

describe("the language of a sentence", () => {
	const names = new Intl.DisplayNames(["en"], { type: "language" });
	for (const { language, text } of languageSamples) test(language, () => expect(names.of(codes(text)[0] ?? "und")).toBe(language));
});

test("a text of two languages has both", () => {
	expect(codes("The keys are in the kitchen of the house. Die Schlüssel sind in der Küche und nicht im Haus.")).toEqual(["de", "en"]);
	expect(codes("The harbour master said: Рыбаки починили сети после бури").toSorted()).toEqual(["en", "ru"]);
});

test("words that tell nothing are in no language, one small word of several leaves several", () => {
	expect(codes("Kubernetes ingress 4711")).toEqual([]);
	expect(codes("contrato de alquiler")).toEqual([]);
	expect(possibleLanguagesOf("contrato de alquiler").map(({ code }) => code)).toContain("es");
	expect(possibleLanguagesOf("tools for woodworking")).toEqual([]);
	expect(codes("")).toEqual([]);
});

test("relatives are told apart by their letters", () => {
	expect(codes("قرارداد گران")).toEqual(["fa"]);
	expect(codes("їжак")).toEqual(["uk"]);
	expect(codes("東京の天気")).toEqual(["ja"]);
	expect(codes("天气")).toEqual(["zh"]);
});

test("small words are those of their own language", () => {
	const german = languages.find(({ code }) => code === "de");
	expect(german && [isSmallWord("für", german), isSmallWord("haus", german)]).toEqual([true, false]);
});

test("each language is listed once", () => expect(new Set(languages.map(({ code }) => code)).size).toBe(languages.length));

test("a megabyte is not read to its end", () => {
	expect(codes(`der die das und ${"x".repeat(1_000_000)}`)).toEqual(["de"]);
});
