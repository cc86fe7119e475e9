/** Guards of patterns: each wording that a pattern matches passes its guard, also beside letters and digits that are no part of it. */

import { describe, expect, test } from "bun:test";
import { cuesOf } from "../../../plugins/memory-linkers/similarity/cues.ts";
import { createGuard, needsWord } from "../../../plugins/memory-linkers/similarity/guards.ts";
import { holdingOf } from "../../../plugins/memory-linkers/similarity/holders.ts";
import { scanWords } from "../../../plugins/memory-linkers/similarity/scan-words.ts";
import { significantWords } from "../../../plugins/memory-linkers/similarity/significant-words.ts";
import { singleOf, slotsOf } from "../../../plugins/memory-linkers/similarity/slots.ts";
import { valuesByKind } from "../../../plugins/memory-linkers/similarity/values.ts";

/** One wording for each alternative of the patterns. */
const cues = {
	isSupposed:
		"if|whether|maybe|perhaps|might|may be|may well|heard that|rumor|rumour|keep saying|keeps saying|would|could|should|suppose|imagine|wish|wonder|wondering|thinking of|think about|consider|considers|considering|dream of|dreaming of|hope to|hopes to|hoping for|ought|probably|as though|tempted",
	isNotDone:
		"did not|has not|have not|had not|will not|was not|were not|could not|cannot|can not|almost|nearly|never|not yet|refused to|refuses to|refusing to",
	isPast:
		"was|were|had|did|used to|ago|back then|before that|formerly|previously|as a child|when she lived|in the nineties|in the 80s|in the 1990s|grew up|worked|lived|drove|paid|cost|went|came|heard",
	adds: "too|also|as well|another|a second|a third|a fourth|additional|additionally|besides|in addition|on top|extra|one more|on the side",
	isPlan:
		"will|shall|going to|plan to|plans on|planning to|want to|wants to|intend to|intends to|would like|about to|supposed to|is to|are to|hope to|hoping to|thinking about|considering|looking for|booked|signed up|reserved|tickets for",
	hintsAtChange:
		"now|nowadays|these days|by now|currently|only|from now on|as of|since monday|since the|up to|down to|in the end|finally|they want|changed|switches|swapped|replaced|instead|moving|postponed|rescheduled|brought forward|put off|pushed|delayed|shifted|extended|raised|increased|lowered|cut|reduced|upgraded|went up|gone down|rose|fell|renamed|updated|taken over|took over|takes over|taking over|handed|no longer|anymore|any more|no more|new",
} as const;
const slots = {
	home: "lives in ghent|is based in ghent|she is staying at a farm|moved to ghent|relocated to ghent|my flat is in ghent|home address is 5 mill lane|ich wohne in gent|j'habite gand|vivo en gante|住在北京",
	work: "works at the mill|employed at the mill|joined the mill|her job is at the mill|first day at the mill|started at the mill|the mill hired me",
	role: "works as a cook|her occupation is the law|became a cook|promoted to cook",
	age: "turned 40|is 7 years old|is seven|her age is 9",
	name: "my name is ana|is called tern|are named tern",
	relationship: "is married|are together|separated|in a relationship|my new boyfriend is here|ana and i are",
	boss: "the boss is here|a new manager|my supervisor|my team lead|my teamleader",
} as const;

describe("guards of patterns", () => {
	for (const [cue, wordings] of Object.entries(cues)) {
		test(`no wording of ${cue} is missed`, () => {
			const missed = wordings.split("|").filter((wording) => cuesOf(`the boat ${wording} red sail`, false)[cue as keyof typeof cues] !== true);
			expect(missed).toEqual([]);
		});
	}

	for (const [slot, wordings] of Object.entries(slots)) {
		test(`no wording of the slot ${slot} is missed`, () => {
			expect(wordings.split("|").filter((wording) => !slotsOf(wording).has(slot))).toEqual([]);
		});
	}

	test("values, posts and single things are found in any form", () => {
		expect(["twenty-one", "3rd", "mondays", "noon"].filter((text) => valuesByKind(`at ${text} euros`).size === 0)).toEqual([]);
		expect(["ana leads the choir", "ana is head of the choir", "the choir is led by ana"].filter((text) => holdingOf(text) === null)).toEqual([]);
		expect(["the e-mail is a@b.c", "the colour is red", "my team lead is ana"].filter((text) => singleOf(text) === null)).toEqual([]);
	});

	test("a word counts with underscores beside it, and other letters pass only guards that take them", () => {
		const [plain, other] = [needsWord("tern"), createGuard(() => false, true)];
		expect(["tern", "a tern.", "3 tern", "tern_2"].filter((text) => !plain(text))).toEqual([]);
		expect([plain("terns"), plain("tërn"), other("tern"), other("tërn")]).toEqual([false, false, false, true]);
	});

	test("scanned words are those of a split text, whatever was scanned before", () => {
		const texts = Array.from({ length: 40_000 }, (_, i) => `W${i} is ${i * 7}-th, not_${i}x; é${i}`);
		const scanned = texts.map((text) => scanWords(text).words.map((word) => word.text));
		expect(scanned).toEqual(texts.map((text) => text.match(/[A-Za-z0-9]+/g) ?? []));
	});

	test("markers and stop words are no significant words, also beside digits", () => {
		expect(significantWords("she no longer drives 3 red boats at 7am and doesn't sail")).toEqual(["drive", "red", "boat", "sail"]);
		expect(significantWords("bought the 2nd boat")).toEqual(["bui", "2nd", "boat"]);
	});
});

test("words are recognised, and their guards right, however many others came", () => {
	const isTern = needsWord("tern");
	const scan = (word: string) => scanWords(word).words.map(({ text }) => text);
	for (let i = 0; i < 200_000; i++) {
		const word = `w${(i * 2_654_435_761) % 4_294_967_296}`;
		if (i % 997 === 0) expect([isTern(`the tern ${word}`), isTern(`no boat ${word}`), scan(word)]).toEqual([true, false, [word]]);
		else scanWords(word);
	}
});
