/** Search, step three: several rankings → one, by relevance. */

import type { EmbeddingSpace } from "../model/vector.ts";
import type { Hit } from "../ports/vector-search.ts";
import type { QueryVariant } from "./query-variant.ts";
import { type Evidence, relevance } from "./relevance.ts";

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

export function byRelevance(a: Candidate<Hit<string>>, b: Candidate<Hit<string>>): number {
	return b.score - a.score || (a.hit.id < b.hit.id ? -1 : 1);
}
