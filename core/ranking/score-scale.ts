/**
 * The score that `/v4/search` shows and compares with its threshold. The order of results is their relevance; the score says how
 * likely it is that the question is answered here at all. The longer a question, the smaller the share of it that the right
 * sentence can contain: at twenty words a right first hit has a relevance of about 0.1, at three words 0.8. What is found for a
 * question about something else falls in the same way, and is close to nothing where little is stored. So 0.6 is put where
 * strangers end, computed from the length of the question and from what else was found, and one threshold serves all questions.
 */

import type { QueryVariant } from "./query-variant.ts";

/** How high the evidence of the best unrelated result is, and what stands behind the first. */
export interface Noise {
	readonly always: number;
	/** What a question of one word adds; one of ten words a tenth of it. */
	readonly words: number;
	/** The share of what the other results have. */
	readonly rest: number;
	/** The share of the first's evidence that a result at the line has. */
	readonly depth: number;
}

/**
 * A memory is one sentence, and one for another question misleads: nothing is shown where the best has no more evidence than strangers.
 * Where it has, half of it is enough.
 * A chunk holds many sentences, of which the one that answers may share no word with the question: a line that kept strangers out
 * would keep out a third of what answers everyday questions, so all that was found is above it. Judged by `bun bench/retrieval/score-scale.ts --data FOLDER`, see docs/search.md.
 */
export const noiseFitted: Readonly<Record<"memory" | "chunk", Noise>> = {
	memory: { always: 0.5, words: 4.5, rest: 0.8, depth: 0.5 },
	chunk: { always: -1, words: 0, rest: 0, depth: 0 },
};
/** In long questions evidence lies closer together, by about the root of their words. */
const closeness = 0.7;

/** Results from here to there tell what the rest reaches: those before may all be right. */
const restFrom = 3;
const restTo = 10;
/** `relevance` of what has nothing for it, and anything less. */
const nothing = -4;
/** The threshold of `/v4/search` when a request has none. A first result that is relevant by itself is always above it. */
const lineShare = 0.6;
const line = oddsOf(lineShare);
/**
 * Above the line the score approaches 1 by this slope, as the share of right answers does. It falls back towards the line with this power of
 * the evidence that a result has beside the first: of results with nearly as much, a fifth answers the question. See docs/search.md.
 */
const nearlySure = 6;
const behindFirst = 3;
/** Evidence that is relevant by itself: the best counts for at most twice as much, so that what is relevant is shown beside it. */
const plenty = 2 * (line - nothing);

/** From the relevance of a result, and of the first, to what is shown. It never rises as the relevance falls. */
export type ScoreScale = (score: number, first: number) => number;

/**
 * @param variants the first is the question as it was asked
 * @param found of each kind of result the relevance of each by itself, without what stands around it
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
		// A question of one word has the relevance of its first result.
		if (odds <= line || words === 1) return shareOf(odds);
		const likely = 1 - Math.exp((-spread * clear) / nearlySure);
		return lineShare + (1 - lineShare) * likely * (1 - fallen) * share ** behindFirst;
	};
}

/** How far the best stands above where strangers end. */
function clearness(scores: readonly number[], questionWords: number, { always, words, rest }: Noise): number {
	const best = scores.toSorted((a, b) => b - a).slice(0, restTo);
	const bar = nothing + always + words / questionWords + rest * restOf(best);
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
