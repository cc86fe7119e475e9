/** Search, step three: several rankings → one, by relevance. */

import type { VectorSpace } from "../model/vector.ts";
import type { Hit } from "../ports/vector-index.ts";
import type { Phrasing } from "./phrase.ts";
import { type Evidence, relevance } from "./relevance.ts";

/** Something found, with the evidence for it. */
export interface Candidate<Found> {
	readonly hit: Found;
	/** 0 to 1, see `relevance`. */
	readonly score: number;
	/** What the score was made of, and for which phrasing. */
	readonly evidence: Evidence;
	readonly phrasing: Phrasing;
}

export interface Ranking<Id, Found> {
	readonly phrasing: Phrasing;
	readonly near: readonly Found[];
	readonly worded: readonly Found[];
	/** Of all that either has found; what has no vector in this space is missing. */
	readonly cosines: ReadonlyMap<Id, number>;
}

/** Best first. What several phrasings find counts once, with its best score. Equal scores have the order of the ids, so that answers repeat. */
export function fuse<Id extends string, Found extends Hit<Id>>(rankings: readonly Ranking<Id, Found>[], space: VectorSpace): readonly Candidate<Found>[] {
	const best = new Map<Id, Candidate<Found>>();
	for (const { phrasing, near, worded, cosines } of rankings) {
		const wordScores = new Map(worded.map(({ id, score }) => [id, score]));
		for (const hit of [...near, ...worded]) {
			const evidence = { words: wordScores.get(hit.id) ?? 0, cosine: cosines.get(hit.id) ?? null };
			const score = phrasing.trust * relevance(evidence, space);
			if (score > (best.get(hit.id)?.score ?? -1)) best.set(hit.id, { hit, score, evidence, phrasing });
		}
	}
	return [...best.values()].sort(byRelevance);
}

export function byRelevance(a: Candidate<Hit<string>>, b: Candidate<Hit<string>>): number {
	return b.score - a.score || (a.hit.id < b.hit.id ? -1 : 1);
}
