/** The version of the analysis stands for what it gives: whoever changes one changes the other, and the digest below with it. */

import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { wordEntry } from "cairn-memory/stores";
import { languages, languagesOf } from "cairn-memory/words";
import { analysisVersion } from "../../../../core/ranking/words/count-words.ts";
import { languageSamples } from "../../../contract/storage/language-samples.ts";

const texts = [
	"The ferries weren't running; Dr. O'Brien's keepers walked 3.5 km to the light-house, e.g. at 07:30.",
	"Die Häuser am Hafen wurden von den Leuchtturmwärtern mit großer Sorgfalt gestrichen, während die Fähren fuhren.",
	"Les gardiens des phares ont repeint les maisons du port pendant que les bateaux partaient vers les îles.",
	"Los guardianes de los faros pintaron las casas del puerto mientras los barcos salían hacia las islas.",
	"Смотрители маяков красили дома в порту, пока паромы уходили к островам.",
	"灯塔的看守人在港口油漆房屋。渡輪開往島嶼。",
	"灯台守は港の家を塗り、フェリーは島へ向かった。",
	"등대지기는 항구의 집을 칠했고 페리는 섬으로 떠났다.",
	"คนเฝ้าประภาคารทาสีบ้านที่ท่าเรือ",
	"قام حراس المنارات بطلاء بيوت الميناء بينما كانت العبارات تغادر.",
	"snake_case camelCase HTTP2 x86-64 C++ a@example.com https://example.com/a?b=c ﬁne Ⅳ ½ naïve",
];
const allTexts = [...texts, ...languageSamples.map(({ text }) => text)];

test("there is a text for every stemmer", () => {
	const read = new Set(allTexts.map((text) => languagesOf(text)[0]?.code));
	expect(languages.flatMap(({ code, stem }) => (stem === null || read.has(code) ? [] : [code]))).toEqual([]);
});

test("what is stored of texts is what this version has stored before", () => {
	const stored = allTexts.map((text) => {
		const { terms, ...entry } = wordEntry("", text, []);
		return { ...entry, terms: [...terms] };
	});
	const digest = createHash("sha256").update(JSON.stringify(stored)).digest("hex").slice(0, 16);
	expect({ analysisVersion, digest }).toEqual({ analysisVersion: 1, digest: "d9c1c039628918b7" });
});
