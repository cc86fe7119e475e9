/** Full text search over one organisation. */

import type { MemoryId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import type { ChunkHit, Hit, MemoryReach } from "./vector-index.ts";

/**
 * Answers only what is published and alive, best first. The words are those of `indexWords` in `core/search/words.ts`,
 * on both sides. `score` is BM25 (k1 1.2, b 0.75; Robertson & Zaragoza 2009) divided by the greatest value the query
 * could reach, the sum of its words' weights times k1 + 1: from 0 to 1, about 0.45 for a text of common length that
 * holds every word of the query once, so it means the same for every query. How rare a word
 * is and how long a text usually is are counted over this organisation alone, so that nothing another one stores moves a
 * score; counted are all its texts, also those that are staged, set aside or out of scope.
 */
export interface WordIndex {
	readonly matchChunks: (words: readonly string[], scope: Scope, limit: number) => Promise<readonly ChunkHit[]>;
	readonly matchMemories: (words: readonly string[], reach: MemoryReach, limit: number) => Promise<readonly Hit<MemoryId>[]>;
}
