import { expect, test } from "bun:test";
import type { ChunkHit } from "../../../core/ports/vector-index.ts";
import { drawNeighbours } from "../../../core/search/draw-neighbours.ts";
import type { Candidate } from "../../../core/search/fuse.ts";
import ram from "../../../plugins/storage/ram/index.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { partOf } from "../../contract/start.ts";
import { addPublished } from "../../contract/storage/ground.ts";

const rooms = (await partOf(ram(), "storage")).organisation(sampleOrganisation);
const samples = createSamples(3);
const chat = await addPublished({ rooms, samples }, ["how was the trip?", "long, but the ferry came", "and the hotel?", "full of cats"]);
const note = await addPublished({ rooms, samples }, ["a note of one piece"]);

function found(positions: readonly number[], of = chat): readonly Candidate<ChunkHit>[] {
	return positions.flatMap((position) => {
		const chunk = of.chunks[position];
		if (chunk === undefined) return [];
		const hit = { id: chunk.id, document: chunk.document, position, score: 0.5 };
		const phrasing = { text: "ferry", words: [], vector: samples.makeVector(), trust: 1 };
		return [{ hit, evidence: { words: 0.5, cosine: null }, phrasing, score: 0.9 }];
	});
}

const places = (candidates: readonly Candidate<ChunkHit>[]) => candidates.map(({ hit }) => hit.position).toSorted();

test("the chunks beside the best are drawn in, each once, with what its vector says", async () => {
	const drawn = await drawNeighbours(found([1, 3]), 2, rooms, sampleSpace);
	expect(places(drawn)).toEqual([0, 2]);
	for (const { evidence } of drawn) {
		expect(evidence.words).toBe(0);
		expect(evidence.cosine).not.toBeNull();
	}
});

test("only beside as many of the best as are asked for, and never what is known", async () => {
	expect(places(await drawNeighbours(found([0, 3]), 1, rooms, sampleSpace))).toEqual([1]);
	expect(await drawNeighbours(found([0, 1, 2, 3]), 4, rooms, sampleSpace)).toEqual([]);
});

test("a document of one piece has no neighbours", async () => {
	expect(await drawNeighbours(found([0], note), 1, rooms, sampleSpace)).toEqual([]);
});
