/** Vectors and words are asked for every query variant, inside the scope, and what neither has shown is bounded honestly. */

import { beforeEach, expect, test } from "bun:test";
import type { EmbeddingSpace, Vector } from "cairn-memory";
import { type ChunkHit, type ChunkId, type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import type { QueryVariant } from "../../../core/ranking/query-variant.ts";
import { retrieveChunks } from "../../../core/search/retrieve.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";

const samples = createSamples(11);
const space: EmbeddingSpace = { name: "plane", dimensions: 2, metric: "cosine", calibration: { unrelated: 0, related: 1, weight: 1 } };
/** So many degrees from the question. */
const at = (degrees: number): Vector => Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
const variant = (more: Partial<QueryVariant> = {}): QueryVariant => ({ text: "", words: [], vector: at(0), trust: 1, ...more });

let tenant: TenantStore;
beforeEach(() => {
	tenant = ramStorage().organisation(sampleOrganisation);
});

async function publish(text: string, vector: Vector, containerTags = ["harbour"]): Promise<void> {
	const document = samples.makeDocument({ publishedRevision: null, containerTags });
	await tenant.documents.add(document, samples.makeJob(document));
	await tenant.documents.stage(document.id, 1, space, [{ chunk: samples.makeChunk(document, { text, indexedText: text }), vector }]);
	await tenant.documents.publish(document.id, 1, samples.nextTime());
}

const retrieve = async (variants: readonly QueryVariant[], limit = 10, scope = wholeOrganisation) => {
	const retrieved = await retrieveChunks(variants, scope, limit, tenant, space);
	const chunks = await tenant.documents.chunks(retrieved.candidates.map(({ hit }) => hit.id));
	const texts = new Map(chunks.map(({ id, text }) => [id, text]));
	return { ...retrieved, texts: retrieved.candidates.map(({ hit }) => texts.get(hit.id)) };
};

test("the nearest come first, and all that there is is found: there is no more to ask for", async () => {
	for (const degrees of [60, 10, 30]) await publish(`at ${degrees}`, at(degrees));
	const found = await retrieve([variant()]);
	expect(found.texts).toEqual(["at 10", "at 30", "at 60"]);
	expect(found.isExhausted).toBe(true);
	expect(found.unseen).toMatchObject([{ words: 0, cosine: null }]);
});

test("where there may be more, nothing unseen is better than the last that was seen", async () => {
	for (const degrees of [10, 30, 60]) await publish(`at ${degrees}`, at(degrees));
	const { texts, isExhausted, unseen } = await retrieve([variant()], 2);
	expect([texts, isExhausted]).toEqual([["at 10", "at 30"], false]);
	expect(unseen[0]?.cosine).toBeCloseTo(Math.cos(Math.PI / 6), 5);
});

test("what only its words lead to is compared by its vector all the same", async () => {
	await publish("near", at(5));
	await publish("the sloop", at(90));
	const found = await retrieve([variant({ words: [{ word: "sloop", spelled: null }] })], 1);
	const sloop = found.candidates.find((_each, i) => found.texts[i] === "the sloop");
	expect(sloop?.evidence.words).toBeGreaterThan(0);
	expect(sloop?.evidence.cosine).toBeCloseTo(0, 5);
});

/** Words whose candidates are told before they are looked up, and vectors that note what they are asked. @param fails whether the first cosines do */
function tellingEarly(told: readonly ChunkHit[], found: readonly ChunkHit[], fails = false) {
	const asked: (readonly ChunkId[])[] = [];
	const matchChunks: TenantStore["words"]["matchChunks"] = async (_words, _scope, _limit, _waitMs, onCandidates) => {
		onCandidates?.(told.map(({ id }) => id));
		return { hits: found, isWhole: true };
	};
	const vectors: TenantStore["vectors"] = (of) => {
		const inner = tenant.vectors(of);
		const chunkCosines: typeof inner.chunkCosines = async (query, ids) => {
			asked.push(ids);
			if (fails && asked.length === 1) throw new Error("lost");
			return inner.chunkCosines(query, ids);
		};
		return { ...inner, chunkCosines };
	};
	return { asked, tenant: { ...tenant, words: { ...tenant.words, matchChunks }, vectors } };
}

test("what words may lead to is compared while it is looked up, and what is not there does not come in by it", async () => {
	for (const degrees of [5, 60, 90]) await publish(`at ${degrees}`, at(degrees));
	const [near, far, farthest] = await tenant.vectors(space).nearestChunks(at(0), wholeOrganisation, 3);
	if (near === undefined || far === undefined || farthest === undefined) throw new Error("not published");
	const asking = variant({ words: [{ word: "sloop", spelled: null }] });
	for (const fails of [false, true]) {
		const { asked, tenant: telling } = tellingEarly([farthest, far], [{ ...farthest, score: 0.5 }], fails);
		const { candidates } = await retrieveChunks([asking], wholeOrganisation, 1, telling, space);
		expect(asked).toEqual([[farthest.id, far.id], ...(fails ? [[farthest.id]] : [])]);
		expect(candidates.map(({ hit }) => hit.id).toSorted()).toEqual([near.id, farthest.id].toSorted());
		expect(candidates.find(({ hit }) => hit.id === farthest.id)?.evidence.cosine).toBeCloseTo(0, 5);
	}
});

test("without a vector the words have to do, and without either nothing is asked", async () => {
	await publish("the sloop", at(0));
	expect((await retrieve([variant({ vector: null, words: [{ word: "sloop", spelled: null }] })])).texts).toEqual(["the sloop"]);
	expect((await retrieve([variant({ vector: null })])).texts).toEqual([]);
});

test("what is out of the scope is not found, however near", async () => {
	await publish("foreign", at(0), ["other"]);
	await publish("own", at(80));
	expect((await retrieve([variant()], 10, { ...wholeOrganisation, containerTags: ["harbour"] })).texts).toEqual(["own"]);
});
