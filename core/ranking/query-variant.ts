/** One wording of a query: the client's own, or a rewriting of it. */

import type { Vector } from "../model/vector.ts";
import type { SpelledTerm } from "../ports/word-search.ts";

export interface QueryVariant {
	readonly text: string;
	readonly words: readonly SpelledTerm[];
	/** Null if the embedder does not respond; then only the words are searched. */
	readonly vector: Vector | null;
	/** 1 for the client's wording, less for a rewriting, which may have another meaning. */
	readonly trust: number;
}
