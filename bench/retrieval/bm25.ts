/**
 * The yardstick: plain BM25 (k1 1.2, b 0.75; Robertson & Zaragoza 2009) over Porter stems without stop words. It shares
 * nothing with Cairn's word index, so that a fault in one shows against the other. A group has statistics of its own.
 */

import { stemmer } from "stemmer";
import { byGroup, type Collection, type Question, wholeText } from "../../server/evaluation/collection.ts";

export type Rank = (question: Question) => readonly string[];

const k1 = 1.2;
const b = 0.75;
const shown = 100;

/** The English list of NLTK, without apostrophes. */
const stopWords = new Set(
	"a about above after again against all am an and any are aren as at be because been before being below between both but by can cannot could couldn did didn do does doesn doing don down during each few for from further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll me more most mustn my myself no nor not now of off on once only or other our ours ourselves out over own re s same shan she should shouldn so some such t than that the their theirs them themselves then there these they this those through to too under until up ve very was wasn we were weren what when where which while who whom why will with won would wouldn you your yours yourself yourselves d m o".split(
		" ",
	),
);

interface Postings {
	readonly texts: number[];
	readonly counts: number[];
}

interface Index {
	readonly ids: readonly string[];
	readonly lengths: readonly number[];
	readonly averageLength: number;
	readonly words: ReadonlyMap<string, Postings>;
}

export function bm25({ documents }: Collection): Rank {
	const indexes = new Map<string, Index>();
	for (const [group, attachments] of byGroup(documents)) {
		const ids = attachments.map(({ id }) => id);
		indexes.set(group, build(ids, attachments.map(wholeText)));
	}
	return ({ text, group }) => {
		const index = indexes.get(group ?? "");
		return index === undefined ? [] : rank(index, wordsOf(text));
	};
}

function build(ids: readonly string[], texts: readonly string[]): Index {
	const words = new Map<string, Postings>();
	const lengths: number[] = [];
	for (const [i, text] of texts.entries()) {
		const counts = new Map<string, number>();
		const all = wordsOf(text);
		for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
		for (const [word, count] of counts) {
			const postings = words.get(word) ?? { texts: [], counts: [] };
			postings.texts.push(i);
			postings.counts.push(count);
			words.set(word, postings);
		}
		lengths.push(all.length);
	}
	return { ids, lengths, averageLength: lengths.reduce((sum, length) => sum + length, 0) / lengths.length, words };
}

/** A word that the question repeats counts as often. Equal scores keep the order of the documents. */
function rank({ ids, lengths, averageLength, words }: Index, asked: readonly string[]): readonly string[] {
	const scores = new Float64Array(ids.length);
	for (const word of asked) {
		const postings = words.get(word);
		if (postings === undefined) continue;
		const weight = Math.log(1 + (ids.length - postings.texts.length + 0.5) / (postings.texts.length + 0.5));
		for (const [i, text] of postings.texts.entries()) {
			const count = postings.counts[i] ?? 0;
			const tolerance = k1 * (1 - b + (b * (lengths[text] ?? 0)) / averageLength);
			scores[text] = (scores[text] ?? 0) + (weight * count * (k1 + 1)) / (count + tolerance);
		}
	}
	const found = [...ids.keys()].filter((text) => (scores[text] ?? 0) > 0).sort((x, y) => (scores[y] ?? 0) - (scores[x] ?? 0) || x - y);
	return found.slice(0, shown).map((text) => ids[text] ?? "");
}

function wordsOf(text: string): readonly string[] {
	const plain = text.toLowerCase().replaceAll("’", "'").replaceAll("'s ", " ");
	return [...plain.matchAll(/[a-z0-9]+/g)].flatMap(([word]) => (stopWords.has(word) ? [] : [stemmer(word)]));
}
