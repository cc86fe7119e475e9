/** The plugins that take part in a search: embedders, query rewriters and rerankers. */

import type { EmbeddingSpace, Vector } from "../../model/vector.ts";
import type { Step } from "./step.ts";

/** Returns one unit vector for each text, in order. */
export interface Embedder {
	readonly name: string;
	readonly space: EmbeddingSpace;
	/** The greatest number of texts in one call. */
	readonly batchMax: number;
	/** The languages that it supports, as ISO 639-1 codes; absent if unknown. A query in another language gets a hint. */
	readonly languages?: readonly string[];
	/** For each text, whether the embedder reads all of it; a longer text is truncated. Absent if every chunk fits. */
	readonly fits?: (texts: readonly string[], step: Step) => Promise<readonly boolean[]>;
	/** The vector of one word, as `indexWords` returns it. Only for embedders with a table of words, since a search needs about a thousand. */
	readonly wordVector?: (word: string) => WordVector;
	readonly embed: (texts: readonly string[], purpose: "document" | "query", step: Step) => Promise<readonly Vector[]>;
}

export interface WordVector {
	/** A unit vector. */
	readonly vector: Vector;
	/** How much the word counts in the vector of a text: more for words that show the subject of the text. */
	readonly weight: number;
}

/** Returns one score from 0 to 1 for each candidate, in order. Core sorts. */
export interface Reranker {
	readonly name: string;
	readonly candidatesMax: number;
	readonly score: (query: string, candidates: readonly string[], step: Step) => Promise<readonly number[]>;
}

/** A word that is not in the query but has a similar meaning to one that is. */
export interface RelatedWord {
	readonly word: string;
	/** Its weight relative to the client's words, from 0 to 1. */
	readonly weight: number;
}

/** Returns further query variants. Core always searches for the client's query too. */
export interface QueryRewriter {
	readonly name: string;
	/** Set if it uses `step.model`; it is called only if a model is configured. Searches wait for it briefly; the next search uses a late result. */
	readonly asksModel?: true;
	readonly rewrite: (query: string, step: Step) => Promise<readonly string[]>;
	/** Further words for the word search, in addition to the client's. They are searched together with the client's words. */
	readonly related?: (query: string, step: Step) => Promise<readonly RelatedWord[]>;
}
