/**
 * How much of a query a text covers, word by word. For each word of the query the nearest word of the text counts, or for half as much the
 * nearest word around the text, because a sentence seldom repeats what the one before it has named. How near two words are is the cosine of
 * their vectors, if the embedder has a vector for each word; otherwise only equal words are near. BM25 and the vector of the whole text
 * show neither which words of the query are missing nor what is beside the text.
 */

import type { Vector } from "../model/vector.ts";
import type { WordVector } from "../plugin/contract.ts";
import type { SpelledTerm } from "../ports/word-search.ts";
import { createLexicon, type Lexicon } from "./words/lexicon.ts";

export interface SurroundedText {
	readonly own: string;
	readonly around: string;
}

type VectorOfWord = (word: string) => WordVector;

/** How much a word around the text counts, compared with a word of the text. Values from 0.4 to 0.7 are equally good on eight collections. */
const aroundShare = 0.5;

interface Wanted {
	readonly word: string;
	readonly weight: number;
	/** Null if the embedder has no vectors for single words. */
	readonly vector: Vector | null;
}

interface Read {
	readonly own: readonly number[];
	readonly around: readonly number[];
}

/** @returns for each text a number from 0 (it has no word near the query) to 1 (it has every word of the query). */
export function coverages(terms: readonly SpelledTerm[], texts: readonly SurroundedText[], vectorOf: VectorOfWord | null): readonly number[] {
	const lexicon = createLexicon();
	const read = texts.map(({ own, around }) => ({ own: lexicon.read(own), around: lexicon.read(around) }));
	const wanted = wantedOf(terms, read, lexicon, vectorOf);
	const all = wanted.reduce((sum, { weight }) => sum + weight, 0);
	if (!(all > 0)) return texts.map(() => 0);
	const near = nearnessOf(lexicon.words, new Set(read.flatMap(({ own }) => own)), wanted, vectorOf);
	const same = new Map(wanted.map(({ word }, i) => [lexicon.words.indexOf(word), i]));
	return read.map(({ own, around }) => {
		const reached = new Float64Array(wanted.length);
		for (const word of own) raise(reached, near, word * wanted.length);
		for (const word of around) {
			const i = same.get(word);
			if (i !== undefined) reached[i] = Math.max(reached[i] ?? 0, aroundShare);
		}
		return wanted.reduce((sum, { weight }, i) => sum + weight * (reached[i] ?? 0), 0) / all;
	});
}

/** The words of the query with their weights, without words that a rewriter has added. A word weighs more if few of the texts have it, and if the embedder gives it more weight. */
function wantedOf(terms: readonly SpelledTerm[], texts: readonly Read[], lexicon: Lexicon, vectorOf: VectorOfWord | null): readonly Wanted[] {
	const asked = terms.filter(({ weight }) => weight === undefined);
	return asked.map(({ word, emphasis = 1 }) => {
		const number = lexicon.words.indexOf(word);
		const holders = number < 0 ? 0 : texts.filter(({ own }) => own.includes(number)).length;
		const rarity = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
		const { vector, weight } = vectorOf === null ? { vector: null, weight: 1 } : vectorOf(word);
		return { word, weight: emphasis * rarity * weight, vector };
	});
}

/** How near each word is to each wanted word, a row for each word: 1 for the same word; 0 for an unrelated word, or one that is not in `own`. */
function nearnessOf(words: readonly string[], own: ReadonlySet<number>, wanted: readonly Wanted[], vectorOf: VectorOfWord | null): Float64Array {
	const near = new Float64Array(words.length * wanted.length);
	const cosines = vectorOf === null ? null : cosinesWith(wanted.map(({ vector }) => vector));
	for (const number of own) {
		const word = words[number] ?? "";
		const found = vectorOf === null ? null : cosines?.(vectorOf(word).vector);
		const from = number * wanted.length;
		for (const [i, one] of wanted.entries()) near[from + i] = one.word === word ? 1 : Math.max(0, found?.[i] ?? 0);
	}
	return near;
}

/** @param from where the word's row begins */
function raise(reached: Float64Array, near: Float64Array, from: number): void {
	for (let i = 0; i < reached.length; i++) {
		const by = near[from + i] ?? 0;
		if (by > (reached[i] ?? 0)) reached[i] = by;
	}
}

const atOnce = 4;

/**
 * @returns a function for the cosines of a unit vector with each of these. It always returns the same array, with new contents. These sums
 * take most of the time of computing coverage; four of them at a time are faster, because the processor adds them in parallel.
 */
function cosinesWith(vectors: readonly (Vector | null)[]): (vector: Vector) => Float64Array {
	const dimensions = vectors.find((vector) => vector !== null)?.length ?? 0;
	const cosines = new Float64Array(Math.ceil(vectors.length / atOnce) * atOnce);
	const packed = new Float32Array(cosines.length * dimensions);
	for (const [i, vector] of vectors.entries()) {
		const from = (i - (i % atOnce)) * dimensions + (i % atOnce);
		for (let at = 0; at < dimensions; at++) packed[from + at * atOnce] = vector?.[at] ?? 0;
	}
	return (vector) => {
		for (let i = 0; i < cosines.length; i += atOnce) fillFour(cosines, i, vector, packed, i * dimensions);
		return cosines;
	};
}

/** @param packed four vectors, beginning at `from`: the first number of each, then the second of each, and so on */
function fillFour(cosines: Float64Array, at: number, vector: Vector, packed: Vector, from: number): void {
	let [first, second, third, fourth] = [0, 0, 0, 0];
	for (let i = 0, next = from; i < vector.length; i++, next += atOnce) {
		const number = vector[i] ?? 0;
		first += number * (packed[next] ?? 0);
		second += number * (packed[next + 1] ?? 0);
		third += number * (packed[next + 2] ?? 0);
		fourth += number * (packed[next + 3] ?? 0);
	}
	cosines[at] = first;
	cosines[at + 1] = second;
	cosines[at + 2] = third;
	cosines[at + 3] = fourth;
}
