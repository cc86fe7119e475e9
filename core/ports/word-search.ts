/** Full text search over one organisation. */

import type { MemoryId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import type { ChunkHit, Hit, MemoryFilter } from "./vector-search.ts";

/** A word of a query with its spelling, so that the index can try what else it may stand for. */
export interface SpelledTerm {
	/** As `indexWords` gives it. */
	readonly word: string;
	/** In lower case with its accents; null in scripts without spaces, where nothing is stemmed or mistyped. */
	readonly spelled: string | null;
	/** What it counts beside the words of the client, from 0 to 1: they alone make a full score. Absent for theirs. */
	readonly weight?: number;
	/** How often it counts because the query repeats it, from 1, see `emphasisOf`; absent for once. */
	readonly emphasis?: number;
}

/**
 * What to look for. A plain string is a word as `indexWords` gives it, and nothing else; a query term with its spelling
 * may also be found by a stem of another language, and counts by its grams.
 */
export type QueryTerm = string | SpelledTerm;

/**
 * Answers only what is published and alive, best first. Both sides read texts with `readWords` in `core/ranking/words/`.
 * `score` is BM25 (k1 0.9, b 0.75, with 20 words added to every length, see `toleranceOf`) divided by the greatest value
 * the query could reach, the sum of its words' weights times k1 + 1: from 0 to 1, about 0.53 for a text of common length
 * that holds every word of the query once, so it means the same for every query. How rare a word is and how long a text
 * usually is are counted over this organisation alone, so that nothing another one stores moves a score; counted are all
 * its texts, also those that are staged, set aside or out of scope.
 *
 * For query terms with a spelling
 * - a word is held by a text that has it or, marked, one of `otherTerms` in the languages of the organisation's texts;
 *   it counts there as often as the term that is there most;
 * - a word that no text holds is taken for the spellings nearest to it (`nearSpelling`) among those that share a gram with
 *   it, and counts so much less; only the first `meantMax` such words are;
 * - where it says `weight`, it adds so much of its own weight, and what could be reached stays as it was;
 * - where it says `emphasis`, its weight is multiplied by it, in what it adds and in what could be reached, and so are the
 *   weights of its grams;
 * - the score is that of the words plus `gramShare` times the same of `queryGramsOf`, divided by 1 + `gramShare`. How long
 *   a text is there, and how rare a gram, is counted in grams, of which 100 are added. Only texts that the words have found are answered, and of
 *   a great many only the best by words are looked at.
 */
export interface WordSearch {
	readonly matchChunks: (words: readonly QueryTerm[], scope: Scope, limit: number) => Promise<readonly ChunkHit[]>;
	readonly matchMemories: (words: readonly QueryTerm[], memoryFilter: MemoryFilter, limit: number) => Promise<readonly Hit<MemoryId>[]>;
	/**
	 * The same for callers that cannot wait until all texts are read: the answer comes from the texts that are read, and the others are
	 * read from now on in the background. What was published last is read first, and of a document its beginning, so that a small one
	 * is found at once whatever else was added. After `waitMs` the answer is what was found so far, which may be nothing.
	 */
	readonly matchChunksWithin: (waitMs: number, ...asked: Parameters<WordSearch["matchChunks"]>) => Promise<Matched<ChunkHit>>;
	readonly matchMemoriesWithin: (waitMs: number, ...asked: Parameters<WordSearch["matchMemories"]>) => Promise<Matched<Hit<MemoryId>>>;
}

export interface Matched<Found> {
	readonly hits: readonly Found[];
	/** Whether all texts were read. */
	readonly isWhole: boolean;
}
