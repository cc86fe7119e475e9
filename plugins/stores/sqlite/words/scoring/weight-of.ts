/**
 * The weight of a word or gram: the fewer texts have it, the higher. This is the inverse document frequency of BM25 (Robertson &
 * Zaragoza) with 1 added inside the logarithm, so that words of most texts still count: in a store of three texts nearly all are such.
 */

export function weightOf(texts: number, holders: number): number {
	return Math.log(1 + (texts - holders + 0.5) / (holders + 0.5));
}
