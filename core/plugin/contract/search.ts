/** Parts of a search: embedders, query rewriters, rerankers. */

import type { EmbeddingSpace, Vector } from "../../model/vector.ts";
import type { Step } from "./step.ts";

/** Returns one unit vector for each text, in order. */
export interface Embedder {
	readonly name: string;
	readonly space: EmbeddingSpace;
	/** The most texts one call takes. */
	readonly batchMax: number;
	/** The languages its vectors understand, as ISO 639-1 codes; absent where unknown. A query in another language gets a hint. */
	readonly languages?: readonly string[];
	/** For each text, whether the embedder reads it to its end, by its own count; longer texts are truncated. Absent where every chunk fits. */
	readonly fits?: (texts: readonly string[], step: Step) => Promise<readonly boolean[]>;
	readonly embed: (texts: readonly string[], purpose: "document" | "query", step: Step) => Promise<readonly Vector[]>;
}

/** Returns one score from 0 to 1 for each candidate, in order. Core sorts. */
export interface Reranker {
	readonly name: string;
	readonly candidatesMax: number;
	/**
	 * How much of the word score this reranker already includes: so much is subtracted for a word score of 1, on the evidence scale,
	 * where a full word score is about 5. Absent for 0.
	 */
	readonly wordsRepeated?: number;
	readonly score: (query: string, candidates: readonly string[], step: Step) => Promise<readonly number[]>;
}

/** A word that is not in the query but means much the same as one that is. */
export interface RelatedWord {
	readonly word: string;
	/** Its weight relative to the client's words, from 0 to 1. */
	readonly weight: number;
}

/** Returns further query variants. Core always keeps the client's own. */
export interface QueryRewriter {
	readonly name: string;
	/** It uses `step.model`, and is called only with one. Searches wait for it briefly; a late result is used by the next search. */
	readonly asksModel?: true;
	readonly rewrite: (query: string, step: Step) => Promise<readonly string[]>;
	/** Further words for the word search, besides the client's; they need no search of their own. */
	readonly related?: (query: string, step: Step) => Promise<readonly RelatedWord[]>;
}
