/** What somebody has decided about a statement holds when the next reading joins it to other sentences, or takes some of them away. */

import { afterEach, expect, test } from "bun:test";
import type { Parts } from "../../../core/parts.ts";
import statements from "../../../plugins/memory-extractors/statements/index.ts";
import similarity from "../../../plugins/memory-linkers/similarity/index.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { partOf } from "../../contract/start.ts";
import { drawing, type Ground, openGround } from "./decided-memories.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

function begin(overrides: Partial<Parts>): Ground {
	const ground = openGround(ramStorage(), overrides);
	closing.push(ground.close);
	return ground;
}

const byRules = async () =>
	begin({ memoryExtractors: [await partOf(statements(), "memoryExtractor")], memoryLinkers: [await partOf(similarity(), "memoryLinker")] });
const textsOf = async (ground: Ground) => (await ground.shown()).map(({ text }) => text).toSorted();

const alone = "Ylva keeps a goat called Berit. Ylva owns a green van.";
const joined = "Ylva keeps a goat called Berit. She milks it daily. Ylva owns a green van. It needs new tyres.";

test("a sentence that is joined later does not bring back what was forgotten or corrected", async () => {
	const ground = await byRules();
	await ground.say("note", [alone]);
	const goat = await ground.forget("Ylva keeps a goat called Berit.");
	await ground.correct("Ylva owns a green van.", "Ylva owns a white van.");
	await ground.say("note", [joined]);
	expect(await textsOf(ground)).toEqual(["Ylva owns a white van."]);
	await ground.say("note", [joined, "Ylva works at a bakery in Lund."]);
	expect(await textsOf(ground)).toEqual(["Ylva owns a white van.", "Ylva works at a bakery in Lund."]);
	await ground.restore(goat);
	expect(await textsOf(ground)).toContain("Ylva keeps a goat called Berit.");
	await ground.say("note", [joined]);
	expect(await textsOf(ground)).toEqual(["Ylva keeps a goat called Berit. She milks it daily.", "Ylva owns a white van."]);
});

test("a decision about joined sentences holds for the first one alone, and for it before others", async () => {
	const ground = await byRules();
	await ground.say("note", [joined]);
	await ground.forget("Ylva keeps a goat called Berit. She milks it daily.");
	await ground.correct("Ylva owns a green van. It needs new tyres.", "Ylva owns a white van.");
	await ground.say("note", [alone]);
	expect(await textsOf(ground)).toEqual(["Ylva owns a white van."]);
	await ground.say("note", ["Ylva keeps a goat called Berit. She feeds it hay."]);
	expect(await textsOf(ground)).toEqual(["Ylva owns a white van."]);
	await ground.say("note", ["Ylva keeps a cow called Maja. She milks it daily."]);
	expect(await textsOf(ground)).toEqual(["Ylva keeps a cow called Maja. She milks it daily.", "Ylva owns a white van."]);
});

test("it holds if the joined sentences are told in the speaker's own words", async () => {
	const ground = await byRules();
	await ground.say("talk", ["Ana: My daughter is called Signe.", "Ben: I live in Ghent."]);
	await ground.forget("Ana's daughter is called Signe.");
	await ground.say("talk", ["Ana: My daughter is called Signe. She turned six in May. I think she loves horses.", "Ben: I live in Ghent."]);
	expect(await textsOf(ground)).toEqual(["Ben lives in Ghent."]);
});

test("a short answer that is repeated, and another speaker's same words, are not what was forgotten", async () => {
	const ground = await byRules();
	await ground.say("talk", ["Ben: Do you eat fish?", "Ana: Yes. I live in Porto.", "Ben: I work at a mill."]);
	const fish = "Ana, asked “Do you eat fish?”: Yes.";
	expect(await textsOf(ground)).toContain(fish);
	await ground.forget(fish);
	await ground.forget("Ana lives in Porto.");
	await ground.say("talk", ["Ben: Do you eat meat?", "Ana: Yes. I work in Porto.", "Ben: I live in Porto. It rains a lot there."]);
	const shown = await textsOf(ground);
	expect(shown).toContain("Ana, asked “Do you eat meat?”: Yes.");
	expect(shown.filter((text) => text.startsWith("Ben lives in Porto."))).toHaveLength(1);
});

test("it holds for other words about the joined sentences, and not for what rests on them and is something else", async () => {
	const told: Readonly<Record<string, readonly string[]>> = {
		"I keep a goat called Berit.": ["Ylva keeps a goat called Berit"],
		"I keep a goat called Berit. I sing in a choir in Lund.": ["Ylva has a goat, Berit, and sings in a choir"],
		"I keep a goat called Berit. My choir sings in Lund.": ["Ylva's choir meets in Lund"],
	};
	const lines = Object.keys(told);
	const ground = begin({ memoryExtractors: drawing((line) => (told[line] ?? []).map((text) => ({ text }))), memoryLinkers: [] });
	await ground.say("note", lines.slice(0, 1));
	await ground.forget("Ylva keeps a goat called Berit");
	await ground.say("note", lines.slice(1, 2));
	expect(await textsOf(ground)).toEqual([]);
	await ground.say("note", lines.slice(2));
	expect(await textsOf(ground)).toEqual(["Ylva's choir meets in Lund"]);
	await ground.say("note", lines.slice(0, 1));
	expect(await textsOf(ground)).toEqual([]);
});
