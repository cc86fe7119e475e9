/**
 * The score that `/v4/search` shows and compares with its threshold. The order of results is their relevance; the score says how
 * likely it is that the question is answered here at all. The longer a question, the smaller the share of it that the right
 * sentence can contain: at twenty words a right first hit has a relevance of about 0.1, at three words 0.8. What is found for a
 * question about something else falls in the same way, and is close to nothing where little is stored. So 0.6 is put where
 * strangers end, computed from the length of the question and from what else was found, and one threshold serves all questions.
 */

import type { QueryVariant } from "./query-variant.ts";

/**
 * How high the evidence of the best unrelated result is: a constant, plus what most of a word of the question is worth, plus most
 * of what the other results have. Judged by `bun bench/retrieval/score-scale.ts --data FOLDER`, see docs/search.md.
 */
export const noiseFitted: Readonly<Record<"always" | "words" | "rest" | "spread", number>> = {
	always: 0.5,
	words: 4.5,
	rest: 0.8,
	/** In long questions evidence lies closer together, by about the root of their words. */
	spread: 0.7,
};

/** Results from here to there tell what the rest reaches: those before may all be right. */
const restFrom = 3;
const restTo = 10;
/** On so many results, the best, the scale depends. */
export const scaledBy = restTo;
/** `relevance` of what has nothing for it, and anything less. */
const nothing = -4;
/** The threshold of `/v4/search` when a request has none. A first result that is relevant by itself is always above it. */
const line = oddsOf(0.6);
/** Evidence that is relevant by itself: the best counts for at most twice as much, so that what is relevant is shown beside it. */
const plenty = 2 * (line - nothing);

/** From the relevance of a result, and of the first, to what is shown. It never rises as the relevance falls. */
export type ScoreScale = (score: number, first: number) => number;

/**
 * @param variants the first is the question as it was asked
 * @param pools for each kind of result the relevance of each by itself, without what stands around it
 */
export function scoreScale([asked]: readonly QueryVariant[], pools: readonly (readonly number[])[], noise = noiseFitted): ScoreScale {
	const words = Math.max(1, asked?.words.filter(({ weight }) => weight === undefined).length ?? 0);
	const clear = Math.max(...pools.map((scores) => clearness(scores, words, noise)), nothing);
	const spread = Math.max(1, noise.spread * Math.sqrt(words));
	return (score, first) => {
		const share = Math.min(1, evidenceOf(score) / Math.min(plenty, evidenceOf(first)));
		// Half of the first's evidence is at the line: among ten results for a question that is answered, what answers it has more.
		return shareOf(line + spread * clear * (clear > 0 ? 2 * share - 1 : 3 - 2 * share));
	};
}

/** How far the best stands above where strangers end. */
function clearness(scores: readonly number[], words: number, noise: typeof noiseFitted): number {
	const best = scores.toSorted((a, b) => b - a).slice(0, restTo);
	const bar = nothing + noise.always + noise.words / words + noise.rest * restOf(best);
	return oddsOf(best[0] ?? 0) - Math.min(line, bar);
}

/** The mean evidence of the rest, where too few were found as if there were more without any. */
function restOf(best: readonly number[]): number {
	const rest = best.slice(restFrom).map(evidenceOf);
	return rest.reduce((sum, each) => sum + each, 0) / (restTo - restFrom);
}

function evidenceOf(score: number): number {
	return Math.max(1e-9, oddsOf(score) - nothing);
}

/** Kept finite: a score of 0 or 1 is no certainty without end. */
function oddsOf(share: number): number {
	const bounded = Math.min(1 - 1e-9, Math.max(1e-9, share));
	return Math.log(bounded / (1 - bounded));
}

function shareOf(odds: number): number {
	return 1 / (1 + Math.exp(-odds));
}
