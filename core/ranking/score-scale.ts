/**
 * The score that `/v4/search` shows and compares with its threshold. Results are ordered by relevance; the score says how likely it is that
 * the stored texts answer the question at all. The longer a question, the smaller the share of it that the right sentence can contain: a
 * right first result has a relevance of about 0.1 for a question of twenty words, and of 0.8 for three words. The relevance of unrelated
 * results falls in the same way, and is close to 0 if little is stored. So the score 0.6 is given to the relevance that unrelated results
 * just do not reach. It is computed from the length of the question and from the other results. This way one threshold
 * fits all questions.
 */

import type { QueryVariant } from "./query-variant.ts";

/** How much evidence the best unrelated result is expected to have. The terms are added. */
export interface Noise {
	/** The same for every question. */
	readonly always: number;
	/** For a question of one word; a question of ten words has a tenth of it. */
	readonly words: number;
	/** Times the mean evidence of the results after the first ones. */
	readonly rest: number;
	/** A result with this share of the first result's evidence gets the score 0.6, if the first is above the line. */
	readonly depth: number;
}

/**
 * A memory is one sentence, and an unrelated one misleads. So no memory reaches 0.6 if the best has no more evidence than unrelated ones
 * have; otherwise half of its evidence is enough for the others. A chunk has many sentences, and the one that answers may share no word
 * with the question. A line that excludes unrelated chunks would exclude a third of the right answers to everyday questions, so the line
 * for chunks is below all that is found. Measured with `bun bench/retrieval/score-scale.ts --data FOLDER`, see docs/search.md.
 */
export const noiseFitted: Readonly<Record<"memory" | "chunk", Noise>> = {
	memory: { always: 0.5, words: 4.5, rest: 0.8, depth: 0.5 },
	chunk: { always: -1, words: 0, rest: 0, depth: 0 },
};
/** The longer a question, the smaller the differences in evidence: about by the square root of its number of words. */
const closeness = 0.7;

/** The results at these ranks show what unrelated results reach. All results before them may be right. */
const restFrom = 3;
const restTo = 10;
/** The log-odds of a result without any evidence, see `relevance`. */
const nothing = -4;
/** The score at the line, which is the default threshold of `/v4/search`. If the relevance of the first result is above this, its score is too. */
const lineShare = 0.6;
const line = oddsOf(lineShare);
/**
 * How fast the score of the first result approaches 1 above the line, as the share of right answers does. For the results after it, the part
 * of the score above the line is multiplied by their share of the first's evidence, raised to the power `behindFirst`: only a fifth of the
 * results with nearly as much evidence as the first answer the question. See docs/search.md.
 */
const nearlySure = 6;
const behindFirst = 3;
/** The first result counts with at most this much evidence, which is twice the evidence at the line. So relevant results after a very good first one are still shown. */
const plenty = 2 * (line - nothing);

/** The score to show for a relevance, given the relevance of the first result. A lower relevance never has a higher score. */
export type ScoreScale = (score: number, first: number) => number;

/**
 * @param variants the first is the question as it was asked
 * @param found by kind of result, the relevance of each result without the evidence of the texts around it
 */
export function scoreScale([asked]: readonly QueryVariant[], found: Readonly<Record<"memory" | "chunk", readonly number[]>>, noise = noiseFitted): ScoreScale {
	const words = Math.max(1, asked?.words.filter(({ weight }) => weight === undefined).length ?? 0);
	const clear = Math.max(clearness(found.memory, words, noise.memory), clearness(found.chunk, words, noise.chunk));
	const { depth } = found.chunk.length === 0 ? noise.memory : noise.chunk;
	const spread = Math.max(1, closeness * Math.sqrt(words));
	return (score, first) => {
		const share = Math.min(1, evidenceOf(score) / evidenceOf(first));
		const enough = Math.min(1, evidenceOf(score) / Math.min(plenty, evidenceOf(first)));
		const fallen = (1 - enough) / (1 - depth);
		const odds = line + spread * clear * (clear > 0 ? 1 - fallen : 1 + fallen);
		// For a question of one word the score of the first result is its relevance.
		if (odds <= line || words === 1) return shareOf(odds);
		const likely = 1 - Math.exp((-spread * clear) / nearlySure);
		return lineShare + (1 - lineShare) * likely * (1 - fallen) * share ** behindFirst;
	};
}

/** How far the best result is above the line; negative if it is below. */
function clearness(scores: readonly number[], questionWords: number, { always, words, rest }: Noise): number {
	const best = scores.toSorted((a, b) => b - a).slice(0, restTo);
	const bar = nothing + always + words / questionWords + rest * restOf(best);
	return oddsOf(best[0] ?? 0) - Math.min(line, bar);
}

/** The mean evidence of the results from `restFrom` to `restTo`. Missing results count as results without evidence. */
function restOf(best: readonly number[]): number {
	const rest = best.slice(restFrom).map(evidenceOf);
	return rest.reduce((sum, each) => sum + each, 0) / (restTo - restFrom);
}

function evidenceOf(score: number): number {
	return Math.max(1e-9, oddsOf(score) - nothing);
}

/** The share is bounded, so that 0 and 1 have finite log-odds. */
function oddsOf(share: number): number {
	const bounded = Math.min(1 - 1e-9, Math.max(1e-9, share));
	return Math.log(bounded / (1 - bounded));
}

function shareOf(odds: number): number {
	return 1 / (1 + Math.exp(-odds));
}
