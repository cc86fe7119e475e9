/**
 * How much of a query a text covers, word by word. For each word of the query the text's nearest word counts, and for half of it the
 * same word around the text: a sentence seldom repeats what the one before it has named. Words are near by their vectors
 * where the embedder has one for each word; otherwise only the same word is near. BM25 and the vector of the whole text tell neither
 * which words of the query are missing nor what stands beside the text.
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

/** What a word around the text counts beside one of its own. On eight collections all from 0.4 to 0.7 is as good. */
const aroundShare = 0.5;

interface Wanted {
	readonly word: string;
	readonly weight: number;
	/** Null where the embedder has none for single words. */
	readonly vector: Vector | null;
}

interface Read {
	readonly own: readonly number[];
	readonly around: readonly number[];
}

/** @returns for each text from 0, nothing like it, to 1, every word of the query. */
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

/** What a rewriter has added is not what was asked. The fewer of the texts hold a word, and the heavier it is for the embedder, the more it tells. */
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

/** Of each word to each wanted one, one word after the other: 1 for the same, 0 for one that has nothing to do with it, or is not among `own`. */
function nearnessOf(words: readonly string[], own: ReadonlySet<number>, wanted: readonly Wanted[], vectorOf: VectorOfWord | null): Float64Array {
	const near = new Float64Array(words.length * wanted.length);
	for (const number of own) {
		const word = words[number] ?? "";
		let at = number * wanted.length;
		const vector = vectorOf === null ? null : vectorOf(word).vector;
		for (const one of wanted) {
			const isNear = one.word !== word && vector !== null && one.vector !== null;
			near[at++] = isNear ? Math.max(0, dot(one.vector, vector)) : Number(one.word === word);
		}
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

/** Most of the time that a search takes for this. */
function dot(a: Vector, b: Vector): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
	return sum;
}
