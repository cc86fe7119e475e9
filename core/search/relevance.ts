/**
 * One relevance from 0 to 1 that means the same for every query: near-identical text above 0.85, unrelated text below
 * 0.3. It is a logistic curve over the pieces of evidence, so the order by fused evidence and the order by the shown
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
/** Every quoted phrase and every identifier of the query stands in the text, letter by letter: worth half of full words. */
const exactWeight = 3;
/** What stands around a text lifts it, but does not make it relevant by itself. */
const aroundMax = 2.5;

export interface Evidence {
	/** `WordIndex` score; 0 when the words did not find it. */
	readonly words: number;
	/** Cosine to the query; null when it has no vector in this space. */
	readonly cosine: number | null;
	/** How much of what the query says to the letter the text holds to the letter, from 0 to 1, see `exactShare`. */
	readonly exact?: number;
	/** What the chunks around it count for it, see `mixNeighbours`. */
	readonly around?: number;
}

export function relevance(evidence: Evidence, space: VectorSpace): number {
	const { exact = 0, around = 0 } = evidence;
	return 1 / (1 + Math.exp(-(ownWeight(evidence, space) + exactWeight * exact + Math.min(aroundMax, around) + bias)));
}

/** What words and vector together say of the text itself: 0 for nothing. */
export function ownWeight({ words, cosine }: Pick<Evidence, "words" | "cosine">, { calibration }: VectorSpace): number {
	const near = cosine === null ? 0 : affinity(cosine, calibration) * calibration.weight;
	return wordWeight * words + affinityWeight * near;
}
