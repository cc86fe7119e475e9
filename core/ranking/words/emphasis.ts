/**
 * How often a word counts that a query repeats. BM25 counts each repetition, or damps it by a constant (Robertson et al. 1994).
 * A short question repeats a word for its grammar: "how long does a transfer take, my transfer is late". A long one repeats its
 * subject. So the damping gets weaker as the query gets longer.
 */

/** A query of so many different words counts every repetition in full, one of half as many a quarter of it. Chosen as docs/search.md says. */
const fullFrom = 20;

/** @param times how often the query says the word @param words how many different words it is searched by */
export function emphasisOf(times: number, words: number): number {
	return 1 + (times - 1) * Math.min(1, (words / fullFrom) ** 2);
}
