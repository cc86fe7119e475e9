/** Chooses the constants of the scale of memories for what was found, and says what a choice is worth. */

import { memoryScale, noiseFitted } from "../../core/ranking/memory-scale.ts";
import type { AskedMemory, MemoryHit } from "./ask-memories.ts";

type Noise = typeof noiseFitted;

export interface Container {
	readonly name: string;
	readonly questions: readonly AskedMemory[];
}

/** The threshold of memory search. */
export const line = 0.6;

/** As if a container held so much of its memories, chosen by a fixed seed; what answers a question stays. */
export function thinned(questions: readonly AskedMemory[], share: number): readonly AskedMemory[] {
	let state = 1;
	const isKept = ({ isRight }: MemoryHit) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return isRight || state < share * 2 ** 32;
	};
	return questions.map((each) => ({ ...each, own: each.own.filter(isKept), strange: each.strange.filter(isKept) }));
}

/** Of the right first hits those that are shown, and of the strangers' best those that are not. */
export function sharesOf(questions: readonly AskedMemory[], noise: Noise = noiseFitted, at: number = line): readonly [number, number] {
	const right = questions.filter(({ own }) => own[0]?.isRight === true);
	return [
		mean(right.map((each) => Number(bestOf(each, each.own, noise) >= at))),
		mean(questions.map((each) => Number(bestOf(each, each.strange, noise) < at))),
	];
}

function bestOf({ variants }: AskedMemory, hits: readonly MemoryHit[], noise: Noise): number {
	const scores = hits.slice(0, 10).map(({ score }) => score);
	return memoryScale(variants, scores, noise)(scores[0] ?? 0);
}

/** The smallest of all shares and their mean, together as great as can be. */
export function fit(containers: readonly Container[]): Noise {
	let best = noiseFitted;
	let most = Number.NEGATIVE_INFINITY;
	for (const rest of [0.5, 0.65, 0.8, 0.95]) {
		for (const words of [5, 6, 7, 7.5, 8, 9, 10]) {
			for (const always of [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) {
				const tried = { ...noiseFitted, always, words, rest };
				const shares = containers.flatMap(({ questions }) => sharesOf(questions, tried));
				const worth = Math.min(...shares) + mean(shares);
				if (worth > most) [most, best] = [worth, tried];
			}
		}
	}
	return best;
}

/** The one for which right hits and strangers, each half of all, are the likeliest. */
export function fitSpread(containers: readonly Container[], noise: Noise): number {
	const tried = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map((spread) => ({ spread, loss: lossOf(containers, { ...noise, spread }) }));
	return tried.toSorted((a, b) => a.loss - b.loss)[0]?.spread ?? noise.spread;
}

function lossOf(containers: readonly Container[], noise: Noise): number {
	const losses = containers.flatMap(({ questions }) => {
		const right = questions.filter(({ own }) => own[0]?.isRight === true);
		return [
			mean(right.map((each) => -Math.log(evenShare(bestOf(each, each.own, noise))))),
			mean(questions.map((each) => -Math.log(1 - evenShare(bestOf(each, each.strange, noise))))),
		];
	});
	return mean(losses);
}

/** What is as likely right as strange is shown at the line, and has a chance of one half. */
function evenShare(shown: number): number {
	const odds = (shown / (1 - shown)) * ((1 - line) / line);
	return Math.min(1 - 1e-6, Math.max(1e-6, odds / (1 + odds)));
}

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
