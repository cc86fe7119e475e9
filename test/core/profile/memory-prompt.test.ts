/** The text that a model is given: what comes first, what is quoted, and what does not fit. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { memoryPrompt, type UserMemories } from "../../../core/profile/memory-prompt.ts";
import { tokensOf } from "../../../core/text/tokens.ts";

const nothing: UserMemories = { matching: [], lasting: [], recent: [] };
const linesOf = (known: Partial<UserMemories>, tokensMax = 1_000) => (memoryPrompt({ ...nothing, ...known }, tokensMax) ?? "").split("\n").slice(1);

test("nothing known is no text", () => expect(memoryPrompt(nothing, 1_000)).toBeNull());

test("each part has its title, and a text stands in the first part that has it", () => {
	expect(linesOf({ lasting: ["She is Ada.", "She lives in Ulm."], recent: ["She is ill."], matching: ["She lives in Ulm."] })).toEqual([
		"Lasting facts:",
		'- "She is Ada."',
		"Recent facts:",
		'- "She is ill."',
		"Matching the question:",
		'- "She lives in Ulm."',
	]);
});

test("where tokens are short, what matches goes first and what is too long is passed over", () => {
	const long = "x".repeat(4_000);
	expect(linesOf({ matching: [long, "It matches."], lasting: ["It lasts."] }, 80)).toEqual([
		"Lasting facts:",
		'- "It lasts."',
		"Matching the question:",
		'- "It matches."',
	]);
	expect(linesOf({ matching: ["It matches."], lasting: ["It lasts, and is long: ".repeat(4)] }, 70)).toEqual(["Matching the question:", '- "It matches."']);
});

test("whatever is known, the text keeps to its tokens and each memory to its line", () => {
	const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 300 }), { maxLength: 30 });
	fc.assert(
		fc.property(texts, texts, texts, fc.integer({ min: 100, max: 1_000 }), (matching, lasting, recent, tokensMax) => {
			const text = memoryPrompt({ matching, lasting, recent }, tokensMax);
			if (text === null) return;
			expect(tokensOf(text)).toBeLessThanOrEqual(tokensMax);
			for (const line of text.split("\n").slice(1)) expect(line).toMatch(/^(- ".*"|Lasting facts:|Recent facts:|Matching the question:)$/s);
		}),
		{ seed: 17, numRuns: 100 },
	);
});
