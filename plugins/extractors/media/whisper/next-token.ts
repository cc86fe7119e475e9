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
	/** Null if the model has no such token. */
	readonly noSpeech: number | null;
	/** Languages by token. Empty in an English-only model. */
	readonly languages: ReadonlyMap<number, string>;
	readonly suppressed: readonly number[];
	readonly suppressedFirst: readonly number[];
}

/** A window may begin with at most one second of silence, in steps of 20 ms. */
const firstTimestampMax = 50;

/** Changes `logits`. @param tokens the tokens generated so far, without the prompt */
export function nextToken(
	logits: Float32Array,
	tokens: readonly number[],
	vocabulary: Vocabulary,
): { readonly token: number; readonly logProbability: number } {
	const { end, noTimestamps, firstTimestamp, suppressed, suppressedFirst } = vocabulary;
	const exclude = (start: number, stop: number) => logits.fill(Number.NEGATIVE_INFINITY, Math.max(0, start), Math.min(logits.length, stop));
	for (const token of tokens.length === 0 ? [...suppressed, ...suppressedFirst, noTimestamps] : [...suppressed, noTimestamps]) exclude(token, token + 1);
	const isTime = (at: number) => (tokens.at(at) ?? -1) >= firstTimestamp;
	if (tokens.length === 0) {
		exclude(0, firstTimestamp);
		exclude(firstTimestamp + firstTimestampMax + 1, logits.length);
	} else {
		const afterTime = isTime(-1);
		const afterPair = tokens.length < 2 || isTime(-2);
		if (afterTime && afterPair) exclude(firstTimestamp, logits.length);
		else if (afterTime) exclude(0, end);
		const last = tokens.findLast((token) => token >= firstTimestamp);
		if (last !== undefined) exclude(firstTimestamp, afterTime && !afterPair ? last : last + 1);
	}
	const logTotal = logOfSum(logits, 0, logits.length);
	const logOfTimestamps = logOfSum(logits, firstTimestamp, logits.length) - logTotal;
	if (logOfTimestamps > largest(logits, 0, firstTimestamp).value - logTotal) exclude(0, firstTimestamp);
	const { index, value } = largest(logits, 0, logits.length);
	return { token: index, logProbability: value - logTotal };
}

/** Log-sum-exp, computed relative to the largest value for numerical stability. */
export function logOfSum(logits: Float32Array, start: number, stop: number): number {
	const { value: largestLogit } = largest(logits, start, stop);
	if (largestLogit === Number.NEGATIVE_INFINITY) return largestLogit;
	let sum = 0;
	for (let i = start; i < stop; i++) sum += Math.exp((logits[i] ?? Number.NEGATIVE_INFINITY) - largestLogit);
	return largestLogit + Math.log(sum);
}

export function largest(logits: Float32Array, start: number, stop: number): { readonly index: number; readonly value: number } {
	let index = start;
	let value = Number.NEGATIVE_INFINITY;
	for (let i = start; i < stop; i++) {
		const logit = logits[i] ?? Number.NEGATIVE_INFINITY;
		if (logit > value) {
			index = i;
			value = logit;
		}
	}
	return { index, value };
}
