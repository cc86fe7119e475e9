/**
 * Chooses the likeliest token that Whisper's timestamp rules allow: timestamps come in pairs around a segment and never decrease
 * (`ApplyTimestampRules` of the original decoder).
 */

export interface Vocabulary {
	readonly end: number;
	readonly start: number;
	readonly transcribe: number;
	readonly noTimestamps: number;
	/** The token `<|0.00|>`; each following token is 20 ms later. */
	readonly firstTimestamp: number;
	/** Null where the model has no such token. */
	readonly noSpeech: number | null;
	/** By token. Empty in an English-only model. */
	readonly languages: ReadonlyMap<number, string>;
	readonly suppressed: readonly number[];
	readonly suppressedFirst: readonly number[];
}

/** A window may begin with at most this much silence: a second, in steps of 20 ms. */
const firstTimestampMax = 50;

/** @param tokens those generated so far, without the prompt. `logits` is changed. */
export function nextToken(
	logits: Float32Array,
	tokens: readonly number[],
	vocabulary: Vocabulary,
): { readonly token: number; readonly logProbability: number } {
	const { end, noTimestamps, firstTimestamp, suppressed, suppressedFirst } = vocabulary;
	const never = (from: number, to: number) => logits.fill(Number.NEGATIVE_INFINITY, Math.max(0, from), Math.min(logits.length, to));
	for (const token of tokens.length === 0 ? [...suppressed, ...suppressedFirst, noTimestamps] : [...suppressed, noTimestamps]) never(token, token + 1);
	const isTime = (at: number) => (tokens.at(at) ?? -1) >= firstTimestamp;
	if (tokens.length === 0) {
		never(0, firstTimestamp);
		never(firstTimestamp + firstTimestampMax + 1, logits.length);
	} else {
		const afterTime = isTime(-1);
		const afterPair = tokens.length < 2 || isTime(-2);
		if (afterTime && afterPair) never(firstTimestamp, logits.length);
		else if (afterTime) never(0, end);
		const last = tokens.findLast((token) => token >= firstTimestamp);
		if (last !== undefined) never(firstTimestamp, afterTime && !afterPair ? last : last + 1);
	}
	const whole = logOfSum(logits, 0, logits.length);
	const times = logOfSum(logits, firstTimestamp, logits.length) - whole;
	if (times > largest(logits, 0, firstTimestamp).value - whole) never(0, firstTimestamp);
	const { index, value } = largest(logits, 0, logits.length);
	return { token: index, logProbability: value - whole };
}

/** Log-sum-exp, computed relative to the largest value for numerical stability. */
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
