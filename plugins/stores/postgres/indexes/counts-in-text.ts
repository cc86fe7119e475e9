/** Counts of terms in a text as bytes: four of each term's number and its count. Written when a text is put, read when a search has found it. */

import type { WordEntry } from "cairn-memory";
import { isGramTerm } from "cairn-memory/words";
import type { Term } from "./word-terms.ts";

/** More of a term in one text is as good as this for finding it; to score it, the text is read. */
const countMax = 255;
const shortBytes = 4;

export type CountedText = Pick<WordEntry, "terms" | "words" | "grams">;

/** Four bytes of a number, by which a count is found in a text: a term that a text lacks may share them with one that it has, see docs/adr/0034. */
export function shortOf(term: Term): string {
	return BigInt.asUintN(8 * shortBytes, BigInt(term))
		.toString(16)
		.padStart(2 * shortBytes, "0");
}

/** Terms by `shortOf`, in the words of PostgreSQL. A byte at the end is behind whatever may be found. */
export function countedSql(counts: readonly (readonly [short: string, count: number])[]): string {
	return `\\x${counts.map(([short, count]) => short + Math.min(count, countMax).toString(16).padStart(2, "0")).join("")}00`;
}

/** As a search reads them. */
export interface CountedRow {
	readonly id: string;
	readonly counted: Uint8Array;
	/** Null for what an older server has put. */
	readonly counted_grams: Uint8Array | null;
	readonly word_length: number;
	readonly gram_length: number;
}

/** The columns of a `CountedRow` besides its id, about 3,000 bytes. */
export const countedColumns = "counted, counted_grams, word_length, gram_length";

/** @returns for a row: how often the text holds those of the terms that it has; null if the row does not say so exactly */
export function countsReader(terms: readonly string[], numberOf: (term: string) => Term): (row: CountedRow) => CountedText | null {
	const wanted = wantedTerms(terms, numberOf);
	const hasGrams = terms.some(isGramTerm);
	return ({ counted, counted_grams, word_length, gram_length }) => {
		if (hasGrams && counted_grams === null) return null;
		const found = new Map<string, number>();
		const isExact = [counted, ...(counted_grams === null ? [] : [counted_grams])].every((bytes) => readInto(found, bytes, wanted));
		return isExact ? { terms: found, words: word_length, grams: gram_length } : null;
	};
}

interface WantedTerms {
	readonly byShort: ReadonlyMap<number, string>;
	/** 1 for the first two bytes of each. A search compares some 20,000 numbers with its hundred, and this spares it the look into the map: 0.05 ms instead of 1.3. */
	readonly beginnings: Uint8Array;
}

function wantedTerms(terms: readonly string[], numberOf: (term: string) => Term): WantedTerms {
	const byShort = new Map(terms.map((term) => [Number.parseInt(shortOf(numberOf(term)), 16), term]));
	const beginnings = new Uint8Array(2 ** 16);
	for (const short of byShort.keys()) beginnings[short >>> 16] = 1;
	return { byShort, beginnings };
}

/** @returns whether no count is larger than a byte says */
function readInto(found: Map<string, number>, bytes: Uint8Array, { byShort, beginnings }: WantedTerms): boolean {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	for (let at = 0; at + shortBytes < bytes.byteLength - 1; at += shortBytes + 1) {
		if (beginnings[view.getUint16(at)] === 0) continue;
		const term = byShort.get(view.getUint32(at));
		if (term === undefined) continue;
		const count = bytes[at + shortBytes] ?? 0;
		if (count >= countMax) return false;
		found.set(term, count);
	}
	return true;
}
