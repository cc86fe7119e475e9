/** Search, step four: a second opinion on the best candidates. */

import { asServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Reranker, Step } from "../plugin/contract.ts";

export interface Ranked {
	readonly text: string;
	readonly score: number;
	/** The word score that is in it; absent where it is not known. */
	readonly words?: number;
	/** What the reranker said, where it was asked. */
	readonly opinion?: number;
}

/** How much the second opinion counts against the first. Both are needed: the reranker sees only the text. */
const opinionShare = 0.3;
/** What a yes or a no without any doubt is worth on the scale of evidence, where the first opinion reaches from -4 to about 5. */
const opinionWeight = 4;
/** Where a reranker takes words back it takes them from this on, the word score of a common answer, so that scores stay where they were. */
const wordsUsual = 0.47;
/** A score of 1 is no certainty without end. */
const certain = 1e-4;

/** Best first. Candidates beyond the reranker's `candidatesMax` keep their score and come after the ones it has seen, unless they score higher. */
export async function rerank<Item extends Ranked>(query: string, items: readonly Item[], reranker: Reranker, step: Step): Promise<readonly Item[]> {
	const seen = items.slice(0, reranker.candidatesMax);
	if (seen.length === 0) return items;
	const opinions = await opinionsOf(query, seen, reranker, step);
	const judged = items.map((item, i) => {
		const opinion = opinions[i] ?? Number.NaN;
		return !Number.isFinite(opinion) || i >= seen.length ? item : { ...item, opinion, score: withOpinion(item.score, opinion, repeated(item, reranker)) };
	});
	return judged
		.map((item, i) => ({ item, i }))
		.sort((a, b) => b.item.score - a.item.score || a.i - b.i)
		.map(({ item }) => item);
}

/** None while the reranker is away: the order stays what it was. */
async function opinionsOf(query: string, seen: readonly Ranked[], reranker: Reranker, step: Step): Promise<readonly number[]> {
	const texts = seen.map(({ text }) => text);
	const late = AbortSignal.timeout(limits.rerankTimeoutMs);
	try {
		const opinions = await reranker.score(query, texts, { ...step, signal: AbortSignal.any([step.signal, late]) });
		if (opinions.every(Number.isFinite)) return opinions;
		step.log("error", "a search is not reranked: the reranker answers scores that are no numbers", { reranker: reranker.name });
		return [];
	} catch (thrown) {
		if (step.signal.aborted || !(late.aborted || asServiceError(thrown).mayPass)) throw thrown;
		step.log("warn", "a search is not reranked: the reranker does not answer", { reranker: reranker.name, reason: String(thrown) });
		return [];
	}
}

/** What the opinion says again of the first one, on the scale of evidence. */
export function repeated({ words = wordsUsual }: Pick<Ranked, "words">, { wordsRepeated = 0 }: Pick<Reranker, "wordsRepeated">): number {
	return wordsRepeated * (words - wordsUsual);
}

/** Evidence is added where it is evidence, before the curve that makes a share of it: near 0 and 1 the curve is flat. */
export function withOpinion(score: number, opinion: number, said = 0): number {
	const bounded = Math.min(1 - certain, Math.max(certain, score));
	const first = Math.log(bounded / (1 - bounded));
	const second = opinionWeight * (2 * opinion - 1);
	return 1 / (1 + Math.exp(-((1 - opinionShare) * (first - said) + opinionShare * second)));
}
