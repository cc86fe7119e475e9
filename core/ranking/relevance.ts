/**
 * The relevance of a candidate, from 0 to 1. It means the same for every query: nearly identical texts have more than 0.85, unrelated texts
 * less than 0.3. It is a logistic function of the sum of the evidence, so the order by evidence is the order by the score that clients see.
 */

import { type EmbeddingSpace, nearness } from "../model/vector.ts";

/**
 * How much each piece of evidence counts. A word score of 0.53 (every word of the query once in a text of average length) alone gives well
 * over 0.6, and half of the words give less. The nearness of a question and its answer counts nearly as much as all words, times the
 * `calibration.weight` of the embedder. Chosen on the development collections, see docs/search.md.
 */
const wordWeight = 10.4;
const nearWeight = 5;
const bias = -4;
/** For a text with all exact parts of the query: half as much as all words. */
const exactWeight = 3;
/** For a text with a time or a number that the query asks for: as much as one word of eight, because that alone is no answer. */
const kindWeight = 0.8;
/**
 * For a text that covers the whole query, compared with the usual share, which any text covers by words of slightly similar meaning: as much
 * as all words. Values from 5 to 12 are equally good on eight collections.
 */
const coveredWeight = 8;
const coveredUsual = 0.2;
/** Chunks around a text raise its score, but do not make it relevant by themselves. */
const aroundMax = 2.5;

/**
 * Where the best chunk of a search of documents has less before the reranker, nothing that was found answers the query. Chosen on one half
 * of the questions of ten collections so that no more than one in a hundred answered ones is below it. On the other half, which had been
 * seen by then, 0.5 % are, and 1.7 % in chats, see docs/search.md.
 */
export const noiseBelow = 0.06;

export interface Evidence {
	/** The score of `WordSearch`; 0 if it did not find the text. */
	readonly words: number;
	/** Its cosine to the query; null if it has no vector in this space. */
	readonly cosine: number | null;
	/** The share of the exact parts of the query that the text has, from 0 to 1, see `exactShare`. */
	readonly exact?: number;
	/** How much of the query the text covers, see `coverages`; absent if that was not computed. */
	readonly covered?: number;
	/** 1 if the text has what the query asks for, such as a time, see `kindAskedFor`. */
	readonly kind?: number;
	/** What the chunks around it add, see `mixNeighbours`. */
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

/** The evidence of words and vector for the text itself; 0 for none. */
export function ownWeight({ words, cosine }: Pick<Evidence, "words" | "cosine">, { calibration }: EmbeddingSpace): number {
	const near = cosine === null ? 0 : nearWeight * calibration.weight * nearness(cosine, calibration);
	return wordWeight * finite(words) + finite(near);
}

/** NaN and infinity count as 0. Otherwise a result with one of them would have no place in the order and pass every threshold. */
function finite(part: number): number {
	return Number.isFinite(part) ? part : 0;
}
