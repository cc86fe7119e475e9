/**
 * The texts with the best scores, word by word: the rarest first, whose few texts are all added up. Once the words that
 * are left could not lift a new text among the best, only the texts met so far are looked up in their postings (Turtle
 * & Flood 1995, in the manner of Moffat & Zobel's "continue"). Where common words are left that could, see `amongPairs`.
 * The answer is that of adding up everything.
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

/** Finding the worst of the best, putting in order what was met and leaping through postings costs as much as adding up so many. */
const lookUpCost = 8;

/** A word is common that so many texts have, and one in so many: then looking once at every text is the lesser cost. */
const commonFrom = 256;
const commonShare = 1 / 128;

/** A sum of parts may come out a little smaller or greater than what bounds it. */
const rounding = 1e-9;

/** One for the thread: searches run to their end without a pause, and leave it empty. */
let sums = new Float64Array(1_024);
let met = new Uint32Array(1_024);
/** How many common words a text has, see `amongPairs`. */
let marks = new Uint8Array(1_024);
const marksMax = 0xff;

/** @param among in ascending order, and all of them living: only these are scored. */
export function bestTexts(
	live: Pick<LiveTexts, "documentNumbers" | "texts" | "words">,
	weighted: readonly Weighted[],
	count: number,
	among: Uint32Array | null,
): readonly ScoredText[] {
	if (sums.length < live.documentNumbers) {
		sums = new Float64Array(live.documentNumbers * 2);
		met = new Uint32Array(live.documentNumbers * 2);
		marks = new Uint8Array(live.documentNumbers * 2);
	}
	const tolerance = toleranceOf(live.words / Math.max(1, live.texts), "words");
	if (among === null) return amongAll(weighted, count, tolerance, live.documentNumbers);
	for (const { weight, postings } of weighted) for (const list of postings) addTo(among, among.length, list, weight, tolerance);
	return taken(among, among.length, count).sorted();
}

function amongAll(weighted: readonly Weighted[], count: number, tolerance: Tolerance, documentNumbers: number): readonly ScoredText[] {
	let left = weighted.reduce((sum, { weight }) => sum + weight, 0);
	let size = 0;
	let isClosed = false;
	for (const [i, { weight, holders, postings }] of weighted.entries()) {
		if (!isClosed && size >= count && holders > size * lookUpCost && thresholdOf(size, count) > left + rounding) {
			isClosed = true;
			met.subarray(0, size).sort();
		}
		if (!isClosed && weighted.length > 1 && holders >= Math.max(commonFrom, documentNumbers * commonShare)) {
			const found = amongPairs(weighted.slice(i), size, count, tolerance, documentNumbers);
			if (found !== null) return found;
		}
		for (const list of postings) {
			if (isClosed) addTo(met, size, list, weight, tolerance);
			else size = addAll(size, list, weight, tolerance);
		}
		left -= weight;
	}
	return taken(met, size, count).sorted();
}

/**
 * Most texts have one of the common words and no other, and are none of the best. So it is counted first how many each
 * has, which takes a fraction of adding up; those with two of them, and those met before, are added up; and of the others
 * only those are that have one word so often that they might be among the best.
 * @param common the words that are left
 * @param before how many texts were met, each with a word that is none of these
 * @returns null when that are too few to tell.
 */
function amongPairs(common: readonly Weighted[], before: number, count: number, tolerance: Tolerance, documentNumbers: number): readonly ScoredText[] | null {
	if (common.length > marksMax) return null;
	for (let i = 0; i < before; i++) marks[met[i] ?? 0] = 2;
	let size = before;
	for (const { postings } of common) for (const list of postings) size = markAll(size, list);
	if (size >= count) {
		for (const { weight, postings } of common) for (const list of postings) addMarked(list, weight, tolerance);
		const best = taken(met, size, count);
		for (const { weight, postings } of common) for (const list of postings) offerSingles(best, list, weight, tolerance);
		marks.fill(0, 0, documentNumbers);
		return best.sorted();
	}
	marks.fill(0, 0, documentNumbers);
	return null;
}

/** @returns how many texts have two words by now, or were met before. */
function markAll(before: number, { documentNumbers, part: { offset, dead } }: PlacedPostings): number {
	const [had, texts] = [marks, met];
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

function addMarked({ documentNumbers, counts, part }: PlacedPostings, weight: number, tolerance: Tolerance): void {
	const { segment, offset } = part;
	const { lengths } = segment;
	const [scores, had] = [sums, marks];
	const { least, perUnit } = tolerance;
	for (let i = 0; i < documentNumbers.length; i++) {
		const documentNumber = documentNumbers[i] ?? 0;
		const text = documentNumber + offset;
		if ((had[text] ?? 0) < 2) continue;
		const times = counts[i] ?? 0;
		scores[text] = (scores[text] ?? 0) + (weight * times) / (times + least + perUnit * (lengths[documentNumber] ?? 0));
	}
}

/** The texts that have this word alone. However short they are, its weight is out of their reach. */
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
		if (marks[documentNumber + offset] !== 1) continue;
		const score = (weight * times) / (times + least + perUnit * (segment.lengths[documentNumber] ?? 0));
		if (score >= threshold) threshold = best.offer(score, documentNumber + offset);
	}
}

/** @returns how many texts have been met by now. */
function addAll(before: number, { documentNumbers, counts, part }: PlacedPostings, weight: number, tolerance: Tolerance): number {
	const { segment, offset, dead } = part;
	const { lengths } = segment;
	const [scores, texts] = [sums, met];
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

/** Looks the texts up in the postings, in leaps that double until they are past the next one. */
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

function thresholdOf(size: number, count: number): number {
	const [scores, texts] = [sums, met];
	const best = new TopScores(count);
	let least = 0;
	for (let i = 0; i < size; i++) {
		const text = texts[i] ?? 0;
		const score = scores[text] ?? 0;
		if (score > least) least = best.offer(score, text);
	}
	return best.threshold;
}

/** Takes the best and leaves all sums at nought. */
function taken(texts: Uint32Array, size: number, count: number): TopScores {
	const scores = sums;
	const best = new TopScores(count);
	let least = 0;
	for (let i = 0; i < size; i++) {
		const text = texts[i] ?? 0;
		const score = scores[text] ?? 0;
		scores[text] = 0;
		// Most are too low for the heap: they are not worth a call. Of equal ones the smaller document number is better.
		if (score >= least && score > 0) least = best.offer(score, text);
	}
	return best;
}
