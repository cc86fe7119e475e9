/** What a choice of the constants of the score scale is worth for what was found, and the best choice. */

import { type Noise, noiseFitted, scoreScale } from "../../core/ranking/score-scale.ts";
import type { AskedMemory, MemoryHit } from "./ask-memories.ts";

export interface Container {
	readonly name: string;
	readonly questions: readonly AskedMemory[];
}

/** As shares of the questions. */
export interface Worth {
	/** With an answer among the first five, whatever its score. */
	readonly found: number;
	/** The same, with a score that is shown. */
	readonly shown: number;
	/** Asked in another container: nothing is shown. */
	readonly strange: number;
	/** Asked in their own container without what answers them: nothing is shown. */
	readonly missing: number;
}

const firstResults = 5;

/** As if a container held so much of its memories, chosen by a fixed seed; what answers a question stays. */
export function thinned(questions: readonly AskedMemory[], share: number): readonly AskedMemory[] {
	let state = 1;
	const isKept = ({ isRight }: MemoryHit) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return isRight || state < share * 2 ** 32;
	};
	return questions.map((each) => ({ ...each, own: each.own.filter(isKept), strange: each.strange.filter(isKept) }));
}

export function worthOf(questions: readonly AskedMemory[], at: number, noise: Noise = noiseFitted.memory): Worth {
	const right = (hits: readonly MemoryHit[]) => hits.slice(0, firstResults).some(({ isRight }) => isRight);
	const above = ({ variants }: AskedMemory, hits: readonly MemoryHit[]) => {
		const scale = scoreScale(variants, { memory: hits.slice(0, 10).map(({ score }) => score), chunk: [] }, { ...noiseFitted, memory: noise });
		return hits.slice(0, firstResults).filter(({ score }) => scale(score, hits[0]?.score ?? 0) >= at);
	};
	return {
		found: mean(questions.map(({ own }) => Number(right(own)))),
		shown: mean(questions.map((each) => Number(right(above(each, each.own))))),
		strange: mean(questions.map((each) => Number(above(each, each.strange).length === 0))),
		missing: mean(
			questions.map((each) =>
				Number(
					above(
						each,
						each.own.filter(({ isRight }) => !isRight),
					).length === 0,
				),
			),
		),
	};
}

/** By the smallest and the mean of two shares over all containers: answers shown of those found, and strangers' questions without an answer. */
export function fit(containers: readonly Container[], at: number): Noise {
	let best = noiseFitted.memory;
	let most = Number.NEGATIVE_INFINITY;
	for (const rest of [0.4, 0.6, 0.8, 1]) {
		for (const words of [3, 3.5, 4, 4.5, 5, 5.5, 6, 7]) {
			for (const always of [0, 0.2, 0.4, 0.6, 0.8]) {
				const tried = { ...noiseFitted.memory, always, words, rest };
				const shares = containers.map(({ questions }) => {
					const { found, shown, strange } = worthOf(questions, at, tried);
					return [shown / Math.max(found, Number.EPSILON), strange] as const;
				});
				const worth = Math.min(...shares.flat()) + mean(shares.flat());
				if (worth > most) [most, best] = [worth, tried];
			}
		}
	}
	return best;
}

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
