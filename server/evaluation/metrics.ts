/** Metrics of a ranking: nDCG@10, recall@k and MRR@10. */

export interface Quality {
	readonly ndcg: number;
	readonly recall: number;
	readonly reciprocalRank: number;
}

/** The cut-off of nDCG and MRR, and of recall by default. */
export const depth = 10;

/** @param relevant the relevance grade of documents by id; missing ones have 0 */
export function qualityOf(ranked: readonly string[], relevant: ReadonlyMap<string, number>, recallDepth: number = depth): Quality {
	const top = ranked.slice(0, depth);
	const gains = top.map((id) => relevant.get(id) ?? 0);
	const idealGains = [...relevant.values()].filter((gain) => gain > 0).sort((a, b) => b - a);
	if (idealGains.length === 0) return { ndcg: 0, recall: 0, reciprocalRank: 0 };
	const firstRelevant = gains.findIndex((gain) => gain > 0);
	return {
		ndcg: discountedGain(gains) / discountedGain(idealGains.slice(0, depth)),
		recall: ranked.slice(0, recallDepth).filter((id) => (relevant.get(id) ?? 0) > 0).length / idealGains.length,
		reciprocalRank: firstRelevant < 0 ? 0 : 1 / (firstRelevant + 1),
	};
}

export function meanQuality(qualities: readonly Quality[]): Quality {
	const mean = (value: (quality: Quality) => number) =>
		qualities.length === 0 ? 0 : qualities.reduce((sum, quality) => sum + value(quality), 0) / qualities.length;
	return { ndcg: mean(({ ndcg }) => ndcg), recall: mean(({ recall }) => recall), reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank) };
}

/** Discounted cumulative gain after Järvelin & Kekäläinen (2002), with the grade as gain. */
function discountedGain(gains: readonly number[]): number {
	return gains.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}
