/**
 * Terms as numbers: a hash of 64 bits that begins with the collection, so that a list of texts in the index is one collection's. Among the
 * million terms of a large collection two share a number once in a billion years of making it anew.
 */

import type { WordEntry } from "cairn-memory";
import { gramsOf, isGramTerm } from "cairn-memory/words";
import { countedSql } from "./counts-in-text.ts";

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

export function storedEntry({ id, terms, words, grams, spelled, containerTags }: WordEntry, numbers: TermNumbers): StoredEntry {
	const numbered = (areGrams: boolean) =>
		[...terms].filter(([term]) => isGramTerm(term) === areGrams).map(([term, count]) => [numbers.of(term), count] as const);
	const [counted, countedGrams] = [numbered(false), numbered(true)];
	return {
		id,
		terms: listOf([...counted.map(([number]) => number), ...new Set(containerTags.map(numbers.ofTag))]),
		counted: countedSql(counted),
		grams: listOf(countedGrams.map(([number]) => number)),
		counted_grams: countedSql(countedGrams),
		spelled,
		word_length: words,
		gram_length: grams,
	};
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
