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
	/** Seconds from the start of the window. */
	readonly next: number;
	readonly language: string | null;
}

const timeStep = 0.02;
/** Half of the decoder's context, as in the original. */
const tokensMax = 224;
/** A window counts as silent when the model predicts no speech and its text has a low probability. */
const silent = { noSpeech: 0.6, logProbability: -1 } as const;
/** The decoder loops when its last tokens repeat so often. */
const loop = { tokens: 8, times: 4 } as const;
/** Seconds. A smaller step forward would hardly be progress. */
const advanceMin = 1;

/** @param language as detected in an earlier window; null to detect it. */
export async function transcribeWindow(samples: Float32Array, melBins: number, whisper: Whisper, language: string | null): Promise<WindowTranscript> {
	const { vocabulary } = whisper;
	const decoder = await whisper.encode(logMel(samples, melBins), melBins);
	const first = await decoder.decode([vocabulary.start]);
	const noSpeech = vocabulary.noSpeech === null ? 0 : probabilityOf(first, vocabulary.noSpeech);
	const spoken = languageIn(first, vocabulary, language);
	const prompt = spoken === null ? [] : [spoken.token, vocabulary.transcribe];
	const { tokens, logProbability } = await decodeGreedily(prompt.length === 0 ? first : await decodeAll(decoder, prompt), decoder, vocabulary);
	if (noSpeech > silent.noSpeech && logProbability < silent.logProbability) return { segments: [], next: windowSeconds, language };
	return { ...toSegments(tokens, whisper), language: spoken?.language ?? language };
}

/** One token at a time: the graph with a key-value cache takes one token. */
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
	const last = tokens.slice(-loop.tokens).join();
	if (tokens.length < loop.tokens * loop.times) return false;
	return Array.from({ length: loop.times }, (_, i) => tokens.slice(tokens.length - loop.tokens * (i + 1), tokens.length - loop.tokens * i).join()).every(
		(part) => part === last,
	);
}

function languageIn(logits: Float32Array, { languages }: Vocabulary, known: string | null): { readonly token: number; readonly language: string } | null {
	const candidates = [...languages].map(([token, language]) => ({ token, language }));
	const same = candidates.find(({ language }) => language === known);
	if (same !== undefined) return same;
	return candidates.toSorted((a, b) => (logits[b.token] ?? 0) - (logits[a.token] ?? 0))[0] ?? null;
}

function probabilityOf(logits: Float32Array, token: number): number {
	const most = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
	const sum = logits.reduce((total, value) => total + Math.exp(value - most), 0);
	return Math.exp((logits[token] ?? Number.NEGATIVE_INFINITY) - most) / sum;
}

/** The text between two timestamps is a segment. Text without an end was cut by the window, and is transcribed again in the next. */
export function toSegments(
	tokens: readonly number[],
	{ vocabulary: { firstTimestamp }, textOf }: Pick<Whisper, "textOf"> & { readonly vocabulary: Pick<Vocabulary, "firstTimestamp"> },
): Pick<WindowTranscript, "segments" | "next"> {
	const segments: Segment[] = [];
	let begin = 0;
	let words: number[] = [];
	for (const token of tokens) {
		if (token < firstTimestamp) {
			words.push(token);
			continue;
		}
		const time = (token - firstTimestamp) * timeStep;
		const text = textOf(words).trim();
		if (text !== "") segments.push({ begin, end: Math.max(begin, time), text });
		begin = time;
		words = [];
	}
	const rest = textOf(words).trim();
	if (rest === "") return { segments, next: windowSeconds };
	const last = segments.at(-1);
	if (last !== undefined && last.end >= advanceMin) return { segments, next: last.end };
	return { segments: [...segments, { begin, end: windowSeconds, text: rest }], next: windowSeconds };
}
