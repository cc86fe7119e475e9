/** Step one of a search: makes query variants, each with words and a vector, of the query and its rewritings. */

import { asServiceError } from "../errors/fail.ts";
import { withinTime } from "../language/within-time.ts";
import { limits } from "../model/limits.ts";
import type { Vector } from "../model/vector.ts";
import type { Embedder, QueryRewriter, Step } from "../plugin/contract.ts";
import type { SpelledTerm } from "../ports/word-search.ts";
import type { QueryVariant } from "../ranking/query-variant.ts";
import { queryTermsOf } from "../ranking/words/query-terms.ts";
import { embedTexts } from "../runtime/embed-texts.ts";

const rewritingTrust = 0.9;

export async function queryVariants(query: string, rewriters: readonly QueryRewriter[], embedder: Embedder, step: Step): Promise<readonly QueryVariant[]> {
	const texts = [query];
	const related: SpelledTerm[] = [];
	for (const rewriter of rewriters) {
		const rewritings = await rewritingsBy(rewriter, query, step);
		texts.push(...rewritings.filter((text) => text.trim() !== "" && text.length <= limits.queryCharactersMax));
		for (const { word, weight } of (await rewriter.related?.(query, step)) ?? []) related.push(...weighed(word, weight));
	}
	const distinct = [...new Set(texts)].slice(0, limits.queryRewritingsMax + 1);
	const vectors = await vectorsOf(distinct, embedder, step);
	return distinct.map((text, i) => {
		const words = [...queryTermsOf(text, limits.queryWordsMax), ...(i === 0 ? related : [])].slice(0, limits.queryWordsMax);
		return { text, words, vector: vectors[i] ?? null, trust: i === 0 ? 1 : rewritingTrust };
	});
}

/** Empty if the embedder is unavailable or too slow; the search then uses words alone and does not wait. */
async function vectorsOf(texts: readonly string[], embedder: Embedder, step: Step): Promise<readonly Vector[]> {
	const late = AbortSignal.timeout(limits.queryEmbedTimeoutMs);
	try {
		return await embedTexts(texts, embedder, "query", { ...step, signal: AbortSignal.any([step.signal, late]) });
	} catch (thrown) {
		if (step.signal.aborted || !(late.aborted || asServiceError(thrown).mayPass)) throw thrown;
		step.log("warn", "a search is answered by words alone: the embedder does not answer", { embedder: embedder.name, reason: String(thrown) });
		return [];
	}
}

function weighed(word: string, weight: number): readonly SpelledTerm[] {
	// NaN counts as 0.
	const bounded = weight > 0 ? Math.min(1, weight) : 0;
	return queryTermsOf(word, limits.queryWordsMax).map((term) => ({ ...term, weight: bounded }));
}

/** A rewriter that uses the language model has little time. If it fails, the search goes on without it. */
async function rewritingsBy(rewriter: QueryRewriter, query: string, step: Step): Promise<readonly string[]> {
	if (rewriter.asksModel !== true) return rewriter.rewrite(query, step);
	if (step.model === undefined) return [];
	try {
		return (await withinTime(limits.modelRewriteTimeoutMs, step.signal, () => rewriter.rewrite(query, step))) ?? [];
	} catch (thrown) {
		if (step.signal.aborted) throw thrown;
		step.log("debug", "a query is not rewritten by the language model", { reason: thrown instanceof Error ? thrown.message : String(thrown) });
		return [];
	}
}
