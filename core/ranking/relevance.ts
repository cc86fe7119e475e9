/**
 * One relevance from 0 to 1 that means the same for every query: near-identical text above 0.85, unrelated text below
 * 0.3. It is a logistic curve over the pieces of evidence, so the order by fused evidence and the order by the shown
 * score are the same order.
 */

import { type EmbeddingSpace, nearness } from "../model/vector.ts";

/**
 * How much each piece of evidence counts. A word score of 0.53 (every word of the query once in a text of common length)
 * alone lies well above 0.6; half the words lie below it; the nearness of a question and its answer is worth nearly as much
 * as full words for a model that knows meanings, and for others what their `calibration.weight` leaves of it. Chosen on the
 * development collections, see docs/search.md.
 */
const wordWeight = 10.4;
const nearWeight = 5;
const bias = -4;
/** Every quoted phrase and every identifier of the query stands in the text, letter by letter: worth half of full words. */
const exactWeight = 3;
/** A sentence that has a time or a number in it is not by that an answer: worth as much as one word of eight. */
const kindWeight = 0.8;
/**
 * Every word of the query in the text or around it, against the share that any text covers by words that are a little near: worth as
 * much as full words. From 5 to 12 is as good on eight collections.
 */
const coveredWeight = 8;
const coveredUsual = 0.2;
/** What stands around a text lifts it, but does not make it relevant by itself. */
const aroundMax = 2.5;

export interface Evidence {
	/** `WordSearch` score; 0 when the words did not find it. */
	readonly words: number;
	/** Cosine to the query; null when it has no vector in this space. */
	readonly cosine: number | null;
	/** How much of what the query says to the letter the text holds to the letter, from 0 to 1, see `exactShare`. */
	readonly exact?: number;
	/** How much of the query the text covers, see `coverages`; absent where that was not looked at. */
	readonly covered?: number;
	/** 1 where the text has what the query asks for, such as a time, see `kindAskedFor`. */
	readonly kind?: number;
	/** What the chunks around it count for it, see `mixNeighbours`. */
	readonly around?: number;
}

export function relevance(evidence: Evidence, space: EmbeddingSpace): number {
	const { exact = 0, kind = 0, around = 0, covered = coveredUsual } = evidence;
	const own = ownWeight(evidence, space) + coveredWeight * finite(covered - coveredUsual) + exactWeight * finite(exact) + kindWeight * finite(kind);
	return 1 / (1 + Math.exp(-(own + Math.min(aroundMax, finite(around)) + bias)));
}

/** A score as clients see it, with four digits: no score is more precise. */
export function roundScore(score: number): number {
	return Math.round(score * 10_000) / 10_000;
}

/** What words and vector together say of the text itself: 0 for nothing. */
export function ownWeight({ words, cosine }: Pick<Evidence, "words" | "cosine">, { calibration }: EmbeddingSpace): number {
	const near = cosine === null ? 0 : nearWeight * calibration.weight * nearness(cosine, calibration);
	return wordWeight * finite(words) + finite(near);
}

/** A part that is no number says nothing: one of them would take a result out of every order and past every threshold. */
function finite(part: number): number {
	return Number.isFinite(part) ? part : 0;
}
