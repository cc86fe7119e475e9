/** Stems of other languages: no word of any of them makes a stemmer fail. */

import { expect, test } from "bun:test";
import { languageStems } from "../../../../core/ranking/words/language-stems.ts";
import { languages } from "../../../../core/ranking/words/languages.ts";

/** Endings that stemmers change inside of a word, from languages in which they do. */
const words = ["зелен", "пъстър", "театър", "градове", "straßen", "chevaux", "çiçekler", "نص", "книгами", "παιδιών"];

test("every stemmer answers for every word", () => {
	for (const language of languages) for (const word of words) expect(languageStems(word, language).every((stem) => stem.isWellFormed())).toBe(true);
});

test("a word that its stemmer cannot take is its own stem", () => {
	const bulgarian = languages.find(({ code }) => code === "bg");
	if (bulgarian === undefined) throw new Error("there is no Bulgarian");
	expect(languageStems("зелен", bulgarian)).toEqual(["\u0001зелен"]);
});
