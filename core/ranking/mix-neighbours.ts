/**
 * Raises the score of chunks near good chunks of the same document, the nearer the more. A turn of a conversation or a piece of a
 * long text says little alone: "Yes, I did."
 */

import type { EmbeddingSpace } from "../model/vector.ts";
import type { ChunkHit } from "../ports/vector-search.ts";
import { byRelevance, type Candidate } from "./fuse.ts";
import { ownWeight, relevance } from "./relevance.ts";

export interface Mixing {
	/** What the chunk right before counts of its own weight, and the one right after; the second counts half of that, the third a third. */
	readonly before: number;
	readonly after: number;
	readonly reach: number;
}

/**
 * Where chunks are the results, the turn that was meant is looked for, and turns go on about one thing for a while. What was
 * said before tells more of what a turn is about than what is said after it: an answer does not repeat the question.
 */
export const amongTurns: Mixing = { before: 0.35, after: 0.25, reach: 4 };
/** Where documents are the results their best chunk counts, and more would put long documents before short ones. */
export const amongDocuments: Mixing = { before: 0.1, after: 0.1, reach: 1 };

/** Best first. Only chunks that were found count: nothing is read. */
export function mixNeighbours(candidates: readonly Candidate<ChunkHit>[], mixing: Mixing, space: EmbeddingSpace): readonly Candidate<ChunkHit>[] {
	const documents = new Map<string, Map<number, number>>();
	for (const { hit, evidence } of candidates) {
		const weights = documents.get(hit.document);
		// What is far from the query says nothing against its neighbours.
		const weight = Math.max(0, ownWeight(evidence, space));
		if (weights === undefined) documents.set(hit.document, new Map([[hit.position, weight]]));
		else weights.set(hit.position, weight);
	}
	if (documents.size === candidates.length) return candidates;
	return candidates
		.map((candidate) => {
			const around = weightAround(candidate.hit.position, documents.get(candidate.hit.document) ?? new Map(), mixing);
			if (around === 0) return candidate;
			const evidence = { ...candidate.evidence, around };
			return { ...candidate, evidence, score: candidate.variant.trust * relevance(evidence, space) };
		})
		.sort(byRelevance);
}

function weightAround(position: number, weights: ReadonlyMap<number, number>, { before, after, reach }: Mixing): number {
	if (weights.size === 1) return 0;
	let around = 0;
	for (let away = 1; away <= reach; away++) {
		around += (before * (weights.get(position - away) ?? 0) + after * (weights.get(position + away) ?? 0)) / away;
	}
	return around;
}
