/** Parts of a search: embedders, query rewriters, rerankers. */

import type { EmbeddingSpace, Vector } from "../../model/vector.ts";
import type { Step } from "./step.ts";

/** Answers one vector per text, in the order of the texts, of unit length. */
export interface Embedder {
	readonly name: string;
	readonly space: EmbeddingSpace;
	/** The most texts one call takes. */
	readonly batchMax: number;
	/** The languages its vectors understand, as ISO 639-1 codes; absent where unknown. A query in another language gets a hint. */
	readonly languages?: readonly string[];
	/** For each text, whether the embedder reads it to its end, by its own count; longer texts are truncated. Absent where every chunk fits. */
	readonly fits?: (texts: readonly string[], step: Step) => Promise<readonly boolean[]>;
	/** Of one word as `indexWords` gives it. Only for embedders that have a table of words, for a search asks for a thousand. */
	readonly wordVector?: (word: string) => WordVector;
	readonly embed: (texts: readonly string[], purpose: "document" | "query", step: Step) => Promise<readonly Vector[]>;
}

export interface WordVector {
	/** Of unit length. */
	readonly vector: Vector;
	/** How much the word counts in the vector of a text: more for words that tell what it is about. */
	readonly weight: number;
}

/** Answers one score from 0 to 1 per candidate, in the order of the candidates. Core sorts. */
export interface Reranker {
	readonly name: string;
	readonly candidatesMax: number;
	/**
	 * How much of what the word index says the opinion says again, with more to it: so much of a word score of 1 is taken back,
	 * on the scale of evidence where full words reach about 5. Absent for nothing.
	 */
	readonly wordsRepeated?: number;
	readonly score: (query: string, candidates: readonly string[], step: Step) => Promise<readonly number[]>;
}

/** A word that is not in the query but means much the same as one that is. */
export interface RelatedWord {
	readonly word: string;
	/** What it counts beside the words of the client, from 0 to 1. */
	readonly weight: number;
}

/** Answers further query variants. Core always keeps the one the client wrote. */
export interface QueryRewriter {
	readonly name: string;
	/** It asks `step.model`, and is called only where there is one. No search waits long for it: what comes later is for the next time. */
	readonly asksModel?: true;
	readonly rewrite: (query: string, step: Step) => Promise<readonly string[]>;
	/** Words that the word leg looks for beside those of the client's query: they cost no search of their own. */
	readonly related?: (query: string, step: Step) => Promise<readonly RelatedWord[]>;
}
