/**
 * How much a word or gram tells by how few texts have it. BM25 after Robertson & Zaragoza, with one added inside the
 * logarithm, so that what most texts hold still weighs something: in a store of three texts nearly every word is such.
 */

export function weightOf(texts: number, holders: number): number {
	return Math.log(1 + (texts - holders + 0.5) / (holders + 0.5));
}
