/**
 * One relevance from 0 to 1 that means the same for every query: near-identical text above 0.85, unrelated text below
 * 0.3. It is a logistic curve over the two pieces of evidence, so the order by fused evidence and the order by the shown
 * score are the same order.
 */

import { affinity, type VectorSpace } from "../model/vector.ts";

/**
 * How much each piece of evidence counts. A word score of 0.45 (every word of the query once in a text of common length)
 * alone lies well above 0.6; half the words lie below it; the full affinity of a model that knows meanings is worth about
 * as much as full words.
 */
const wordWeight = 12;
const affinityWeight = 6.5;
const bias = -4;

export interface Evidence {
	/** `WordIndex` score; 0 when the words did not find it. */
	readonly words: number;
	/** Cosine to the query; null when it has no vector in this space. */
	readonly cosine: number | null;
}

export function relevance({ words, cosine }: Evidence, space: VectorSpace): number {
	const near = cosine === null ? 0 : affinity(cosine, space.calibration) * space.calibration.weight;
	return 1 / (1 + Math.exp(-(wordWeight * words + affinityWeight * near + bias)));
}
