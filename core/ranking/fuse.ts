/** Search, step three: several rankings → one, by relevance; what else speaks for a candidate raises it. */

import type { EmbeddingSpace } from "../model/vector.ts";
import type { ChunkHit, Hit } from "../ports/vector-search.ts";
import type { QueryVariant } from "./query-variant.ts";
import { type Evidence, ownWeight, relevance } from "./relevance.ts";

/** Something found, with the evidence for it. */
export interface Candidate<AnyHit> {
	readonly hit: AnyHit;
	/** 0 to 1, see `relevance`. */
	readonly score: number;
	/** What the score was made of, and for which query variant. */
	readonly evidence: Evidence;
	readonly variant: QueryVariant;
}

export interface Ranking<Id, AnyHit> {
	readonly variant: QueryVariant;
	readonly vectorHits: readonly AnyHit[];
	readonly wordHits: readonly AnyHit[];
	/** Of all that either has found; what has no vector in this space is missing. */
	readonly cosines: ReadonlyMap<Id, number>;
}

/** Best first. What several query variants find counts once, with its best score. Equal scores have the order of the ids, so that answers repeat. */
export function fuse<Id extends string, AnyHit extends Hit<Id>>(rankings: readonly Ranking<Id, AnyHit>[], space: EmbeddingSpace): readonly Candidate<AnyHit>[] {
	const best = new Map<Id, Candidate<AnyHit>>();
	for (const { variant, vectorHits, wordHits, cosines } of rankings) {
		const wordScores = new Map(wordHits.map(({ id, score }) => [id, score]));
		for (const hit of [...vectorHits, ...wordHits]) {
			const evidence = { words: wordScores.get(hit.id) ?? 0, cosine: cosines.get(hit.id) ?? null };
			const score = variant.trust * relevance(evidence, space);
			if (score > (best.get(hit.id)?.score ?? -1)) best.set(hit.id, { hit, score, evidence, variant });
		}
	}
	return [...best.values()].sort(byRelevance);
}

/** Best first, each with what else speaks for it. Null leaves a candidate as it is. */
export function withEvidence<AnyHit extends Hit<string>>(
	candidates: readonly Candidate<AnyHit>[],
	more: (candidate: Candidate<AnyHit>) => Partial<Evidence> | null,
	space: EmbeddingSpace,
): readonly Candidate<AnyHit>[] {
	return candidates
		.map((candidate) => {
			const added = more(candidate);
			if (added === null) return candidate;
			const evidence = { ...candidate.evidence, ...added };
			return { ...candidate, evidence, score: candidate.variant.trust * relevance(evidence, space) };
		})
		.sort(byRelevance);
}

export function byRelevance(a: Candidate<Hit<string>>, b: Candidate<Hit<string>>): number {
	return b.score - a.score || (a.hit.id < b.hit.id ? -1 : 1);
}

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

/**
 * Raises the score of chunks near good chunks of the same document, the nearer the more. A turn of a conversation or a piece of a
 * long text says little alone: "Yes, I did." Only chunks that were found count: nothing is read.
 */
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
	const aroundOf = ({ hit }: Candidate<ChunkHit>) => {
		const around = weightAround(hit.position, documents.get(hit.document) ?? new Map(), mixing);
		return around === 0 ? null : { around };
	};
	return withEvidence(candidates, aroundOf, space);
}

function weightAround(position: number, weights: ReadonlyMap<number, number>, { before, after, reach }: Mixing): number {
	if (weights.size === 1) return 0;
	let around = 0;
	for (let away = 1; away <= reach; away++) {
		around += (before * (weights.get(position - away) ?? 0) + after * (weights.get(position + away) ?? 0)) / away;
	}
	return around;
}
