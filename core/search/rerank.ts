/** Step four of a search: a reranker scores the best candidates. */

import { asServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Reranker, Step } from "../plugin/contract.ts";

export interface Ranked {
	readonly text: string;
	readonly score: number;
	/** The reranker's score, if it was asked. */
	readonly opinion?: number;
}

/** The share of the reranker's score in the new one. The first score counts too, because the reranker sees only the text. */
const opinionShare = 0.3;
/** The evidence of a reranker's score of 1; a score of 0 has the same as negative evidence. The evidence of a first score is from -4 to about 5. */
const opinionWeight = 4;
/** Scores are kept this far from 0 and 1, so that their log-odds are finite. */
const certain = 1e-4;

/** Best first. Candidates beyond the reranker's `candidatesMax` keep their score. Equal scores keep their order; so do all without a reranker. */
export async function rerank<Item extends Ranked>(query: string, items: readonly Item[], reranker: Reranker | null, step: Step): Promise<readonly Item[]> {
	if (reranker === null) return items;
	const seen = items.slice(0, reranker.candidatesMax);
	if (seen.length === 0) return items;
	const opinions = await opinionsOf(query, seen, reranker, step);
	const scored = items.map((item, i) => {
		const opinion = opinions[i] ?? Number.NaN;
		return !Number.isFinite(opinion) || i >= seen.length ? item : { ...item, opinion, score: withOpinion(item.score, opinion) };
	});
	return scored
		.map((item, i) => ({ item, i }))
		.sort((a, b) => b.item.score - a.item.score || a.i - b.i)
		.map(({ item }) => item);
}

/** Empty if the reranker does not answer; the order then stays as it is. */
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

/** Joins both scores. They are added as log-odds, because near 0 and 1 a sum of shares would hardly change. */
export function withOpinion(score: number, opinion: number): number {
	const bounded = Math.min(1 - certain, Math.max(certain, score));
	const first = Math.log(bounded / (1 - bounded));
	const second = opinionWeight * (2 * opinion - 1);
	return 1 / (1 + Math.exp(-((1 - opinionShare) * first + opinionShare * second)));
}
