/** Which pairs are trained with and which are held back to measure with. */

import { type Corpus, type TextList, textAt, textsIn } from "../data/corpus.ts";
import type { Settings } from "../settings.ts";
import type { PairSource } from "./draw.ts";

export interface SplitPairs {
	readonly training: readonly PairSource[];
	readonly heldBack: readonly PairSource[];
}

const heldBackMax = 1_000;
/** One answer of so many is held back, with all its questions. */
const heldBackShare = 40;

export function splitPairs({ sources }: Corpus, { sources: weights, otherSources }: Pick<Settings, "sources" | "otherSources">): SplitPairs {
	const split = sources.flatMap(({ name, kind, texts }) => {
		if (kind !== "pairs" || textsIn(texts) < 2) return [];
		const all = Array.from({ length: textsIn(texts) / 2 }, (_, pair) => pair).filter((pair) => hasBoth(texts, pair));
		const isHeldBack = (pair: number): boolean => textHash(textAt(texts, pair * 2 + 1)) % heldBackShare === 0;
		const weight = weights[name] ?? otherSources;
		const heldBack = { name, weight, texts, pairs: Uint32Array.from(all.filter(isHeldBack).slice(0, heldBackMax)) };
		return [{ training: { name, weight, texts, pairs: Uint32Array.from(all.filter((pair) => !isHeldBack(pair))) }, heldBack }];
	});
	return {
		training: split.map(({ training }) => training).filter(({ pairs, weight }) => pairs.length > 0 && weight > 0),
		heldBack: split.map(({ heldBack }) => heldBack).filter(({ pairs }) => pairs.length > 0),
	};
}

function hasBoth(texts: TextList, pair: number): boolean {
	return textAt(texts, pair * 2).length > 0 && textAt(texts, pair * 2 + 1).length > 0;
}

/** Of the words' numbers: which text is the same within one corpus. */
export function textHash(numbers: ArrayLike<number>): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < numbers.length; i++) {
		hash = Math.imul(hash ^ (numbers[i] ?? 0), 0x85ebca6b);
		hash ^= hash >>> 13;
	}
	return hash >>> 0;
}
