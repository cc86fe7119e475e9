/** Writes one word file: the texts of an older file that still exist, and after them freshly read ones. */

import { closeSync, openSync } from "node:fs";
import type { FreshTexts } from "../fresh/fresh-texts.ts";
import type { Postings } from "../scoring/text-segment.ts";
import { type StoredSizes, storedLayout } from "../stored/stored-layout.ts";
import type { StoredSums } from "../stored/stored-texts.ts";
import { fileSection as section } from "./file-section.ts";
import { mergeSpellings } from "./merge-spellings.ts";
import { gone, type OlderTexts } from "./older-texts.ts";
import { writeSpellings } from "./write-spellings.ts";

export interface WrittenTexts extends StoredSums {
	readonly lastKey: number;
}

/** A word with its number in the older file and among the fresh ones; -1 if it is not there. */
interface MergedTerm {
	readonly bytes: Uint8Array;
	readonly older: number;
	readonly fresh: number;
	/** How many existing texts have it. */
	readonly holders: number;
}

/** Every key of the fresh texts must be greater than those of the older. */
export function writeStored(path: string, older: OlderTexts | null, fresh: FreshTexts): WrittenTexts {
	const renumbering = renumber(older);
	const terms = mergeTerms(older, fresh, renumbering.documentNumbers);
	const spellings = mergeSpellings(older, fresh, renumbering.documentNumbers);
	const sizes: StoredSizes = {
		...spellings.sizes,
		texts: renumbering.living + fresh.size,
		terms: terms.length,
		termBytes: terms.reduce((sum, { bytes }) => sum + bytes.length, 0),
		postings: terms.reduce((sum, { holders }) => sum + holders, 0),
	};
	const file = openSync(path, "w");
	try {
		const sums = writeTexts(file, sizes, older, fresh, renumbering.documentNumbers);
		writeTerms(file, sizes, terms);
		writePostings(file, sizes, terms, older, fresh, renumbering);
		return { ...sizes, ...sums, gramsSaid: writeSpellings(file, sizes, spellings, older, fresh, renumbering.documentNumbers) };
	} finally {
		closeSync(file);
	}
}

interface Renumbering {
	/** The new document number by the one in the older file, or `gone`. */
	readonly documentNumbers: Uint32Array;
	/** How many texts of the older file still exist. */
	readonly living: number;
}

function renumber(older: OlderTexts | null): Renumbering {
	const documentNumbers = new Uint32Array(older?.texts.size ?? 0);
	let living = 0;
	for (let documentNumber = 0; documentNumber < documentNumbers.length; documentNumber++)
		documentNumbers[documentNumber] = older?.dead.has(documentNumber) ? gone : living++;
	return { documentNumbers, living };
}

/** Merges the words of both, sorted by bytes. A word that only deleted texts have is left out. */
function mergeTerms(older: OlderTexts | null, fresh: FreshTexts, newNumbers: Uint32Array): readonly MergedTerm[] {
	const encoder = new TextEncoder();
	const freshWords = Array.from(fresh.terms(), ([word, number]) => ({ bytes: encoder.encode(word), number }));
	freshWords.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
	const merged: MergedTerm[] = [];
	const add = (bytes: Uint8Array, before: number, after: number) => {
		const holders =
			(before < 0 || older === null ? 0 : livingHolders(older, before, newNumbers)) + (after < 0 ? 0 : fresh.postingsOf(after).documentNumbers.length);
		if (holders > 0) merged.push({ bytes, older: before, fresh: after, holders });
	};
	let before = 0;
	for (const { bytes, number } of freshWords) {
		let order = 1;
		for (; older !== null && before < older.texts.termCount; before++) {
			order = Buffer.compare(older.texts.term(before), bytes);
			if (order >= 0) break;
			add(older.texts.term(before), before, -1);
		}
		add(bytes, order === 0 ? before++ : -1, number);
	}
	for (; older !== null && before < older.texts.termCount; before++) add(older.texts.term(before), before, -1);
	return merged;
}

