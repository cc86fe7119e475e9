/** A budget of tokens holds the lines that matter, each readable, none twice, and never more than was allowed. */

import { expect, test } from "bun:test";
import type { Memory } from "cairn-memory";
import fc from "fast-check";
import type { Pooled } from "../../../core/search/distinct.ts";
import { withinTokens } from "../../../core/search/within-tokens.ts";
import { tokensOf } from "../../../core/text/tokens.ts";
import { createSamples } from "../../contract/samples.ts";

const samples = createSamples(23);
const document = samples.makeDocument();

function chunkOf(text: string, score = 0.5): Pooled & { readonly kind: "chunk" } {
	return { kind: "chunk", text, score, own: score, chunk: samples.makeChunk(document, { text }) };
}

function memoryOf(text: string, evidence: Memory["evidence"], score = 0.5): Pooled {
	return { kind: "memory", text, score, own: score, memory: samples.makeMemory({ text, evidence }) };
}

const talk = Array.from({ length: 20 }, (_, i) => (i === 12 ? "Tom: the ferry leaves at nine" : `Ana: line ${i} is about other things`)).join("\n");
const spent = (found: readonly Pooled[]) => found.reduce((sum, { text }) => sum + tokensOf(text), 0);

test("of a chunk the line with the words of the query is kept, with the ones beside it", () => {
	const [kept] = withinTokens([chunkOf(talk)], "when does the ferry leave", 50, 10);
	expect(kept?.text).toContain("Ana: line 11 is about other things\nTom: the ferry leaves at nine\nAna: line 13");
	expect(kept?.text).not.toContain("line 2 ");
	expect(kept?.kind === "chunk" && kept.chunk.text).toBe(kept?.text ?? "");
});

test("passages that are not neighbours are parted, and what fits whole stays whole", () => {
	const far = talk.replace("line 3 is about other things", "the ferry was late");
	expect(withinTokens([chunkOf(far)], "ferry", 60, 10)[0]?.text).toContain("\n…\n");
	expect(withinTokens([chunkOf(far)], "ferry", 5_000, 10)[0]?.text).toBe(far);
});

test("a memory and the line it cites are one: the better of the two is shown", () => {
	const chunk = chunkOf(talk);
	const begin = talk.indexOf("the ferry");
	const cited = [{ document: document.id, chunk: chunk.chunk.id, span: [begin, begin + 24] as const }];
	const first = withinTokens([memoryOf("Tom: the ferry leaves at nine", cited, 0.99), chunk], "ferry", 30, 10);
	expect(first.map(({ kind }) => kind)).toContain("memory");
	expect(first.filter(({ text }) => text.includes("ferry")).length).toBe(1);
	const behind = withinTokens([chunk, memoryOf("Tom: the ferry leaves at nine", cited, 0.01)], "ferry", 5_000, 10);
	expect(behind.map(({ kind }) => kind)).toEqual(["chunk"]);
});

test("a correction is shown beside the line that it corrects", () => {
	const chunk = chunkOf(talk);
	const begin = talk.indexOf("the ferry");
	const evidence = [{ document: document.id, chunk: chunk.chunk.id, span: [begin, begin + 24] as const }];
	const corrected = samples.makeMemory({ text: "Tom: the ship leaves at ten", evidence, extractor: null, parent: samples.newId(), version: 2 });
	const kept = withinTokens([chunk, { kind: "memory", text: corrected.text, score: 0.01, own: 0.01, memory: corrected }], "ferry", 5_000, 10);
	expect(kept.map(({ kind }) => kind)).toEqual(["chunk", "memory"]);
});

test("the budget and the number of results are kept, and the order too", () => {
	const line = fc.constantFrom("the ferry leaves", "nothing here", "a longer line about the harbour and the ferry at night", "我们明天去港口", "");
	const chunks = fc.array(fc.tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 8 });
	fc.assert(
		fc.property(chunks, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 5 }), (drawn, budget, limit) => {
			const found = drawn.map(([lines, score]) => chunkOf(lines.join("\n"), score));
			const kept = withinTokens(found, "ferry harbour", budget, limit);
			const places = kept.map((item) => found.findIndex((each) => item.kind === "chunk" && each.chunk.id === item.chunk.id));
			return spent(kept) <= budget && kept.length <= limit && places.every((place, i) => i === 0 || place > (places[i - 1] ?? 0));
		}),
		{ seed: 11, numRuns: 200 },
	);
});
