/** A chunk and its memories hold the same words: whichever is found first is shown. */

import { expect, test } from "bun:test";
import type { Chunk, Memory } from "cairn-memory";
import { createChunkReader } from "../../../core/search/chunk-reader.ts";
import { distinct, type FoundPlace, type FoundText } from "../../../core/search/distinct.ts";
import { createSamples } from "../../contract/samples.ts";

const samples = createSamples(29);
const document = samples.makeDocument();
const text = "Ana moved to Lisbon. The ferry leaves at nine. Tom bakes bread.";
const chunk = samples.makeChunk(document, { text });

function memory(words: string): FoundText {
	const begin = text.indexOf(words);
	const evidence: Memory["evidence"] = [{ document: document.id, chunk: chunk.id, span: [begin, begin + words.length] }];
	return { kind: "memory", score: 0.5, own: 0.5, memory: samples.makeMemory({ text: words, evidence }) };
}
const place: FoundPlace = { kind: "chunk", id: chunk.id, score: 0.5, own: 0.5 };

async function shown(found: readonly (FoundText | FoundPlace)[], areChunksWhole = true): Promise<readonly string[]> {
	const reader = createChunkReader({ chunks: async (): Promise<readonly Chunk[]> => [chunk] });
	return (await distinct(found, 10, reader, areChunksWhole)).map((item) => item.text);
}

const [lisbon, ferry, bread] = [memory("Ana moved to Lisbon."), memory("The ferry leaves at nine."), memory("Tom bakes bread.")];

test("a memory behind its chunk says nothing new, one before it does", async () => {
	expect(await shown([lisbon, place, ferry])).toEqual(["Ana moved to Lisbon.", text]);
	expect(await shown([place, ferry])).toEqual([text]);
});

test("a correction behind the chunk that it corrects is shown", async () => {
	const corrected = samples.makeMemory({ ...lisbon.memory, text: "Ana moved to Porto.", extractor: null, parent: samples.newId(), version: 2 });
	expect(await shown([place, { ...lisbon, memory: corrected }])).toEqual([text, "Ana moved to Porto."]);
});

test("a chunk of which memories have said nearly all is left out", async () => {
	expect(await shown([lisbon, ferry, bread, place])).toEqual(["Ana moved to Lisbon.", "The ferry leaves at nine.", "Tom bakes bread."]);
});

test("where chunks are cut to passages later nothing is left out but the same words", async () => {
	expect(await shown([place, lisbon, lisbon], false)).toEqual([text, "Ana moved to Lisbon."]);
});

test("a memory that a person wrote, without a source, is always shown", async () => {
	const written: FoundText = { ...ferry, memory: { ...ferry.memory, evidence: [] } };
	expect(await shown([place, written])).toEqual([text, "The ferry leaves at nine."]);
});
