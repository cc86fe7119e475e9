/** A search is answered while the embedder or the reranker is away: by words, in the order they give. */

import { expect, test } from "bun:test";
import { type Embedder, fail, type Reranker } from "cairn-memory";
import { queryVariants } from "../../../core/search/query-variants.ts";
import { rerank } from "../../../core/search/rerank.ts";
import { lettersEmbedder } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";

const away = async (): Promise<never> => {
	throw fail("EMBEDDER_UNAVAILABLE", "far.example", "nobody answers there").after(5_000);
};
const broken = async (): Promise<never> => {
	throw fail("EMBEDDING_MALFORMED", "letters", "is all zeros");
};
const embedderThat = (embed: Embedder["embed"]): Embedder => ({ ...lettersEmbedder, embed });
const rerankerThat = (score: Reranker["score"]): Reranker => ({ name: "judge", candidatesMax: 2, score });
const items = [
	{ text: "a", score: 0.9 },
	{ text: "b", score: 0.5 },
	{ text: "c", score: 0.1 },
];

test("an embedder that is away leaves the words", async () => {
	const [variant] = await queryVariants("lighthouse keeper", [], embedderThat(away), createStep());
	expect(variant).toMatchObject({ text: "lighthouse keeper", vector: null });
	expect(variant?.words.length).toBeGreaterThan(0);
});

test("a fault that does not pass is none to be hidden", async () => {
	await expect(queryVariants("lighthouse", [], embedderThat(broken), createStep())).rejects.toMatchObject({ code: "EMBEDDING_MALFORMED" });
	await expect(rerank("q", items, rerankerThat(broken), createStep())).rejects.toMatchObject({ code: "EMBEDDING_MALFORMED" });
});

test("who has stopped is not answered", async () => {
	await expect(queryVariants("lighthouse", [], embedderThat(away), createStep(AbortSignal.abort(new Error("gone"))))).rejects.toThrow("gone");
});

test("a reranker that is away leaves the order", async () => {
	expect(await rerank("q", items, rerankerThat(away), createStep())).toEqual(items);
});
