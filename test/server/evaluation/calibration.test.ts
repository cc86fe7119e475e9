/** What the shown relevance promises holds with the parts that ship, from the text to the answer. */

import { expect, test } from "bun:test";
import type { Collection } from "../../../server/evaluation/collection.ts";
import { openLaboratory } from "../../../server/evaluation/laboratory.ts";
import { ask } from "../../../server/evaluation/search-question.ts";

const texts = [
	"The last ferry to the island leaves the harbour at five in winter and at eight in summer.",
	"Basil likes a warm window, plenty of light and soil that never dries out completely.",
	"To reset a forgotten password open the account page and follow the link in the mail.",
	"Our servers went down on Tuesday night after a certificate had expired unnoticed.",
	"Ana studied medicine in Bergen and now works as a surgeon at the children's hospital.",
	"The bread has to bake for forty minutes until its crust is golden and sounds hollow.",
	"ERR_CONN_4012 means that the gateway closed the connection before an answer came.",
	"ERR_CONN_4013 means that the gateway refused the connection because of its rate limit.",
];
const strange = ["quarterly dividends of Brazilian mining companies", "how do bats find moths in the dark", "Gregorian chant notation"];
const collection: Collection = {
	name: "notes",
	documents: texts.map((text, i) => ({ id: String(i), title: "", text, group: null })),
	questions: [],
	relevant: new Map(),
};
const signal = new AbortController().signal;

test.each(["hashing", "static"])("with %s: itself above 0.85, strangers below 0.3, by falling relevance", async (embedder) => {
	await using laboratory = await openLaboratory({ use: { embedder } });
	const filled = await laboratory.fill(collection, signal);
	const search = (text: string) => ask({ id: "", text, group: null }, "fusion", filled, laboratory.parts, signal);
	for (const [i, text] of texts.entries()) {
		const found = await search(text);
		expect(found[0]?.id).toBe(String(i));
		expect(found[0]?.score).toBeGreaterThan(0.85);
		for (const [at, { score }] of found.entries()) expect(score).toBeLessThanOrEqual(found[at - 1]?.score ?? 1);
	}
	for (const text of strange) for (const { score } of await search(text)) expect(score).toBeLessThan(0.3);
	const [first, second] = await search("what does ERR_CONN_4013 mean");
	expect(first?.id).toBe("7");
	expect(first?.score).toBeGreaterThanOrEqual(0.6);
	expect(second?.score ?? 0).toBeLessThan(first?.score ?? 0);
});
