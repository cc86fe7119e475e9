/**
 * Terms as numbers: a hash of 64 bits that begins with the collection, so that a list of texts in the index is one collection's. Among the
 * million terms of a large collection two share a number once in a billion years of making it anew.
 */

import type { WordEntry } from "cairn-memory";
import { gramsOf, isGramTerm } from "cairn-memory/words";
import { countedSql, shortOf } from "./counts-in-text.ts";

/** A signed number of 64 bits, as PostgreSQL writes it. */
export type Term = string;

/** No term has a space. */
const tagMark = " ";
const mark = "_";

export interface TermNumbers {
	readonly of: (term: string) => Term;
	readonly ofTag: (tag: string) => Term;
}

export function termNumbers(collection: number): TermNumbers {
	const seed = BigInt(collection);
	const of = (term: string) => String(BigInt.asIntN(64, Bun.hash.xxHash64(term, seed)));
	return { of, ofTag: (tag) => of(tagMark + tag) };
}

/** A list in the words of PostgreSQL. */
export function listOf(terms: readonly Term[]): string {
	return `{${terms.join(",")}}`;
}

/** The same in a statement that is asked once: PostgreSQL knows then how rare they are. */
export function arraySql(terms: readonly Term[]): string {
	return `'${listOf(terms)}'::bigint[]`;
}

export interface StoredEntry {
	readonly id: string;
	readonly terms: string;
	/** The short number of each term with its count, and a byte at the end. */
	readonly counted: string;
	readonly grams: string;
	/** As `counted`. */
	readonly counted_grams: string;
	readonly spelled: readonly string[];
	readonly word_length: number;
	readonly gram_length: number;
}

/** What a page of texts puts. */
export interface StoredPage {
	readonly entries: readonly StoredEntry[];
	/** How many of its texts hold each term, by number. */
	readonly holders: ReadonlyMap<Term, number>;
	readonly spellings: readonly StoredSpelling[];
}

/** Texts have most of their terms in common, so each is hashed and written in digits once a page. */
export function storedPage(entries: readonly WordEntry[], numbers: TermNumbers): StoredPage {
	const known = new Map<string, NumberedTerm>();
	const numbered = (term: string) => {
		const found = known.get(term) ?? numberedTerm(term, numbers);
		if (found.holders++ === 0) known.set(term, found);
		return found;
	};
	const stored = entries.map((entry) => storedEntry(entry, numbered));
	const holders = new Map<Term, number>();
	for (const { number, holders: more } of known.values()) holders.set(number, (holders.get(number) ?? 0) + more);
	return { entries: stored, holders, spellings: spellingsOf(entries, numbers) };
}

interface NumberedTerm {
	readonly number: Term;
	readonly short: string;
	readonly isGram: boolean;
	holders: number;
}

function numberedTerm(term: string, numbers: TermNumbers): NumberedTerm {
	const number = numbers.of(term);
	return { number, short: shortOf(number), isGram: isGramTerm(term), holders: 0 };
}

function storedEntry({ id, terms, words, grams, spelled, containerTags }: WordEntry, numbered: (term: string) => NumberedTerm): StoredEntry {
	const [inWords, inGrams] = [countedTerms(), countedTerms()];
	for (const [term, count] of terms) {
		const { number, short, isGram } = numbered(term);
		const { numbers, counted } = isGram ? inGrams : inWords;
		numbers.push(number);
		counted.push([short, count]);
	}
	const tags = [...new Set(containerTags)].map((tag) => numbered(tagMark + tag).number);
	return {
		id,
		terms: listOf([...inWords.numbers, ...tags]),
		counted: countedSql(inWords.counted),
		grams: listOf(inGrams.numbers),
		counted_grams: countedSql(inGrams.counted),
		spelled,
		word_length: words,
		gram_length: grams,
	};
}

function countedTerms(): { readonly numbers: Term[]; readonly counted: [short: string, count: number][] } {
	return { numbers: [], counted: [] };
}

export interface StoredSpelling {
	readonly word: string;
	readonly holders: number;
	readonly grams: string;
}

/** The spelled words of a page with the number of its texts that have them, and their grams. */
export function spellingsOf(entries: readonly WordEntry[], numbers: TermNumbers): readonly StoredSpelling[] {
	const holders = new Map<string, number>();
	for (const { spelled } of entries) for (const word of new Set(spelled)) holders.set(word, (holders.get(word) ?? 0) + 1);
	const gramsIn = (word: string) => new Set(gramsOf(word.slice(mark.length, -mark.length)).map(numbers.of));
	return Array.from(holders, ([word, count]) => ({ word, holders: count, grams: listOf([...gramsIn(word)]) }));
}
