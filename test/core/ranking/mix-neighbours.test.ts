import { expect, test } from "bun:test";
import { asId, type ChunkId, type DocumentId } from "../../../core/model/id.ts";
import type { ChunkHit } from "../../../core/ports/vector-search.ts";
import type { Candidate } from "../../../core/ranking/fuse.ts";
import { amongDocuments, amongTurns, mixNeighbours } from "../../../core/ranking/fuse.ts";
import { relevance } from "../../../core/ranking/relevance.ts";

const space = { name: "s", dimensions: 1, metric: "cosine", calibration: { unrelated: 0, related: 1, weight: 1 } } as const;
const variant = { text: "q", words: [], vector: Float32Array.of(1), trust: 1 };

function candidate(document: string, position: number, words: number): Candidate<ChunkHit> {
	const evidence = { words, cosine: null };
	const hit = { id: asId<ChunkId>(`${document}${position}`), document: asId<DocumentId>(document), position, score: words };
	return { hit, evidence, variant, score: relevance(evidence, space) };
}

const idsOf = (candidates: readonly Candidate<ChunkHit>[]) => candidates.map(({ hit }) => String(hit.id));

test("a chunk beside good ones comes before a better one that stands alone", () => {
	const mixed = mixNeighbours([candidate("b", 0, 0.4), candidate("a", 1, 0.39), candidate("a", 2, 0.3)], amongTurns, space);
	expect(idsOf(mixed)).toEqual(["a1", "a2", "b0"]);
});

test("the nearer the more, and from the fifth on nothing", () => {
	const besides = (away: number) =>
		mixNeighbours([candidate("a", 0, 0.5), candidate("a", away, 0.1)], amongTurns, space).find(({ hit }) => hit.position === away)?.score ?? 0;
	const alone = candidate("a", 9, 0.1).score;
	expect(besides(1)).toBeGreaterThan(besides(2));
	expect(besides(2)).toBeGreaterThan(besides(4));
	expect(besides(4)).toBeGreaterThan(alone);
	expect(besides(5)).toBe(alone);
});

test("what was said before counts for more than what is said after", () => {
	const mixed = mixNeighbours([candidate("a", 0, 0.1), candidate("a", 1, 0.5), candidate("a", 2, 0.1)], amongTurns, space);
	expect(idsOf(mixed)).toEqual(["a1", "a2", "a0"]);
});

test("the same place in another document is nobody's neighbour, and one chunk of each document stays as it is", () => {
	const apart = [candidate("a", 0, 0.3), candidate("b", 1, 0.2)];
	expect(mixNeighbours(apart, amongTurns, space)).toBe(apart);
	const mixed = mixNeighbours([candidate("a", 0, 0.3), candidate("a", 1, 0.3), candidate("b", 1, 0.3)], amongTurns, space);
	expect(mixed.find(({ hit }) => hit.document === "b")?.score).toBe(candidate("b", 1, 0.3).score);
});

test("what has nothing in common with the query does not become relevant by its neighbours", () => {
	const all = Array.from({ length: 9 }, (_, i) => candidate("a", i, i === 4 ? 0 : 1));
	expect(mixNeighbours(all, amongTurns, space).find(({ hit }) => hit.position === 4)?.score).toBeLessThan(0.3);
});

test("where documents are the results only the next chunk counts, and less", () => {
	const found = [candidate("a", 0, 0.3), candidate("a", 1, 0.3), candidate("a", 3, 0.3)];
	const [turns, documents] = [amongTurns, amongDocuments].map(
		(mixing) => new Map(mixNeighbours(found, mixing, space).map(({ hit, score }) => [hit.position, score])),
	);
	expect(documents?.get(0)).toBeLessThan(turns?.get(0) ?? 0);
	expect(documents?.get(0)).toBeGreaterThan(candidate("a", 0, 0.3).score);
	expect(documents?.get(3)).toBe(candidate("a", 3, 0.3).score);
});
