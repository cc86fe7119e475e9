import { describe, expect, test } from "bun:test";
import { encodeText } from "../../../models/train/data/encode-text.ts";
import { createLexicon } from "../../../models/train/data/lexicon.ts";
import { createNumberSet } from "../../../models/train/data/number-set.ts";
import { createFingerprints } from "../../../models/train/overlap/fingerprints.ts";
import { createRandom } from "../../../models/train/random.ts";

const evaluation = [
	"The keeper of the lighthouse wrote down every ship that passed in the winter of 1874. Nobody read his notes!",
	"How do I bleed a radiator?",
	"Yes. It is raining again over there today.",
];

function shared(text: string): string | null {
	const lexicon = createLexicon();
	const fingerprints = createFingerprints(lexicon);
	for (const known of evaluation) fingerprints.add(encodeText(known, lexicon));
	return fingerprints.shared(encodeText(text, lexicon));
}

describe("fingerprints", () => {
	test.each([
		["the same text", "how do I bleed a radiator", "text"],
		["another case, other endings and signs", "HOW DO I BLEEDING A RADIATOR!!", "text"],
		["a whole sentence within another text", "Well. It is raining again over there today. Take a coat.", "sentence"],
		["eight words in a row", "they say that every ship that passed in the winter of 1875 was lost", "shingle"],
		["eight words across a border", "In the winter of 1874 nobody read his notes, they say", "shingle"],
	])("see %s", (_name, text, kind) => expect(shared(text)).toBe(kind as string));

	test.each([
		["seven words in a row", "we know that every ship that passed in the spring was lost"],
		["a short sentence that anybody says", "Yes. Nobody read it."],
		["the same words in another order", "a radiator, how do I bleed"],
		["nothing", ""],
	])("let %s pass", (_name, text) => expect(shared(text)).toBeNull());
});

test("a set of numbers holds what was added and nothing else, while it grows", () => {
	const random = createRandom(4);
	const numbers = Array.from({ length: 20_000 }, () => Math.floor(random.next() * 2 ** 53));
	const set = createNumberSet();
	for (const number of [...numbers, ...numbers.slice(0, 100)]) set.add(number);
	expect(set.size()).toBe(new Set(numbers).size);
	expect(numbers.every(set.has)).toBe(true);
	expect(numbers.some((number) => set.has(number + 1))).toBe(false);
	expect(set.has(0)).toBe(false);
});
