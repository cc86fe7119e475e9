/**
 * Finds the texts with the best scores. It adds up the scores word by word, the rarest first. Once the remaining words could not bring a
 * new text among the best, only the texts found so far are looked up in the postings (Turtle & Flood 1995, the "continue" strategy of
 * Moffat & Zobel). If the remaining common words could, see `amongPairs`. The result is the same as adding up everything.
 */

import { type Tolerance, toleranceOf } from "cairn-memory/words";
import type { LiveTexts } from "../live-texts.ts";
import { seek } from "./seek.ts";
import { TopScores } from "./top-scores.ts";
import type { PlacedPostings, Weighted } from "./weigh-words.ts";

export interface ScoredText {
	readonly documentNumber: number;
	readonly score: number;
}

/** Looking up a found text in the postings costs as much as adding up this many postings. */
const lookUpCost = 8;

/** A word is common if at least this many texts, and this share of all texts, have it. Checking every text once is then cheaper. */
const commonFrom = 256;
const commonShare = 1 / 128;

/** The tolerance for rounding errors of sums. */
const rounding = 1e-9;

/** Scores by document number. It is shared by all searches of the thread, which run without a pause and leave it zeroed. */
let sums = new Float64Array(1_024);
/** The document numbers of texts found so far. */
let foundTexts = new Uint32Array(1_024);
/** How many common words each text has, see `amongPairs`. */
let commonWordCounts = new Uint8Array(1_024);
const commonWordsMax = 0xff;

/** @param among document numbers in ascending order, without deleted texts: only these are scored. Null scores all. */
export function bestTexts(
	live: Pick<LiveTexts, "documentNumbers" | "texts" | "wordCount">,
	weighted: readonly Weighted[],
	count: number,
	among: Uint32Array | null,
): readonly ScoredText[] {
	if (sums.length < live.documentNumbers) {
		sums = new Float64Array(live.documentNumbers * 2);
		foundTexts = new Uint32Array(live.documentNumbers * 2);
		commonWordCounts = new Uint8Array(live.documentNumbers * 2);
	}
	const tolerance = toleranceOf(live.wordCount / Math.max(1, live.texts), "words");
	if (among === null) return amongAll(weighted, count, tolerance, live.documentNumbers);
	for (const { weight, postings } of weighted) for (const list of postings) addTo(among, among.length, list, weight, tolerance);
	return takeBest(among, among.length, count).sorted();
}

function amongAll(weighted: readonly Weighted[], count: number, tolerance: Tolerance, documentNumbers: number): readonly ScoredText[] {
	let left = weighted.reduce((sum, { weight }) => sum + weight, 0);
	let size = 0;
	let isClosed = false;
	for (const [i, { weight, holders, postings }] of weighted.entries()) {
		if (!isClosed && size >= count && holders > size * lookUpCost && thresholdOf(size, count) > left + rounding) {
			isClosed = true;
			foundTexts.subarray(0, size).sort();
		}
		if (!isClosed && weighted.length > 1 && holders >= Math.max(commonFrom, documentNumbers * commonShare)) {
			const found = amongPairs(weighted.slice(i), size, count, tolerance, documentNumbers);
			if (found !== null) return found;
		}
		for (const list of postings) {
			if (isClosed) addTo(foundTexts, size, list, weight, tolerance);
			else size = addAll(size, list, weight, tolerance);
		}
		left -= weight;
	}
	return takeBest(foundTexts, size, count).sorted();
}

/**
 * Most texts have only one of the common words and are not among the best. So the common words of each text are counted first, which
 * takes a fraction of the time of adding up. Then texts with at least two, and texts found before, are added up. Of the other texts only
 * those are scored in which a word occurs often enough for them to be among the best.
 * @param common the remaining words.
 * @param before how many texts were found before, each by a rarer word.
 * @returns null if too few texts have two words.
 */
function amongPairs(common: readonly Weighted[], before: number, count: number, tolerance: Tolerance, documentNumbers: number): readonly ScoredText[] | null {
	if (common.length > commonWordsMax) return null;
	for (let i = 0; i < before; i++) commonWordCounts[foundTexts[i] ?? 0] = 2;
	let size = before;
	for (const { postings } of common) for (const list of postings) size = countCommonWord(size, list);
	if (size >= count) {
		for (const { weight, postings } of common) for (const list of postings) addFrequent(list, weight, tolerance);
		const best = takeBest(foundTexts, size, count);
		for (const { weight, postings } of common) for (const list of postings) offerSingles(best, list, weight, tolerance);
		commonWordCounts.fill(0, 0, documentNumbers);
		return best.sorted();
	}
	commonWordCounts.fill(0, 0, documentNumbers);
	return null;
}

