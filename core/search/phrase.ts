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
	for (const rewriter of rewriters) {
		const rewritings = await rewriter.rewrite(query, step);
		texts.push(...rewritings.filter((text) => text.trim() !== "" && text.length <= limits.queryCharactersMax));
	}
	const distinct = [...new Set(texts)].slice(0, limits.queryRewritingsMax + 1);
	const vectors = await embedTexts(distinct, embedder, "query", step);
	return distinct.flatMap((text, i) => {
		const vector = vectors[i];
		return vector === undefined ? [] : [{ text, words: soughtWords(text, limits.queryWordsMax), vector, trust: i === 0 ? 1 : rewritingTrust }];
	});
}
