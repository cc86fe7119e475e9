/** Search, step one: the query and its rewritings → phrasings with words and a vector each. */

import { limits } from "../model/limits.ts";
import type { Vector } from "../model/vector.ts";
import { embedTexts } from "../pipeline/embed.ts";
import type { Embedder, QueryRewriter, Step } from "../plugin/contract.ts";
import type { SoughtWord } from "../ports/word-index.ts";
import { soughtWords } from "./words/sought-words.ts";

export interface Phrasing {
	readonly text: string;
	readonly words: readonly SoughtWord[];
	readonly vector: Vector;
	/** 1 for what the client wrote, less for a rewriting: it may miss the point. */
	readonly trust: number;
}

const rewritingTrust = 0.9;

export async function phrase(query: string, rewriters: readonly QueryRewriter[], embedder: Embedder, step: Step): Promise<readonly Phrasing[]> {
	const texts = [query];
	const related: SoughtWord[] = [];
	for (const rewriter of rewriters) {
		const rewritings = await rewriter.rewrite(query, step);
		texts.push(...rewritings.filter((text) => text.trim() !== "" && text.length <= limits.queryCharactersMax));
		for (const { word, weight } of (await rewriter.related?.(query, step)) ?? []) related.push(...weighed(word, weight));
	}
	const distinct = [...new Set(texts)].slice(0, limits.queryRewritingsMax + 1);
	const vectors = await embedTexts(distinct, embedder, "query", step);
	return distinct.flatMap((text, i) => {
		const vector = vectors[i];
		const words = [...soughtWords(text, limits.queryWordsMax), ...(i === 0 ? related : [])].slice(0, limits.queryWordsMax);
		return vector === undefined ? [] : [{ text, words, vector, trust: i === 0 ? 1 : rewritingTrust }];
	});
}

function weighed(word: string, weight: number): readonly SoughtWord[] {
	return soughtWords(word, limits.queryWordsMax).map((sought) => ({ ...sought, weight: Math.min(1, Math.max(0, weight)) }));
}