/** Counts a common word in its texts. @returns how many texts have two words by now, or were found before. */
function countCommonWord(before: number, { documentNumbers, part: { offset, dead } }: PlacedPostings): number {
	const [had, texts] = [commonWordCounts, foundTexts];
	let size = before;
	for (let i = 0; i < documentNumbers.length; i++) {
		const documentNumber = documentNumbers[i] ?? 0;
		if (dead !== null && dead[documentNumber] === 1) continue;
		const text = documentNumber + offset;
		const words = had[text] ?? 0;
		if (words === 1) texts[size++] = text;
		had[text] = words + 1;
	}
	return size;
}

function addFrequent({ documentNumbers, counts, part }: PlacedPostings, weight: number, tolerance: Tolerance): void {
	const { segment, offset } = part;
	const { lengths } = segment;
	const [scores, had] = [sums, commonWordCounts];
	const { least, perUnit } = tolerance;
	for (let i = 0; i < documentNumbers.length; i++) {
		const documentNumber = documentNumbers[i] ?? 0;
		const text = documentNumber + offset;
		if ((had[text] ?? 0) < 2) continue;
		const times = counts[i] ?? 0;
		scores[text] = (scores[text] ?? 0) + (weight * times) / (times + least + perUnit * (lengths[documentNumber] ?? 0));
	}
}

/** Offers the texts that have this word only. Their score is always less than the weight of the word. */
function offerSingles(best: TopScores, { documentNumbers, counts, part }: PlacedPostings, weight: number, tolerance: Tolerance): void {
	let threshold = best.threshold;
	if (weight <= threshold) return;
	const { segment, offset } = part;
	const { least, perUnit } = tolerance;
	const timesMin = (threshold * least) / (weight - threshold) - rounding;
	for (let i = 0; i < documentNumbers.length; i++) {
		const times = counts[i] ?? 0;
		if (times < timesMin) continue;
		const documentNumber = documentNumbers[i] ?? 0;
		if (commonWordCounts[documentNumber + offset] !== 1) continue;
		const score = (weight * times) / (times + least + perUnit * (segment.lengths[documentNumber] ?? 0));
		if (score >= threshold) threshold = best.offer(score, documentNumber + offset);
	}
}

/** Adds a word to all its texts. @returns how many texts have been found by now. */
function addAll(before: number, { documentNumbers, counts, part }: PlacedPostings, weight: number, tolerance: Tolerance): number {
	const { segment, offset, dead } = part;
	const { lengths } = segment;
	const [scores, texts] = [sums, foundTexts];
	const { least, perUnit } = tolerance;
	let size = before;
	for (let i = 0; i < documentNumbers.length; i++) {
		const documentNumber = documentNumbers[i] ?? 0;
		if (dead !== null && dead[documentNumber] === 1) continue;
		const times = counts[i] ?? 0;
		const text = documentNumber + offset;
		const sum = scores[text] ?? 0;
		if (sum === 0) texts[size++] = text;
		scores[text] = sum + (weight * times) / (times + least + perUnit * (lengths[documentNumber] ?? 0));
	}
	return size;
}

/** Adds a word to these texts only, which are looked up in its postings. */
function addTo(texts: Uint32Array, size: number, { documentNumbers, counts, part }: PlacedPostings, weight: number, tolerance: Tolerance): void {
	const { segment, offset } = part;
	const { least, perUnit } = tolerance;
	let at = 0;
	for (let i = 0; i < size && at < documentNumbers.length; i++) {
		const text = texts[i] ?? 0;
		const documentNumber = text - offset;
		if (documentNumber < 0) continue;
		at = seek(documentNumbers, at, documentNumber);
		if (documentNumbers[at] !== documentNumber) continue;
		const times = counts[at] ?? 0;
		sums[text] = (sums[text] ?? 0) + (weight * times) / (times + least + perUnit * (segment.lengths[documentNumber] ?? 0));
	}
}

/** The lowest score among the best `count` texts. */
function thresholdOf(size: number, count: number): number {
	const [scores, texts] = [sums, foundTexts];
	const best = new TopScores(count);
	let least = 0;
	for (let i = 0; i < size; i++) {
		const text = texts[i] ?? 0;
		const score = scores[text] ?? 0;
		if (score > least) least = best.offer(score, text);
	}
	return best.threshold;
}

/** Takes the best texts, and sets all sums to 0. */
function takeBest(texts: Uint32Array, size: number, count: number): TopScores {
	const scores = sums;
	const best = new TopScores(count);
	let least = 0;
	for (let i = 0; i < size; i++) {
		const text = texts[i] ?? 0;
		const score = scores[text] ?? 0;
		scores[text] = 0;
		// Most scores are too low for the heap, so they are skipped before the call. Of equal scores the smaller document number is better.
		if (score >= least && score > 0) least = best.offer(score, text);
	}
	return best;
}
