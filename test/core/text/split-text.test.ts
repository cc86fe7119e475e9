import { expect, test } from "bun:test";
import { splitText } from "cairn-memory/words";
import fc from "fast-check";

const partsOf = (text: string, room: number, at?: "lines"): readonly string[] => splitText(text, room, at).map(([begin, end]) => text.slice(begin, end));

test.each([
	["fits", "Short enough.", 20, ["Short enough."]],
	["sentence ends first", "One is here. Two is here. Three.", 26, ["One is here. Two is here.", "Three."]],
	["then words", "alpha beta gamma delta", 12, ["alpha beta", "gamma delta"]],
	["then characters", "abcdefghij", 4, ["abcd", "efgh", "ij"]],
	["words of Thai, which has no spaces", "สวัสดีครับ", 7, ["สวัสดี", "ครับ"]],
	["nothing", "", 10, []],
	["space only", "  \n ", 10, []],
] as const)("%s", (_, text, room, wanted) => {
	expect(partsOf(text, room)).toEqual([...wanted]);
});

test("code is cut at its lines", () => {
	expect(partsOf("let a = 1;\nlet b = 2;\nlet c = 3;", 23, "lines")).toEqual(["let a = 1;\nlet b = 2;", "let c = 3;"]);
});

test("a family of four is one character", () => {
	expect(partsOf("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 15)).toEqual(["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]);
});

test("no part is too long, none is blank, nothing but space is lost, no pair is broken", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 2, max: 40 }), (text, room) => {
			const parts = partsOf(text, room);
			expect(parts.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
			for (const part of parts) {
				expect(part.length).toBeLessThanOrEqual(room);
				expect(part.trim()).toBe(part);
				expect(part).not.toBe("");
				expect(part.isWellFormed()).toBe(true);
			}
		}),
		{ seed: 11, numRuns: 300 },
	);
});
