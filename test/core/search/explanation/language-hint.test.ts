/** Who asks in a language that the vectors do not know is told so. */

import { expect, test } from "bun:test";
import { languageHint } from "../../../../core/search/explanation/language-hint.ts";

const english = { name: "little", languages: ["en"] };

test("a query in another language is told what finds it, and whether other forms of its words do", () => {
	expect(languageHint("Wo hängen die Schlüssel der Häuser?", english)).toBe(
		"The query seems to be in German. The embedder little only knows the meanings of words in English, so texts are found by the words of the query, also in other forms.",
	);
	expect(languageHint("港はどこですか", english)).toBe(
		"The query seems to be in Japanese. The embedder little only knows the meanings of words in English, so texts are found by the words of the query.",
	);
});

test("nothing is said of a language it knows, of one that nobody can tell, or where it says nothing itself", () => {
	expect(languageHint("where are the keys of the houses", english)).toBeNull();
	expect(languageHint("Kubernetes ingress", english)).toBeNull();
	expect(languageHint("Wo hängen die Schlüssel?", { name: "wide", languages: ["en", "de"] })).toBeNull();
	expect(languageHint("Wo hängen die Schlüssel?", { name: "silent" })).toBeNull();
});
