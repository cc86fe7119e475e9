/** Writes the sections of a word file with the spellings of texts. */

import type { FreshTexts } from "../fresh/fresh-texts.ts";
import type { SpelledTexts } from "../scoring/spelled-texts.ts";
import { type StoredSizes, storedLayout } from "../stored/stored-layout.ts";
import { fileSection } from "./file-section.ts";
import type { MergedSpelled, MergedStrings } from "./merge-spelled.ts";
import { gone, type OlderTexts } from "./older-texts.ts";

/** @returns how many grams all texts have together. */
export function writeSpelled(
	file: number,
	sizes: StoredSizes,
	merged: MergedSpelled,
	older: OlderTexts | null,
	fresh: FreshTexts,
	places: Uint32Array,
): number {
	const layout = storedLayout(sizes);
	writeStrings(file, layout.spellingOffsets, layout.spellings, merged.spellings);
	writeStrings(file, layout.gramOffsets, layout.grams, merged.grams);
	const before = older?.texts.spelled ?? null;
	const spelled = gramsOfSpellings(merged, before, fresh.spelled);
	fileSection(file, layout.gramStarts).put(spelled.gramStarts).end();
	fileSection(file, layout.spellingGrams).put(spelled.grams).end();
	return writeEntries(file, sizes, merged, before, fresh, places, spelled);
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

type Spelled = Pick<SpelledTexts, "gramStarts" | "grams">;

function gramsOfSpellings({ spellings, grams, sizes }: MergedSpelled, before: SpelledTexts | null, fresh: SpelledTexts): Spelled {
	const from = new Array<readonly [SpelledTexts, number, Uint32Array]>(sizes.spellings);
	for (const [number, place] of spellings.fresh.entries()) from[place] = [fresh, number, grams.fresh];
	for (const [number, place] of spellings.older.entries()) if (place !== gone && before !== null) from[place] = [before, number, grams.older];
	const gramStarts = new Uint32Array(sizes.spellings + 1);
	const found = new Uint32Array(sizes.spellingGrams);
	let end = 0;
	for (const [place, [texts, number, numbers]] of from.entries()) {
		for (let i = texts.gramStarts[number] ?? 0; i < (texts.gramStarts[number + 1] ?? 0); i++) found[end++] = numbers[texts.grams[i] ?? 0] ?? 0;
		gramStarts[place + 1] = end;
	}
	return { gramStarts, grams: found };
}

function writeEntries(
	file: number,
	sizes: StoredSizes,
	{ spellings }: MergedSpelled,
	before: SpelledTexts | null,
	fresh: FreshTexts,
	places: Uint32Array,
	spelled: Spelled,
): number {
	const layout = storedLayout(sizes);
	const [entries, counts] = [fileSection(file, layout.entries), fileSection(file, layout.entryCounts)];
	const gramLengths = new Uint32Array(sizes.texts);
	const entryStarts = new Uint32Array(sizes.texts + 1);
	const holders = gramCounter(sizes.grams, spelled);
	let text = 0;
	const take = (texts: SpelledTexts, documentNumber: number, numbers: Uint32Array) => {
		const [begin, end] = [texts.entryStarts[documentNumber] ?? 0, texts.entryStarts[documentNumber + 1] ?? 0];
		const moved = texts.entries.slice(begin, end).map((spelling) => numbers[spelling] ?? 0);
		entries.put(moved);
		counts.put(texts.entryCounts.subarray(begin, end));
		holders.count(moved);
		gramLengths[text] = texts.gramLengths[documentNumber] ?? 0;
		entryStarts[++text] = (entryStarts[text - 1] ?? 0) + moved.length;
	};
	for (const [documentNumber, place] of places.entries()) if (place !== gone && before !== null) take(before, documentNumber, spellings.older);
	for (let documentNumber = 0; documentNumber < fresh.size; documentNumber++) take(fresh.spelled, documentNumber, spellings.fresh);
	for (const section of [entries, counts]) section.end();
	fileSection(file, layout.gramLengths).put(gramLengths).end();
	fileSection(file, layout.entryStarts).put(entryStarts).end();
	fileSection(file, layout.gramHolders).put(holders.counts).end();
	return gramLengths.reduce((sum, length) => sum + length, 0);
}

/** Counts for each gram how many texts have it. */
function gramCounter(grams: number, { gramStarts, grams: ofSpellings }: Spelled) {
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
