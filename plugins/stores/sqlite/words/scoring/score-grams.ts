/** The second part of a score: how well the grams of the best texts by words match. See the port `WordSearch`. */

import { gramShare, type QueryGram, type Tolerance, toleranceOf } from "cairn-memory/words";
import type { LiveTexts, TextPart } from "../live-texts.ts";
import type { ScoredText } from "./best-texts.ts";
import { GramCounts } from "./gram-counts.ts";
import { weightOf } from "./weight-of.ts";

/** How many of the best texts by words are scored by grams. More would change no visible result, and cost time. */
export const gramPool = 64;

type Live = Pick<LiveTexts, "parts" | "texts" | "gramOccurrences">;

interface WeightedGrams {
	/** The weight of each gram; together they are 1. */
	readonly weights: Float64Array;
	/** By part, the numbers of the grams in it, -1 for a gram that it does not have. */
	readonly numbers: readonly Int32Array[];
}

/** Shared by all searches of the thread. */
const counts = new GramCounts();

/** @returns the same texts with their full scores, best first. */
export function withGrams(live: Live, hits: readonly ScoredText[], grams: readonly QueryGram[]): readonly ScoredText[] {
	if (grams.length === 0 || hits.length === 0) return hits;
	const { weights, numbers } = weighGrams(live, grams);
	const scores = new Float64Array(hits.length);
	const tolerance = toleranceOf(live.gramOccurrences / Math.max(1, live.texts), "grams");
	for (const [i, part] of live.parts().entries()) scorePart(part, numbers[i] ?? new Int32Array(), weights, hits, scores, tolerance);
	const full = hits.map(({ documentNumber, score }, i) => ({ documentNumber, score: (score + gramShare * (scores[i] ?? 0)) / (1 + gramShare) }));
	return full.sort((left, right) => right.score - left.score || left.documentNumber - right.documentNumber);
}

function weighGrams(live: Live, grams: readonly QueryGram[]): WeightedGrams {
	const parts = live.parts();
	const numbers = parts.map(({ segment }) => Int32Array.from(grams, ({ gram }) => segment.spellings.gramNumber(gram)));
	const weights = Float64Array.from(grams, ({ emphasis }, i) => {
		const holders = parts.reduce((sum, { segment, deadGrams }, part) => {
			const number = numbers[part]?.[i] ?? -1;
			return number < 0 ? sum : sum + (segment.spellings.gramHolders[number] ?? 0) - (deadGrams?.get(number) ?? 0);
		}, 0);
		return emphasis * weightOf(live.texts, holders);
	});
	const greatest = weights.reduce((sum, weight) => sum + weight, 0);
	return { weights: weights.map((weight) => weight / greatest), numbers };
}

function scorePart(
	{ segment: { spellings, size }, offset }: TextPart,
	numbers: Int32Array,
	weights: Float64Array,
	hits: readonly ScoredText[],
	scores: Float64Array,
	{ least, perUnit }: Tolerance,
): void {
	counts.begin(spellings, numbers);
	const gramCounts = new Float64Array(weights.length + 1);
	for (const [i, { documentNumber: inPartition }] of hits.entries()) {
		const documentNumber = inPartition - offset;
		if (documentNumber < 0 || documentNumber >= size) continue;
		gramCounts.fill(0);
		counts.count(documentNumber, gramCounts);
		const tolerance = least + perUnit * (spellings.gramLengths[documentNumber] ?? 0);
		let sum = 0;
		for (let j = 0; j < weights.length; j++) {
			const count = gramCounts[j + 1] ?? 0;
			if (count > 0) sum += ((weights[j] ?? 0) * count) / (count + tolerance);
		}
		scores[i] = sum;
	}
	counts.end(numbers);
}
