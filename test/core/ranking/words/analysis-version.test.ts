/** The version of the analysis stands for what it gives: whoever changes one changes the other, and the digest below with it. */

import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { analysisVersion, countWords } from "../../../../core/ranking/words/count-words.ts";
import { readWords } from "../../../../core/ranking/words/read-words.ts";

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

test("texts are analysed as this version has analysed them before", () => {
	const analysed = texts.map((text) => {
		const { counts, length, grams } = countWords(text);
		return [[...counts], length, [...grams.counts], grams.length, readWords(text)];
	});
	const digest = createHash("sha256").update(JSON.stringify(analysed)).digest("hex").slice(0, 16);
	expect({ analysisVersion, digest }).toEqual({ analysisVersion: 1, digest: "f8bc262f3996c2c8" });
});
