/** Transcribes a window of thirty seconds: segments with times, and where the next window begins. */

import { logMel, windowSeconds } from "./log-mel.ts";
import { nextToken, type Vocabulary } from "./next-token.ts";
import type { Decoder, Whisper } from "./open-whisper.ts";

export interface Segment {
	/** Seconds from the start of the window. */
	readonly begin: number;
	readonly end: number;
	readonly text: string;
}

export interface WindowTranscript {
	readonly segments: readonly Segment[];
	/** Where the next window begins, in seconds from the start of this one. */
	readonly next: number;
	readonly language: string | null;
}

const timeStep = 0.02;
/** The most tokens of a window: half of the decoder's context, as in the original. */
const tokensMax = 224;
/** A window counts as silent if the model predicts no speech with this probability, and its text has a lower log probability. */
const silence = { noSpeech: 0.6, logProbability: -1 } as const;
/** The decoder is in a loop if its last tokens repeat this many times. */
const repetition = { tokens: 8, times: 4 } as const;
/** The least step to the next window. A smaller one would hardly be progress. */
const advanceSecondsMin = 1;

/** @param language the language detected in an earlier window; null to detect it */
export async function transcribeWindow(samples: Float32Array, melBins: number, whisper: Whisper, language: string | null): Promise<WindowTranscript> {
	const { vocabulary } = whisper;
	const decoder = await whisper.encode(logMel(samples, melBins), melBins);
	const first = await decoder.decode([vocabulary.start]);
	const noSpeech = vocabulary.noSpeech === null ? 0 : probabilityOf(first, vocabulary.noSpeech);
	const detected = languageIn(first, vocabulary, language);
	const prompt = detected === null ? [] : [detected.token, vocabulary.transcribe];
	const { tokens, logProbability } = await decodeGreedily(prompt.length === 0 ? first : await decodeAll(decoder, prompt), decoder, vocabulary);
	if (noSpeech > silence.noSpeech && logProbability < silence.logProbability) return { segments: [], next: windowSeconds, language };
	return { ...toSegments(tokens, whisper), language: detected?.language ?? language };
}

/** Decodes tokens one by one, since the graph with a key-value cache accepts only one token. */
async function decodeAll(decoder: Decoder, tokens: readonly number[]): Promise<Float32Array> {
	let logits: Float32Array = new Float32Array();
	for (const token of tokens) logits = await decoder.decode([token]);
	return logits;
}

/** Takes the likeliest token at each step. */
async function decodeGreedily(
	first: Float32Array,
	decoder: Decoder,
	vocabulary: Vocabulary,
): Promise<{ readonly tokens: readonly number[]; readonly logProbability: number }> {
	const tokens: number[] = [];
	let logits = first;
	let sum = 0;
	while (tokens.length < tokensMax) {
		const { token, logProbability } = nextToken(logits, tokens, vocabulary);
		sum += logProbability;
		if (token === vocabulary.end) break;
		tokens.push(token);
		if (isLooping(tokens)) break;
		logits = await decoder.decode([token]);
	}
	return { tokens, logProbability: sum / (tokens.length + 1) };
}

function isLooping(tokens: readonly number[]): boolean {
	const last = tokens.slice(-repetition.tokens).join();
	if (tokens.length < repetition.tokens * repetition.times) return false;
	return Array.from({ length: repetition.times }, (_, i) =>
		tokens.slice(tokens.length - repetition.tokens * (i + 1), tokens.length - repetition.tokens * i).join(),
	).every((part) => part === last);
}

function languageIn(logits: Float32Array, { languages }: Vocabulary, known: string | null): { readonly token: number; readonly language: string } | null {
	const candidates = [...languages].map(([token, language]) => ({ token, language }));
	const knownLanguage = candidates.find(({ language }) => language === known);
	if (knownLanguage !== undefined) return knownLanguage;
	return candidates.toSorted((a, b) => (logits[b.token] ?? 0) - (logits[a.token] ?? 0))[0] ?? null;
}

function probabilityOf(logits: Float32Array, token: number): number {
	const largest = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
	const sum = logits.reduce((total, value) => total + Math.exp(value - largest), 0);
	return Math.exp((logits[token] ?? Number.NEGATIVE_INFINITY) - largest) / sum;
}

/** Converts the text between two timestamps to segments. Text without an end was cut by the window, and is transcribed again in the next one. */
export function toSegments(
	tokens: readonly number[],
	{ vocabulary: { firstTimestamp }, textOf }: Pick<Whisper, "textOf"> & { readonly vocabulary: Pick<Vocabulary, "firstTimestamp"> },
): Pick<WindowTranscript, "segments" | "next"> {
	const segments: Segment[] = [];
	let begin = 0;
	let textTokens: number[] = [];
	for (const token of tokens) {
		if (token < firstTimestamp) {
			textTokens.push(token);
			continue;
		}
		const time = (token - firstTimestamp) * timeStep;
		const text = textOf(textTokens).trim();
		if (text !== "") segments.push({ begin, end: Math.max(begin, time), text });
		begin = time;
		textTokens = [];
	}
	const unfinishedText = textOf(textTokens).trim();
	if (unfinishedText === "") return { segments, next: windowSeconds };
	const last = segments.at(-1);
	if (last !== undefined && last.end >= advanceSecondsMin) return { segments, next: last.end };
	return { segments: [...segments, { begin, end: windowSeconds, text: unfinishedText }], next: windowSeconds };
}
