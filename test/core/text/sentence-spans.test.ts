import { expect, test } from "bun:test";
import { sentenceSpans } from "cairn-memory/words";

const sentencesOf = (text: string): readonly string[] => sentenceSpans(text).map(([begin, end]) => text.slice(begin, end));

test.each([
	["One. Two! Three?", ["One.", "Two!", "Three?"]],
	["Dr. Olsen met Prof. Lee. They talked.", ["Dr. Olsen met Prof. Lee.", "They talked."]],
	["Boats, e.g. Maribel, sank. Others, i.e. Sofie, did not.", ["Boats, e.g. Maribel, sank.", "Others, i.e. Sofie, did not."]],
	["She has a Ph.D. in physics. He uses v2.0 of it.", ["She has a Ph.D. in physics.", "He uses v2.0 of it."]],
	["They sell ropes, nets, etc. The shop is old.", ["They sell ropes, nets, etc.", "The shop is old."]],
	["J. Smith wrote it. So did I. Tom did not.", ["J. Smith wrote it.", "So did I.", "Tom did not."]],
	["The U.S. Senate sat in Washington, D.C. Tuesday. It passed.", ["The U.S. Senate sat in Washington, D.C. Tuesday.", "It passed."]],
	["She lives in the U.S. He does not.", ["She lives in the U.S.", "He does not."]],
	[
		"It opens at 9 a.m. Monday and ends at 5 p.m. GMT. Bring ropes at 6 p.m. Lamps stay.",
		["It opens at 9 a.m. Monday and ends at 5 p.m. GMT.", "Bring ropes at 6 p.m.", "Lamps stay."],
	],
	["We sail on Feb. 3 from Oslo. The dog sat. Ten boats came.", ["We sail on Feb. 3 from Oslo.", "The dog sat.", "Ten boats came."]],
	["i like dogs. they are fun! so are cats", ["i like dogs.", "they are fun!", "so are cats"]],
	["A line\nAnother line", ["A line", "Another line"]],
	["今日は晴れです。明日は雨です。", ["今日は晴れです。", "明日は雨です。"]],
	[" \n ", []],
	["", []],
] as const)("%p", (text, wanted) => {
	expect(sentencesOf(text)).toEqual([...wanted]);
});

test("a text longer than a window loses nothing", () => {
	const text = "The keeper counts the boats. ".repeat(3_000);
	expect(sentencesOf(text)).toEqual(Array.from({ length: 3_000 }, () => "The keeper counts the boats."));
});

test("a megabyte without a boundary is cut at windows, never inside a pair", () => {
	const text = "🚢".repeat(50_001);
	expect(sentencesOf(text).join("")).toBe(text);
	for (const part of sentencesOf(text)) expect(part.isWellFormed()).toBeTrue();
});
