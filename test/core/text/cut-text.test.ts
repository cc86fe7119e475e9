/** Whatever a text holds, its beginning holds no half of a character. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { cutText } from "../../../core/text/cut-text.ts";

test("a short text stays as it is, and a character of two halves goes as a whole", () => {
	expect(cutText("Ada", 3)).toBe("Ada");
	expect(cutText("Ada 😀", 6)).toBe("Ada 😀");
	expect(cutText("Ada 😀", 5)).toBe("Ada ");
	expect(cutText("Adam", 3)).toBe("Ada");
});

test("a beginning of at most so many characters, well-formed where the text is", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, charactersMax) => {
			const cut = cutText(text, charactersMax);
			expect(cut.length).toBeLessThanOrEqual(charactersMax);
			expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, charactersMax) - 1);
			expect(text.startsWith(cut)).toBe(true);
			expect(cut.isWellFormed()).toBe(true);
		}),
		{ seed: 1, numRuns: 500 },
	);
});
