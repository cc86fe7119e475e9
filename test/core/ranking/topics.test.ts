/** What texts keep coming back to. */

import { expect, test } from "bun:test";
import { topicsOf } from "../../../core/ranking/topics.ts";

const words = (texts: readonly string[], max = 10) => topicsOf(texts, max).map(({ word }) => word);

test("words of the most texts come first, whatever their endings, as they are mostly written", () => {
	const texts = ["The boats of the harbour", "A boat in the harbour, and another boat", "Boat engines", "An engine"];
	expect(topicsOf(texts, 10)).toEqual([
		{ word: "boat", texts: 3, companions: ["harbour"] },
		{ word: "engines", texts: 2, companions: [] },
		{ word: "harbour", texts: 2, companions: ["boat"] },
	]);
});

test("what stands in one text only, numbers and words about nothing are no topics", () => {
	expect(words(["Ada lives in Ulm since 1843", "Otto lives in Bonn since 1843", "Paul has a new thing to do"])).toEqual([]);
	expect(words([])).toEqual([]);
	expect(words(["", " ", "…!?"])).toEqual([]);
});

test("a text counts once, however often it says the word", () => {
	expect(topicsOf(["tea tea tea tea", "coffee and tea", "coffee", "coffee"], 10).map(({ word, texts }) => [word, texts])).toEqual([
		["coffee", 3],
		["tea", 2],
	]);
});

test("other scripts have topics as well, and two letters of theirs may be one", () => {
	expect(words(["東京の天気は晴れです", "明日の東京は雨です"])).toContain("東京");
	expect(words(["Погода в Москве", "Москве нужен снег"])).toContain("Москве");
});

test("no more than asked for", () => {
	const text = "alpha beta gamma delta epsilon";
	expect(words([text, text], 2)).toHaveLength(2);
});
