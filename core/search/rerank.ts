/** Search, step four: a second opinion on the best candidates. */

import type { Reranker, Step } from "../plugin/contract.ts";

export interface Ranked {
	readonly text: string;
	readonly score: number;
	/** What the reranker said, where it was asked. */
	readonly opinion?: number;
}

/** How much the second opinion counts against the first. Both are needed: the reranker sees only the text. */
const opinionShare = 0.4;

/** Best first. Candidates beyond the reranker's `candidatesMax` keep their score and come after the ones it has seen, unless they score higher. */
export async function rerank<Item extends Ranked>(query: string, items: readonly Item[], reranker: Reranker, step: Step): Promise<readonly Item[]> {
	const seen = items.slice(0, reranker.candidatesMax);
	if (seen.length === 0) return items;
	const opinions = await reranker.score(
		query,
		seen.map(({ text }) => text),
		step,
	);
	const judged = items.map((item, i) => {
		const opinion = opinions[i];
		return opinion === undefined || i >= seen.length ? item : { ...item, opinion, score: (1 - opinionShare) * item.score + opinionShare * opinion };
	});
	return judged
		.map((item, i) => ({ item, i }))
		.sort((a, b) => b.item.score - a.item.score || a.i - b.i)
		.map(({ item }) => item);
}
