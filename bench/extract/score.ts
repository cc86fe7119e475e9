/** How well a text that was read agrees with the one that was expected: words, their order, headings, table cells, letters. */

import { cellsOf, headingsOf, lettersOf, wordsOf } from "./plain-text.ts";

/** All from 0 to 1. Null where the expected text has nothing of the kind. */
export interface Score {
	/** Words in any order. */
	readonly bagF1: number;
	/** Words in their order: twice the longest common subsequence by both lengths. */
	readonly orderF1: number;
	readonly headingF1: number | null;
	readonly cellF1: number | null;
	/** Letters to change, by those expected; only asked for where words come from pixels. */
	readonly cer: number | null;
}

/** Nothing was read, or it failed. */
export function nothing(isOcr: boolean): Score {
	return { bagF1: 0, orderF1: 0, headingF1: 0, cellF1: 0, cer: isOcr ? 1 : null };
}

/** Longer texts are compared up to here: the order-aware measure grows with the product of both lengths. */
const wordsMax = 40_000;

export function score(expected: string, read: string, isOcr: boolean): Score {
	const [wanted, got] = [wordsOf(expected), wordsOf(read)];
	const wantedPart = wanted.slice(0, wordsMax);
	const gotPart = got.slice(0, Math.max(wordsMax, Math.round((wordsMax * got.length) / Math.max(1, wanted.length))));
	const [headings, cells] = [headingsOf(expected), cellsOf(expected)];
	return {
		bagF1: bagF1(wanted, got),
		orderF1: f1(commonSubsequence(wantedPart, gotPart), wantedPart.length, gotPart.length),
		headingF1: headings.length > 0 ? bagF1(headings, headingsOf(read)) : null,
		cellF1: cells.length > 0 ? bagF1(cells, cellsOf(read)) : null,
		cer: isOcr ? errorRate(lettersOf(expected), lettersOf(read)) : null,
	};
}

export function bagF1(wanted: readonly string[], got: readonly string[]): number {
	const left = new Map<string, number>();
	for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
	let hits = 0;
	for (const word of got) {
		const count = left.get(word) ?? 0;
		if (count === 0) continue;
		hits++;
		left.set(word, count - 1);
	}
	return f1(hits, wanted.length, got.length);
}

function f1(hits: number, wanted: number, got: number): number {
	return wanted + got === 0 ? 1 : (2 * hits) / (wanted + got);
}

/** The length of the longest common subsequence, a bit for each word of `one` (Hyyrö 2004). */
export function commonSubsequence(one: readonly string[], other: readonly string[]): number {
	if (one.length === 0 || other.length === 0) return 0;
	const masks = positionsOf(one, new Set(other));
	const all = (1n << BigInt(one.length)) - 1n;
	let open = all;
	for (const word of other) {
		const mask = masks.get(word);
		if (mask === undefined) continue;
		const matched = open & mask;
		open = ((open + matched) | (open - matched)) & all;
	}
	let common = one.length;
	for (const bit of open.toString(2)) if (bit === "1") common--;
	return common;
}

/** For each word a number whose bits are its positions. Made from bytes: setting one bit of a big number copies all of it. */
function positionsOf(words: readonly string[], wanted: ReadonlySet<string>): ReadonlyMap<string, bigint> {
	const bytes = new Map<string, Uint8Array>();
	for (const [at, word] of words.entries()) {
		if (!wanted.has(word)) continue;
		const mask = bytes.get(word) ?? new Uint8Array((words.length >> 3) + 1);
		mask[mask.length - 1 - (at >> 3)] = (mask[mask.length - 1 - (at >> 3)] ?? 0) | (1 << (at & 7));
		bytes.set(word, mask);
	}
	return new Map([...bytes].map(([word, mask]) => [word, BigInt(`0x${mask.toHex()}`)]));
}

function errorRate(expected: readonly string[], read: readonly string[]): number {
	if (expected.length === 0) return read.length > 0 ? 1 : 0;
	return editDistance(expected, read) / expected.length;
}

/** Letters to insert, remove or change, a bit for each letter of `one` (Myers 1999, Hyyrö 2003). */
export function editDistance(one: readonly string[], other: readonly string[]): number {
	if (one.length === 0) return other.length;
	const masks = positionsOf(one, new Set(other));
	const all = (1n << BigInt(one.length)) - 1n;
	const top = 1n << BigInt(one.length - 1);
	let [up, down, distance] = [all, 0n, one.length];
	for (const letter of other) {
		const equal = masks.get(letter) ?? 0n;
		const vertical = equal | down;
		const horizontal = (((equal & up) + up) ^ up) | equal;
		let right = (down | ~(horizontal | up)) & all;
		let left = up & horizontal;
		if ((right & top) !== 0n) distance++;
		else if ((left & top) !== 0n) distance--;
		right = ((right << 1n) | 1n) & all;
		left = (left << 1n) & all;
		up = (left | ~(vertical | right)) & all;
		down = right & vertical;
	}
	return distance;
}
