import { expect, test } from "bun:test";
import type { ChunkHit } from "../../../core/ports/vector-search.ts";
import type { Candidate } from "../../../core/ranking/fuse.ts";
import { addNeighbours } from "../../../core/search/add-neighbours.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { addPublished } from "../../contract/storage/ground.ts";

const tenant = ramStorage().organisation(sampleOrganisation);
const samples = createSamples(3);
const chat = await addPublished({ tenant, samples }, ["how was the trip?", "long, but the ferry came", "and the hotel?", "full of cats"]);
const note = await addPublished({ tenant, samples }, ["a note of one piece"]);

function found(positions: readonly number[], of = chat): readonly Candidate<ChunkHit>[] {
	return positions.flatMap((position) => {
		const chunk = of.chunks[position];
		if (chunk === undefined) return [];
		const hit = { id: chunk.id, document: chunk.document, position, score: 0.5 };
		const variant = { text: "ferry", words: [], vector: samples.makeVector(), trust: 1 };
		return [{ hit, evidence: { words: 0.5, cosine: null }, variant, score: 0.9 }];
	});
}

const places = (candidates: readonly Candidate<ChunkHit>[]) => candidates.map(({ hit }) => hit.position).toSorted();

test("the chunks beside the best are drawn in, each once, with what its vector says", async () => {
	const extracted = await addNeighbours(found([1, 3]), 2, tenant, sampleSpace);
	expect(places(extracted)).toEqual([0, 2]);
	for (const { evidence } of extracted) {
		expect(evidence.words).toBe(0);
		expect(evidence.cosine).not.toBeNull();
	}
});

test("only beside as many of the best as are asked for, and never what is known", async () => {
	expect(places(await addNeighbours(found([0, 3]), 1, tenant, sampleSpace))).toEqual([1]);
	expect(await addNeighbours(found([0, 1, 2, 3]), 4, tenant, sampleSpace)).toEqual([]);
});

test("a document of one piece has no neighbours", async () => {
	expect(await addNeighbours(found([0], note), 1, tenant, sampleSpace)).toEqual([]);
});
