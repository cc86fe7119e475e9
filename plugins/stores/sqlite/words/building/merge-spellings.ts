/** Merges the spellings and grams of two sets of texts, sorted, and maps the old number of each to its new one. */

import type { FreshTexts } from "../fresh/fresh-texts.ts";
import type { TextSpellings } from "../scoring/text-spellings.ts";
import type { StoredSizes } from "../stored/stored-layout.ts";
import { gone, type OlderTexts } from "./older-texts.ts";

/** Strings in the order of their bytes. `older` and `fresh` map the old numbers to the new ones. */
export interface MergedStrings {
	readonly strings: readonly Uint8Array[];
	readonly older: Uint32Array;
	readonly fresh: Uint32Array;
}

export interface MergedSpellings {
	readonly spellings: MergedStrings;
	readonly grams: MergedStrings;
	readonly sizes: Pick<StoredSizes, "spellings" | "spellingBytes" | "spellingGrams" | "entries" | "grams" | "gramBytes">;
}

/** @param newNumbers the new document number by the old one, or `gone`. Strings that only deleted texts have are left out. */
export function mergeSpellings(older: OlderTexts | null, fresh: FreshTexts, newNumbers: Uint32Array): MergedSpellings {
	const before = older?.texts.spellings ?? null;
	const used = before === null ? null : usedSpellings(before, newNumbers);
	const usedGrams = before === null || used === null ? null : gramsUsed(before, used);
	const spellings = mergeStrings(
		fresh.spellings.numbers(),
		fresh.spellings.spellingCount,
		used,
		(number) => before?.spellingTerms.bytes(number) ?? new Uint8Array(),
	);
	const grams = mergeStrings(
		fresh.spellings.gramNames(),
		fresh.spellings.gramCount,
		usedGrams,
		(number) => before?.gramTerms.bytes(number) ?? new Uint8Array(),
	);
	const entries = (before === null ? 0 : livingEntries(before, newNumbers)) + (fresh.spellings.entryStarts[fresh.size] ?? 0);
	const sizes = {
		spellings: spellings.strings.length,
		spellingBytes: bytesOf(spellings),
		spellingGrams: gramsIn(before, spellings.older) + gramsOnlyInFresh(fresh.spellings, spellings),
		entries,
		grams: grams.strings.length,
		gramBytes: bytesOf(grams),
	};
	return { spellings, grams, sizes };
}

function usedSpellings({ entryStarts, entries, spellingCount }: TextSpellings, newNumbers: Uint32Array): Uint8Array {
	const used = new Uint8Array(spellingCount);
	for (const [documentNumber, newNumber] of newNumbers.entries()) {
		if (newNumber === gone) continue;
		for (let i = entryStarts[documentNumber] ?? 0; i < (entryStarts[documentNumber + 1] ?? 0); i++) used[entries[i] ?? 0] = 1;
	}
	return used;
}

function gramsUsed({ gramStarts, grams, gramCount }: TextSpellings, spellings: Uint8Array): Uint8Array {
	const used = new Uint8Array(gramCount);
	for (const [spelling, isUsed] of spellings.entries()) {
		if (isUsed === 0) continue;
		for (let i = gramStarts[spelling] ?? 0; i < (gramStarts[spelling + 1] ?? 0); i++) used[grams[i] ?? 0] = 1;
	}
	return used;
}

function mergeStrings(names: Iterable<[string, number]>, count: number, used: Uint8Array | null, bytesOfOlder: (number: number) => Uint8Array): MergedStrings {
	const encoder = new TextEncoder();
	const freshStrings = Array.from(names, ([name, number]) => ({ bytes: encoder.encode(name), number }));
	freshStrings.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
	const strings: Uint8Array[] = [];
	const older = new Uint32Array(used?.length ?? 0).fill(gone);
	const fresh = new Uint32Array(count);
	let at = 0;
	const takeOlder = () => {
		if (used?.[at] === 1) older[at] = strings.push(bytesOfOlder(at)) - 1;
		at += 1;
	};
	for (const { bytes, number } of freshStrings) {
		let order = 1;
		for (; at < older.length; takeOlder()) {
			order = Buffer.compare(bytesOfOlder(at), bytes);
			if (order >= 0) break;
		}
		fresh[number] = strings.push(bytes) - 1;
		if (order === 0) older[at++] = strings.length - 1;
	}
	while (at < older.length) takeOlder();
	return { strings, older, fresh };
}

function bytesOf({ strings }: MergedStrings): number {
	return strings.reduce((sum, { length }) => sum + length, 0);
}

function livingEntries({ entryStarts }: TextSpellings, newNumbers: Uint32Array): number {
	return newNumbers.reduce(
		(sum, newNumber, documentNumber) => sum + (newNumber === gone ? 0 : (entryStarts[documentNumber + 1] ?? 0) - (entryStarts[documentNumber] ?? 0)),
		0,
	);
}

function gramsIn(texts: TextSpellings | null, numbers: Uint32Array): number {
	if (texts === null) return 0;
	return numbers.reduce((sum, newNumber, spelling) => sum + (newNumber === gone ? 0 : gramsOfSpelling(texts, spelling)), 0);
}

/** The grams of spellings that only the fresh texts have, because the others were counted already. */
function gramsOnlyInFresh(texts: TextSpellings, { older, fresh }: MergedStrings): number {
	const counted = new Set(older);
	return fresh.reduce((sum, newNumber, spelling) => sum + (counted.has(newNumber) ? 0 : gramsOfSpelling(texts, spelling)), 0);
}

function gramsOfSpelling({ gramStarts }: TextSpellings, spelling: number): number {
	return (gramStarts[spelling + 1] ?? 0) - (gramStarts[spelling] ?? 0);
}
