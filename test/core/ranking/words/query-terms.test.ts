/** What a query looks for, and under which terms a text may hold it. */

import { expect, test } from "bun:test";
import { indexWords, languages, otherTerms, queryGramsOf, queryTermsOf, queryWords, readWords } from "cairn-memory/words";

const stemmed = languages.filter(({ stem }) => stem !== null);

test("in English its words are those of queryWords, with their spelling", () => {
	for (const query of ["what is the answer", "to be or not to be", "Running forests!", "重跑gen-itgc后", ""]) {
		expect(queryTermsOf(query, 64).map(({ word }) => word)).toEqual(queryWords(query, 64));
	}
	expect(queryTermsOf("Running in Köln 天气", 64)).toEqual([
		{ word: "run", spelled: "running" },
		{ word: "koln", spelled: "köln" },
		{ word: "天气", spelled: null },
	]);
});

test("small words of its own language are left out, unless there is nothing else", () => {
	expect(queryTermsOf("wo sind die Schlüssel für das Haus", 64).map(({ word }) => word)).toEqual(["schlussel", "hau"]);
	expect(queryTermsOf("wer sind wir und was ist das", 64).length).toBeGreaterThan(3);
});

test("a text has a term of each word that is sought in its language", () => {
	const { stems } = readWords("Die Schlüssel der Häuser hängen neben der Tür");
	for (const query of ["Haus", "Häuser", "hauser", "Schlüsseln"]) {
		const [queryTerms] = queryTermsOf(query, 64);
		expect(queryTerms === undefined ? [] : otherTerms(queryTerms, stemmed).filter((term) => stems.includes(term))).not.toEqual([]);
	}
});

test("English texts have no terms but their words", () => {
	const text = "The keys of the houses hang beside the door";
	expect(readWords(text)).toEqual({ words: indexWords(text), stems: [], spelled: ["keys", "houses", "hang", "beside", "door"] });
});

test("a word is not stemmed in a script it is not written in, nor where it has digits", () => {
	const russian = stemmed.filter(({ code }) => code === "ru");
	expect(queryTermsOf("houses договоры b2b", 64).map((queryTerms) => otherTerms(queryTerms, russian).length)).toEqual([0, 1, 0]);
});

test("grams are of the client's words alone, each once", () => {
	const [own] = queryTermsOf("ox ox", 64);
	const added = { word: "bull", spelled: "bull", weight: 0.2 };
	expect(own === undefined ? null : queryGramsOf([own, own, added, { word: "天气", spelled: null }])).toEqual([{ gram: "_ox_", emphasis: own?.emphasis ?? 1 }]);
});

test("a long query that repeats a word means it, a short one hardly", () => {
	const different = Array.from({ length: 30 }, (_, i) => `word${i}`).join(" ");
	const emphasisIn = (query: string) => queryTermsOf(query, 64).find(({ word }) => word === "tide")?.emphasis;
	expect(emphasisIn(`tide tides ${different} tide`)).toBe(3);
	expect(emphasisIn("tide and tides of the sea")).toBeWithin(1, 1.1);
	expect(emphasisIn(`tide ${different}`)).toBeUndefined();
});

test("the grams of a repeated word count as it does, and the most where several words have them", () => {
	const queryTerms = [
		{ word: "tide", spelled: "tide", emphasis: 2 },
		{ word: "tidal", spelled: "tidal" },
	];
	const grams = new Map(queryGramsOf(queryTerms).map(({ gram, emphasis }) => [gram, emphasis]));
	expect([grams.get("_tid"), grams.get("ide_"), grams.get("idal")]).toEqual([2, 2, 1]);
});

test("of too many words those stay that are said most often", () => {
	const query = `${Array.from({ length: 80 }, (_, i) => `word${i}`).join(" ")} harbour harbour`;
	expect(queryTermsOf(query, 64)[0]).toEqual({ word: "harbour", spelled: "harbour", emphasis: 2 });
	expect(queryTermsOf(query, 64)).toHaveLength(64);
});

test("a query without spaces gives its first pairs, and small words do not count", () => {
	const signs = Array.from({ length: 10_000 }, (_, i) => String.fromCodePoint(0x4e00 + i));
	const pairs = signs.slice(1, 65).map((sign, i) => `${signs[i]}${sign}`);
	expect(queryTermsOf(signs.join(""), 64).map(({ word }) => word)).toEqual(pairs);
	expect(queryTermsOf(`the ${signs.join("")} harbour`, 64).map(({ word }) => word)).toEqual(pairs);
});

test("a query whose signs become many is read no further than a query may be long", () => {
	const query = `${"\uFDFA ".repeat(4_990)}harbour`;
	expect(query.length).toBeLessThan(10_000);
	const words = ["صلى", "الله", "عليه", "وسلم"];
	expect(queryTermsOf(query, 64).map(({ spelled }) => spelled)).toEqual(words);
	expect(queryWords(query, 64)).toEqual(words);
	expect(queryWords("\uFDFA harbour", 64)).toEqual([...words, "harbour"]);
});

test("a text that is longer than any query is read to its end", () => {
	expect(queryWords(`${"tide ".repeat(4_000)}harbour`, 64)).toEqual(["tide", "harbour"]);
});
