/**
 * Has PostgreSQL count its tables anew when an index has doubled. By itself it does so minutes after many texts were added, and until then
 * it joins them as if there were few, which takes searches many times as long.
 */

import type { PostgresConnection } from "../connection.ts";

const tables = "documents, chunks, chunk_vectors, memories, memory_vectors, index_collections, word_entries, word_terms, word_spellings";
const firstAt = 200;

/** @returns a function that is told how many texts there are, and returns at once. */
export function statisticsKeeper(alone: PostgresConnection["alone"]): (texts: number) => void {
	let next = firstAt;
	return (texts) => {
		if (texts < next) return;
		next = 2 * texts;
		// It only makes searches faster, and PostgreSQL will do it in time.
		alone(`ANALYZE ${tables}`).catch(() => undefined);
	};
}
