/** Step three of a search: joins several rankings into one by relevance, and raises candidates that further evidence supports. */

import type { EmbeddingSpace } from "../model/vector.ts";
import type { ChunkHit, Hit } from "../ports/vector-search.ts";
import type { QueryVariant } from "./query-variant.ts";
import { type Evidence, ownWeight, relevance } from "./relevance.ts";

/** A hit with the evidence for it. */
export interface Candidate<AnyHit> {
	readonly hit: AnyHit;
	/** 0 to 1, see `relevance`. */
	readonly score: number;
	/** What the score is computed from, and for which query variant. */
	readonly evidence: Evidence;
	readonly variant: QueryVariant;
}

export interface Ranking<Id, AnyHit> {
	readonly variant: QueryVariant;
	readonly vectorHits: readonly AnyHit[];
	readonly wordHits: readonly AnyHit[];
	/** The cosines of all hits; a hit without a vector in this space is left out. */
	readonly cosines: ReadonlyMap<Id, number>;
}

/** Best first. What several query variants find is kept once, with its best score. Equal scores are sorted by id, so that results are repeatable. */
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

/** Adds evidence to candidates and scores them again, best first. @param more the further evidence for a candidate; null for none. */
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
	/** The share of its weight that the chunk right before adds, and the one right after; the second chunk adds half of it, the third a third. */
	readonly before: number;
	readonly after: number;
	readonly reach: number;
}

/**
 * For searches whose results are chunks, such as turns of a conversation, which stay on one subject for a while. The turns before say more
 * about the subject of a turn than those after it, because an answer does not repeat the question.
 */
export const amongTurns: Mixing = { before: 0.35, after: 0.25, reach: 4 };
/** For searches whose results are documents. Their best chunk counts; with greater shares, long documents would come before short ones. */
export const amongDocuments: Mixing = { before: 0.1, after: 0.1, reach: 1 };

/**
 * Raises the scores of chunks that are near good chunks of the same document, because a turn of a conversation or a piece of a long text
 * says little alone: "Yes, I did." Only chunks that were found count; nothing is read.
 */
export function mixNeighbours(candidates: readonly Candidate<ChunkHit>[], mixing: Mixing, space: EmbeddingSpace): readonly Candidate<ChunkHit>[] {
	const documents = new Map<string, Map<number, number>>();
	for (const { hit, evidence } of candidates) {
		const weights = documents.get(hit.document);
		// A chunk that is far from the query does not lower the scores of its neighbours.
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
