/**
 * The score that memory search shows and compares with its threshold. A memory is one sentence: the longer the question, the
 * smaller the share of it that the right memory can contain. At twenty words a right first hit has a relevance of about 0.1, at
 * three words 0.8. The relevance of unrelated memories falls in the same way, and is close to nothing in a container with few
 * memories. So 0.6 is put where unrelated memories end, computed from the length of the question and from the scores of the
 * rest of the container, and one threshold serves all questions.
 */

import type { QueryVariant } from "./query-variant.ts";

/**
 * How high the evidence of the best unrelated memory is: a constant, plus what nearly one and a half words of the question are
 * worth, plus most of what the other memories have. Fitted by `bun bench/retrieval/memory-scale.ts --data FOLDER`, which
 * maximises the smallest share and the mean of right first hits shown and unrelated best hits dropped, in large and in small
 * containers. With other questions and groups it chooses words between 6 and 8.5 and rest between 0.8 and 0.95; these values lie
 * in between.
 */
export const noiseFitted: Readonly<Record<"always" | "words" | "rest" | "spread", number>> = {
	always: 0.4,
	words: 7.5,
	rest: 0.8,
	/** In long questions evidence lies closer together, by about the root of their words. */
	spread: 0.7,
};

/** Results from here to there tell what the rest reaches: those before may all be right. */
const restFrom = 3;
const restTo = 10;
/** On the scores of so many memories, the best, the scale depends. */
export const scaledBy = restTo;
/** `relevance` of what has nothing for it, and anything less. */
const nothing = -4;
/** The threshold of memory search when a request has none. A memory that is relevant by itself is always above it. */
const line = oddsOf(0.6);

/** From a relevance to what is shown. It never falls: the order of results stays as it is. */
export type MemoryScale = (score: number) => number;

/** @param variants the first is the question as it was asked @param scores of all memories that were found, best first */
export function memoryScale([asked]: readonly QueryVariant[], scores: readonly number[], noise = noiseFitted): MemoryScale {
	const words = Math.max(1, asked?.words.filter(({ weight }) => weight === undefined).length ?? 0);
	const bar = nothing + noise.always + noise.words / words + noise.rest * restOf(scores);
	const spread = Math.max(1, noise.spread * Math.sqrt(words));
	return (score) => shareOf(line + spread * (oddsOf(score) - Math.min(line, bar)));
}

/** The mean evidence of the rest, where too few were found as if there were more without any. */
function restOf(scores: readonly number[]): number {
	const rest = scores.slice(restFrom, restTo).map((score) => Math.max(0, oddsOf(score) - nothing));
	return rest.reduce((sum, each) => sum + each, 0) / (restTo - restFrom);
}

/** Kept finite: a score of 0 or 1 is no certainty without end. */
function oddsOf(share: number): number {
	const bounded = Math.min(1 - 1e-9, Math.max(1e-9, share));
	return Math.log(bounded / (1 - bounded));
}

function shareOf(odds: number): number {
	return 1 / (1 + Math.exp(-odds));
}
