/**
 * How much each word of a query weighs. BM25 after Robertson & Zaragoza, with one added inside the logarithm, so that a
 * word which most texts hold still weighs something: in a store of three texts nearly every word is one.
 *
 * The counts are those of the whole table. With several organisations they mix, which shifts scores a little; hits never
 * mix. What is staged and not yet published is counted as well.
 */

import type { Connection } from "./connection.ts";

export type WordTable = "chunk_words" | "memory_words";

export interface Weighted {
	readonly word: string;
	/** How many texts hold it. */
	readonly holders: number;
	/** FTS5's own score for the word times this is the word's part of the score from 0 to 1. */
	readonly factor: number;
}

const k1 = 1.2; // FTS5's, not to be changed

/** From so many texts on, a word that more than half of them hold is left out: it says little and costs the most. */
const commonFrom = 2_000;

const countTables = { chunk_words: "chunk_word_counts", memory_words: "memory_word_counts" } as const satisfies Record<WordTable, string>;

/** Only words that some text holds: the others have no hits, but raise what could have been reached. */
export function weighWords(statement: Connection["statement"], table: WordTable, words: readonly string[]): readonly Weighted[] {
	const texts = countTexts(statement, table);
	const counted = [...new Set(words)].map((word) => ({ word, holders: countHolders(statement, table, word) }));
	const telling = counted.filter(({ holders }) => texts < commonFrom || holders * 2 <= texts);
	const used = telling.some(({ holders }) => holders > 0) ? telling : counted;
	const greatest = used.reduce((sum, { holders }) => sum + weightOf(texts, holders), 0) * (k1 + 1);
	return used
		.filter(({ holders }) => holders > 0)
		.map(({ word, holders }) => ({ word, holders, factor: weightOf(texts, holders) / ftsWeightOf(texts, holders) / greatest }));
}

function weightOf(texts: number, holders: number): number {
	return Math.log(1 + (texts - holders + 0.5) / (holders + 0.5));
}

/** The weight FTS5 gives a word, with its floor for common ones: `fts5Bm25GetData` in fts5_aux.c. */
function ftsWeightOf(texts: number, holders: number): number {
	const weight = Math.log((texts - holders + 0.5) / (holders + 0.5));
	return weight > 0 ? weight : 1e-6;
}

function countHolders(statement: Connection["statement"], table: WordTable, word: string): number {
	return statement<{ doc: number }>(`SELECT doc FROM ${countTables[table]} WHERE term = ?`).get(word)?.doc ?? 0;
}

/** The averages record of FTS5 begins with the number of rows; counting them would take a walk through the table. */
function countTexts(statement: Connection["statement"], table: WordTable): number {
	const record = statement<{ block: Uint8Array }>(`SELECT block FROM ${table}_data WHERE id = 1`).get()?.block;
	return record === undefined ? 0 : firstVarint(record);
}

/** SQLite's: seven bits a byte, the greatest first; the high bit says that more follow. */
function firstVarint(bytes: Uint8Array): number {
	let value = 0;
	for (const byte of bytes.subarray(0, 8)) {
		value = value * 128 + (byte & 127);
		if (byte < 128) break;
	}
	return value;
}
