/**
 * What may be said next, and of that the likeliest. Times come in pairs around what is said, and never run backwards: the rules
 * of Whisper's own decoder (`ApplyTimestampRules`).
 */

export interface Vocabulary {
	readonly end: number;
	readonly start: number;
	readonly transcribe: number;
	readonly noTimes: number;
	/** `<|0.00|>`; those after it are 20 ms later each. */
	readonly firstTime: number;
	/** Null in a model that does not tell. */
	readonly noSpeech: number | null;
	/** By token. Empty in a model for English. */
	readonly languages: ReadonlyMap<number, string>;
	readonly suppressed: readonly number[];
	readonly suppressedFirst: readonly number[];
}

/** Nobody is silent for longer at the start of a window in which he is heard: a second, in steps of 20 ms. */
const firstTimeMax = 50;

/** @param said since the words began. `logits` is changed. */
export function nextToken(logits: Float32Array, said: readonly number[], vocabulary: Vocabulary): { readonly token: number; readonly logProbability: number } {
	const { end, noTimes, firstTime, suppressed, suppressedFirst } = vocabulary;
	const never = (from: number, to: number) => logits.fill(Number.NEGATIVE_INFINITY, Math.max(0, from), Math.min(logits.length, to));
	for (const token of said.length === 0 ? [...suppressed, ...suppressedFirst, noTimes] : [...suppressed, noTimes]) never(token, token + 1);
	const isTime = (at: number) => (said.at(at) ?? -1) >= firstTime;
	if (said.length === 0) {
		never(0, firstTime);
		never(firstTime + firstTimeMax + 1, logits.length);
	} else {
		const afterTime = isTime(-1);
		const afterPair = said.length < 2 || isTime(-2);
		if (afterTime && afterPair) never(firstTime, logits.length);
		else if (afterTime) never(0, end);
		const last = said.findLast((token) => token >= firstTime);
		if (last !== undefined) never(firstTime, afterTime && !afterPair ? last : last + 1);
	}
	const whole = logOfSum(logits, 0, logits.length);
	const times = logOfSum(logits, firstTime, logits.length) - whole;
	if (times > largest(logits, 0, firstTime).value - whole) never(0, firstTime);
	const { index, value } = largest(logits, 0, logits.length);
	return { token: index, logProbability: value - whole };
}

/** Stable: numbers far below zero are common. */
export function logOfSum(logits: Float32Array, from: number, to: number): number {
	const { value: most } = largest(logits, from, to);
	if (most === Number.NEGATIVE_INFINITY) return most;
	let sum = 0;
	for (let i = from; i < to; i++) sum += Math.exp((logits[i] ?? Number.NEGATIVE_INFINITY) - most);
	return most + Math.log(sum);
}

export function largest(logits: Float32Array, from: number, to: number): { readonly index: number; readonly value: number } {
	let index = from;
	let value = Number.NEGATIVE_INFINITY;
	for (let i = from; i < to; i++) {
		const here = logits[i] ?? Number.NEGATIVE_INFINITY;
		if (here > value) {
			index = i;
			value = here;
		}
	}
	return { index, value };
}
