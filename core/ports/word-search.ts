/** Full text search over one organisation. */

import type { ChunkId, MemoryId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import type { ChunkHit, Hit, MemoryFilter } from "./vector-search.ts";

/** A word of a query with its spelling, so that the index can also find other forms and correct typing errors. */
export interface SpelledTerm {
	/** The word as `indexWords` returns it. */
	readonly word: string;
	/** The word in lower case with its accents; null in scripts without spaces, in which words are not stemmed or corrected. */
	readonly spelled: string | null;
	/**
	 * The weight of a word that the client did not write, relative to the client's words, from 0 to 1. Such words do not raise the greatest
	 * possible score. Absent for the client's words.
	 */
	readonly weight?: number;
	/** A factor for the weight of a word that the query repeats, at least 1, see `emphasisOf`. Absent for 1. */
	readonly emphasis?: number;
}

/**
 * What to search for. A string is a word as `indexWords` returns it and matches only that word. A term with its spelling can also match by
 * stems of other languages and by its grams.
 */
export type QueryTerm = string | SpelledTerm;

/**
 * Returns only published chunks and visible memories, best first. The words of queries and texts are determined by `readWords` in
 * `core/ranking/words/`.
 *
 * `score` is BM25 (k1 0.9, b 0.75, with 20 words added to every length, see `toleranceOf`) divided by the greatest possible value for the
 * query, which is the sum of its words' weights times k1 + 1. So it is from 0 to 1 and means the same for every query; it is about 0.53 for
 * a text of average length that has every word of the query once. Word frequencies and the average length are those of all texts of this
 * organisation, including staged texts, texts set aside and texts out of scope. Texts of other organisations have no effect on scores.
 *
 * For query terms with a spelling
 * - a text matches a word if it contains the word itself or one of its `otherTerms`, which are marked with a language, in the languages of
 *   the organisation's texts; the frequency is that of the most frequent of these terms;
 * - a word that no text contains is replaced by the spellings nearest to it (`nearSpelling`) among those that share a gram with it, with a
 *   lower weight; only the first `meantMax` such words of a query are replaced;
 * - `weight` multiplies what the word adds to the score, but the greatest possible value stays the same;
 * - `emphasis` multiplies the weight of the word and of its grams, both in the score and in the greatest possible value;
 * - the final score is the score of the words plus `gramShare` times the score of the grams (`queryGramsOf`), divided by 1 + `gramShare`.
 *   For grams, lengths and frequencies are counted in grams, and 100 grams are added to every length. Only texts that the words have found
 *   are returned; if there are very many, only the best by words are scored by grams.
 *
 * Without `waitMs` all texts are searched. `waitMs` is for callers that cannot wait until all new texts are indexed: the texts that are
 * indexed are searched, and the others are indexed in the background from now on. The latest published documents are indexed first, and the
 * beginnings of documents before their ends, so that a small document is found at once whatever else was added. After this time the
 * search returns what was found so far, which may be nothing.
 *
 * `onCandidates` is told which chunks may be found before the store has said which of them exist and are in scope, so that the caller can look
 * up more about them meanwhile. It need not be called.
 */
export interface WordSearch {
	readonly matchChunks: (
		words: readonly QueryTerm[],
		scope: Scope,
		limit: number,
		waitMs?: number,
		onCandidates?: (ids: readonly ChunkId[]) => void,
	) => Promise<Matched<ChunkHit>>;
	readonly matchMemories: (words: readonly QueryTerm[], memoryFilter: MemoryFilter, limit: number, waitMs?: number) => Promise<Matched<Hit<MemoryId>>>;
}

export interface Matched<Found> {
	readonly hits: readonly Found[];
	/** Whether all texts were searched. */
	readonly isWhole: boolean;
}
