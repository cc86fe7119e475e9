/** Writes the sections of a word file with the spellings of texts. */

import type { FreshTexts } from "../fresh/fresh-texts.ts";
import { holdingSpellings, type TextSpellings } from "../scoring/text-spellings.ts";
import { type StoredSizes, storedLayout } from "../stored/stored-layout.ts";
import { fileSection } from "./file-section.ts";
import type { MergedSpellings, MergedStrings } from "./merge-spellings.ts";
import { gone, type OlderTexts } from "./older-texts.ts";

/** @returns how many grams all texts have together. */
export function writeSpellings(
	file: number,
	sizes: StoredSizes,
	merged: MergedSpellings,
	older: OlderTexts | null,
	fresh: FreshTexts,
	newNumbers: Uint32Array,
): number {
	const layout = storedLayout(sizes);
	writeStrings(file, layout.spellingOffsets, layout.spellings, merged.spellings);
	writeStrings(file, layout.gramOffsets, layout.grams, merged.grams);
	const before = older?.texts.spellings ?? null;
	const spellingGrams = gramsOfSpellings(merged, before, fresh.spellings);
	fileSection(file, layout.gramStarts).put(spellingGrams.gramStarts).end();
	fileSection(file, layout.spellingGrams).put(spellingGrams.grams).end();
	const holding = holdingSpellings(spellingGrams, sizes.grams);
	fileSection(file, layout.holdingStarts).put(holding.starts).end();
	fileSection(file, layout.holdingSpellings).put(holding.spellings).end();
	return writeEntries(file, sizes, merged, before, fresh, newNumbers, spellingGrams);
}

function writeStrings(file: number, offsetsAt: number, bytesAt: number, { strings }: MergedStrings): void {
	const offsets = new Uint32Array(strings.length + 1);
	const bytes = fileSection(file, bytesAt);
	for (const [i, string] of strings.entries()) {
		bytes.put(string);
		offsets[i + 1] = (offsets[i] ?? 0) + string.length;
	}
	bytes.end();
	fileSection(file, offsetsAt).put(offsets).end();
}

type SpellingGrams = Pick<TextSpellings, "gramStarts" | "grams">;

function gramsOfSpellings({ spellings, grams, sizes }: MergedSpellings, before: TextSpellings | null, fresh: TextSpellings): SpellingGrams {
	const from = new Array<readonly [TextSpellings, number, Uint32Array]>(sizes.spellings);
	for (const [number, newNumber] of spellings.fresh.entries()) from[newNumber] = [fresh, number, grams.fresh];
	for (const [number, newNumber] of spellings.older.entries()) if (newNumber !== gone && before !== null) from[newNumber] = [before, number, grams.older];
	const gramStarts = new Uint32Array(sizes.spellings + 1);
	const found = new Uint32Array(sizes.spellingGrams);
	let end = 0;
	for (const [newNumber, [texts, number, numbers]] of from.entries()) {
		for (let i = texts.gramStarts[number] ?? 0; i < (texts.gramStarts[number + 1] ?? 0); i++) found[end++] = numbers[texts.grams[i] ?? 0] ?? 0;
		gramStarts[newNumber + 1] = end;
	}
	return { gramStarts, grams: found };
}

function writeEntries(
	file: number,
	sizes: StoredSizes,
	{ spellings }: MergedSpellings,
	before: TextSpellings | null,
	fresh: FreshTexts,
	newNumbers: Uint32Array,
	spellingGrams: SpellingGrams,
): number {
	const layout = storedLayout(sizes);
	const [entries, counts] = [fileSection(file, layout.entries), fileSection(file, layout.entryCounts)];
	const gramLengths = new Uint32Array(sizes.texts);
	const entryStarts = new Uint32Array(sizes.texts + 1);
	const holders = gramCounter(sizes.grams, spellingGrams);
	let text = 0;
	const take = (texts: TextSpellings, documentNumber: number, numbers: Uint32Array) => {
		const [begin, end] = [texts.entryStarts[documentNumber] ?? 0, texts.entryStarts[documentNumber + 1] ?? 0];
		const moved = texts.entries.slice(begin, end).map((spelling) => numbers[spelling] ?? 0);
		entries.put(moved);
		counts.put(texts.entryCounts.subarray(begin, end));
		holders.count(moved);
		gramLengths[text] = texts.gramLengths[documentNumber] ?? 0;
		entryStarts[++text] = (entryStarts[text - 1] ?? 0) + moved.length;
	};
	for (const [documentNumber, newNumber] of newNumbers.entries()) if (newNumber !== gone && before !== null) take(before, documentNumber, spellings.older);
	for (let documentNumber = 0; documentNumber < fresh.size; documentNumber++) take(fresh.spellings, documentNumber, spellings.fresh);
	for (const section of [entries, counts]) section.end();
	fileSection(file, layout.gramLengths).put(gramLengths).end();
	fileSection(file, layout.entryStarts).put(entryStarts).end();
	fileSection(file, layout.gramHolders).put(holders.counts).end();
	return gramLengths.reduce((sum, length) => sum + length, 0);
}

/** Counts for each gram how many texts have it. */
function gramCounter(grams: number, { gramStarts, grams: ofSpellings }: SpellingGrams) {
	const counts = new Uint32Array(grams);
	const last = new Uint32Array(grams);
	let text = 0;
	return {
		counts,
		count(spellings: Uint32Array): void {
			text += 1;
			for (const spelling of spellings) {
				for (let i = gramStarts[spelling] ?? 0; i < (gramStarts[spelling + 1] ?? 0); i++) {
					const gram = ofSpellings[i] ?? 0;
					if (last[gram] === text) continue;
					last[gram] = text;
					counts[gram] = (counts[gram] ?? 0) + 1;
				}
			}
		},
	};
}
