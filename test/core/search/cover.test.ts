/** The best of what was found rise by how much of the query they cover, memories with what stands around their evidence. */

import { expect, test } from "bun:test";
import type { Memory } from "cairn-memory";
import type { ChunkId } from "cairn-memory/stores";
import type { Candidate } from "../../../core/ranking/fuse.ts";
import { queryTermsOf } from "../../../core/ranking/words/query-terms.ts";
import { createChunkReader } from "../../../core/search/chunk-reader.ts";
import { coverChunks, coverMemories } from "../../../core/search/cover.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { addPublished } from "../../contract/storage/ground.ts";

const tenant = ramStorage().organisation(sampleOrganisation);
const samples = createSamples(29);
const table = { space: sampleSpace };
const variant = { text: "who has a van", words: queryTermsOf("who has a van", 64), vector: null, trust: 1 };
const reader = () => createChunkReader(tenant.documents);

function candidate<Hit extends { readonly id: string }>(hit: Hit, score: number): Candidate<Hit & { readonly score: number }> {
	return { hit: { ...hit, score }, score, evidence: { words: 0, cosine: null }, variant };
}

const text = "Ana: The shelf is here. Bo: Who has a van?\nCy: My flatmate Joris. He wants beer.";
const { chunks } = await addPublished({ tenant, samples }, [text]);
const [chunk] = chunks;
function citing(words: string): Memory {
	const begin = text.indexOf(words);
	if (chunk === undefined) throw new Error("the chunk is missing");
	return samples.makeMemory({ text: words, evidence: [{ document: chunk.document, chunk: chunk.id, span: [begin, begin + words.length] }] });
}

test("a memory whose evidence stands beside the words of the query comes before one that stands alone", async () => {
	const [answer, stranger] = [citing("My flatmate Joris."), samples.makeMemory({ text: "My sister Klara." })];
	const memories = new Map([answer, stranger].map((memory) => [memory.id, memory]));
	const found = await coverMemories([candidate(stranger, 0.03), candidate(answer, 0.02)], memories, reader(), table);
	expect(found.map(({ hit }) => hit.id)).toEqual([answer.id, stranger.id]);
	expect(found.map(({ evidence }) => evidence.covered)).toEqual([0.5, 0]);
});

test("what it is indexed by counts as its own, and what was not read covers nothing", async () => {
	const [told, unread] = [samples.makeMemory({ text: "Joris has one.", indexedText: "Cy: who has a van Joris has one." }), samples.makeMemory()];
	const found = await coverMemories([candidate(unread, 0.03), candidate(told, 0.02)], new Map([[told.id, told]]), reader(), table);
	expect(found.map(({ evidence }) => evidence.covered)).toEqual([1, 0]);
});

test("words that are farther away than a sentence or two are not around it", async () => {
	const filler = "The weather was fine that day. ".repeat(6);
	const far = await addPublished({ tenant, samples }, [`Who has a van? ${filler}My flatmate Joris.`]);
	const [long] = far.chunks;
	if (long === undefined) throw new Error("the chunk is missing");
	const begin = long.text.indexOf("My flatmate");
	const memory = samples.makeMemory({ text: "My flatmate Joris.", evidence: [{ document: long.document, chunk: long.id, span: [begin, long.text.length] }] });
	const [found] = await coverMemories([candidate(memory, 0.02)], new Map([[memory.id, memory]]), reader(), table);
	expect(found?.evidence.covered).toBe(0);
});

test("chunks rise by what they cover, and only the best are read for it", async () => {
	const { chunks: many } = await addPublished({ tenant, samples }, [...Array.from({ length: 40 }, (_, i) => `part ${i}`), "a van"]);
	const places = many.map(({ id, document, position }) => ({ id, document, position }));
	const hits = places.map((hit, i) => candidate(hit, 0.05 - i / 1_000)).toSorted((a, b) => Number(b.hit.position === 40) - Number(a.hit.position === 40));
	const read: number[] = [];
	const chunksOf = (ids: readonly ChunkId[]) => {
		read.push(ids.length);
		return tenant.documents.chunks(ids);
	};
	const [first] = await coverChunks(
		hits.toSorted((a, b) => b.score - a.score),
		createChunkReader({ chunks: chunksOf }),
		table,
	);
	expect(read).toEqual([15]);
	expect(first?.evidence.covered).toBe(0);
	const [best] = await coverChunks(hits, reader(), table);
	expect([best?.hit.position, best?.evidence.covered]).toEqual([40, 1]);
});
