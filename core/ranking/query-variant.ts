/** One way to ask a query: the client's own words, or a rewriting of them. */

import type { Vector } from "../model/vector.ts";
import type { SpelledTerm } from "../ports/word-search.ts";

export interface QueryVariant {
	readonly text: string;
	readonly words: readonly SpelledTerm[];
	/** Null when the embedder does not answer: then its words have to do. */
	readonly vector: Vector | null;
	/** 1 for what the client wrote, less for a rewriting: it may miss the point. */
	readonly trust: number;
}
