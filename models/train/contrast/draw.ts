/** Which pairs a step is made of, and which of their words it does not see. */

import { type TextList, textAt } from "../data/corpus.ts";
import type { Random } from "../random.ts";

/** Pairs of one source: text `2 × pairs[i]` of `texts` is a question, the next one its answer. */
export interface PairSource {
	readonly name: string;
	readonly weight: number;
	readonly texts: TextList;
	readonly pairs: Uint32Array;
}

export interface DrawnPair {
	readonly question: ArrayLike<number>;
	readonly answer: ArrayLike<number>;
}

/** Each part of a step is of one source: strangers of the same kind are harder to tell from the answer than those of another. */
export function drawPairs(sources: readonly PairSource[], count: number, parts: number, wordsMax: number, random: Random): readonly DrawnPair[] {
	const pairs: DrawnPair[] = [];
	for (let part = 0; part < parts; part++) {
		const { texts, pairs: own } = drawSource(sources, random);
		const end = Math.round((count * (part + 1)) / parts);
		while (pairs.length < end) {
			const at = (own[random.below(own.length)] ?? 0) * 2;
			pairs.push({ question: textAt(texts, at).subarray(0, wordsMax), answer: textAt(texts, at + 1).subarray(0, wordsMax) });
		}
	}
	return pairs;
}

function drawSource(sources: readonly PairSource[], random: Random): PairSource {
	let left = random.next() * sources.reduce((sum, { weight }) => sum + weight, 0);
	for (const source of sources) {
		left -= source.weight;
		if (left < 0) return source;
	}
	const last = sources.at(-1);
	if (last === undefined) throw new Error("there are no pairs to train with");
	return last;
}

/** Words on both sides are lost by one side or the other now and then, so that what means the same is learned too. */
export function dropShared({ question, answer }: DrawnPair, share: number, random: Random): DrawnPair {
	const both = new Set(Array.from(question));
	const lostFrom = [new Set<number>(), new Set<number>()];
	for (const word of new Set(Array.from(answer))) if (both.has(word) && random.next() < share) lostFrom[random.below(2)]?.add(word);
	return { question: without(question, lostFrom[0]), answer: without(answer, lostFrom[1]) };
}

/** A text never loses its last word. */
function without(text: ArrayLike<number>, lost: ReadonlySet<number> | undefined): ArrayLike<number> {
	if (lost === undefined || lost.size === 0) return text;
	const left = Array.from(text).filter((word) => !lost.has(word));
	return left.length > 0 ? left : text;
}