function livingHolders({ texts, dead }: OlderTexts, term: number, newNumbers: Uint32Array): number {
	const { documentNumbers } = texts.postingsOf(term);
	return dead.size === 0 ? documentNumbers.length : documentNumbers.reduce((sum, documentNumber) => sum + (newNumbers[documentNumber] === gone ? 0 : 1), 0);
}

function writeTexts(
	file: number,
	sizes: StoredSizes,
	older: OlderTexts | null,
	fresh: FreshTexts,
	newNumbers: Uint32Array,
): Pick<WrittenTexts, "words" | "lastKey"> {
	const layout = storedLayout(sizes);
	const keys = new Float64Array(sizes.texts);
	const lengths = new Uint32Array(sizes.texts);
	for (const [documentNumber, newNumber] of newNumbers.entries()) {
		if (newNumber === gone || older === null) continue;
		keys[newNumber] = older.texts.key(documentNumber);
		lengths[newNumber] = older.texts.lengths[documentNumber] ?? 0;
	}
	const living = sizes.texts - fresh.size;
	for (let documentNumber = 0; documentNumber < fresh.size; documentNumber++) keys[living + documentNumber] = fresh.key(documentNumber);
	lengths.set(fresh.lengths.subarray(0, fresh.size), living);
	section(file, layout.keys).put(keys).end();
	section(file, layout.lengths).put(lengths).end();
	return { words: lengths.reduce((sum, length) => sum + length, 0), lastKey: keys.at(-1) ?? 0 };
}

function writeTerms(file: number, sizes: StoredSizes, terms: readonly MergedTerm[]): void {
	const layout = storedLayout(sizes);
	const termOffsets = new Uint32Array(terms.length + 1);
	const postingOffsets = new Uint32Array(terms.length + 1);
	const bytes = section(file, layout.terms);
	for (const [i, term] of terms.entries()) {
		bytes.put(term.bytes);
		termOffsets[i + 1] = (termOffsets[i] ?? 0) + term.bytes.length;
		postingOffsets[i + 1] = (postingOffsets[i] ?? 0) + term.holders;
	}
	bytes.end();
	section(file, layout.termOffsets).put(termOffsets).end();
	section(file, layout.postingOffsets).put(postingOffsets).end();
}

function writePostings(
	file: number,
	sizes: StoredSizes,
	terms: readonly MergedTerm[],
	older: OlderTexts | null,
	fresh: FreshTexts,
	{ documentNumbers: newNumbers, living }: Renumbering,
): void {
	const layout = storedLayout(sizes);
	const documentNumbers = section(file, layout.slots);
	const counts = section(file, layout.counts);
	for (const term of terms) {
		const before = term.older < 0 || older === null ? null : older.texts.postingsOf(term.older);
		const after = term.fresh < 0 ? null : fresh.postingsOf(term.fresh);
		const renumbered = renumberPostings(before, after, newNumbers, living, term.holders);
		documentNumbers.put(renumbered.documentNumbers);
		counts.put(renumbered.counts);
	}
	documentNumbers.end();
	counts.end();
}

function renumberPostings(before: Postings | null, after: Postings | null, newNumbers: Uint32Array, living: number, holders: number): Postings {
	const documentNumbers = new Uint32Array(holders);
	const counts = new Uint16Array(holders);
	let count = 0;
	for (let i = 0; before !== null && i < before.documentNumbers.length; i++) {
		const newNumber = newNumbers[before.documentNumbers[i] ?? 0] ?? gone;
		if (newNumber === gone) continue;
		documentNumbers[count] = newNumber;
		counts[count++] = before.counts[i] ?? 0;
	}
	for (let i = 0; after !== null && i < after.documentNumbers.length; i++) {
		documentNumbers[count] = living + (after.documentNumbers[i] ?? 0);
		counts[count++] = after.counts[i] ?? 0;
	}
	return { documentNumbers, counts };
}
