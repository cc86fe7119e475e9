/** Thirty seconds of sound → what is said in them, with times, and where to go on. */

import { logMel, windowSeconds } from "./log-mel.ts";
import { nextToken, type Vocabulary } from "./next-token.ts";
import type { Heard, Whisper } from "./open-whisper.ts";

export interface Said {
	/** Seconds from the start of the window. */
	readonly begin: number;
	readonly end: number;
	readonly text: string;
}

export interface HeardWindow {
	readonly said: readonly Said[];
	/** Seconds from the start of the window. */
	readonly next: number;
	readonly language: string | null;
}

const timeStep = 0.02;
/** Half of what the decoder can hold, as Whisper's own does. */
const tokensMax = 224;
/** A window without speech: it says so itself, and what it would say it does not believe. */
const silent = { noSpeech: 0.6, logProbability: -1 } as const;
/** A decoder that has lost its way says the same again and again. */
const loop = { tokens: 8, times: 4 } as const;
/** Less would be no progress. */
const advanceMin = 1;

/** @param language as heard before; null to find it out. */
export async function transcribeWindow(samples: Float32Array, bands: number, whisper: Whisper, language: string | null): Promise<HeardWindow> {
	const { vocabulary } = whisper;
	const heard = await whisper.hear(logMel(samples, bands), bands);
	const first = await heard.say([vocabulary.start]);
	const noSpeech = vocabulary.noSpeech === null ? 0 : probabilityOf(first, vocabulary.noSpeech);
	const spoken = languageIn(first, vocabulary, language);
	const prompt = spoken === null ? [] : [spoken.token, vocabulary.transcribe];
	const { tokens, logProbability } = await speak(prompt.length === 0 ? first : await sayAll(heard, prompt), heard, vocabulary);
	if (noSpeech > silent.noSpeech && logProbability < silent.logProbability) return { said: [], next: windowSeconds, language };
	return { ...cut(tokens, whisper), language: spoken?.language ?? language };
}

/** One after the other: a graph that goes on from what was said takes one token. */
async function sayAll(heard: Heard, tokens: readonly number[]): Promise<Float32Array> {
	let logits: Float32Array = new Float32Array();
	for (const token of tokens) logits = await heard.say([token]);
	return logits;
}

/** The likeliest at each step. */
async function speak(
	first: Float32Array,
	heard: Heard,
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
		if (isLost(tokens)) break;
		logits = await heard.say([token]);
	}
	return { tokens, logProbability: sum / (tokens.length + 1) };
}

function isLost(tokens: readonly number[]): boolean {
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

/** Between two times is what was said. What has no end was cut by the window, and is heard again in the next. */
export function cut(
	tokens: readonly number[],
	{ vocabulary: { firstTime }, textOf }: Pick<Whisper, "textOf"> & { readonly vocabulary: Pick<Vocabulary, "firstTime"> },
): Pick<HeardWindow, "said" | "next"> {
	const said: Said[] = [];
	let begin = 0;
	let words: number[] = [];
	for (const token of tokens) {
		if (token < firstTime) {
			words.push(token);
			continue;
		}
		const time = (token - firstTime) * timeStep;
		const text = textOf(words).trim();
		if (text !== "") said.push({ begin, end: Math.max(begin, time), text });
		begin = time;
		words = [];
	}
	const rest = textOf(words).trim();
	if (rest === "") return { said, next: windowSeconds };
	const last = said.at(-1);
	if (last !== undefined && last.end >= advanceMin) return { said, next: last.end };
	return { said: [...said, { begin, end: windowSeconds, text: rest }], next: windowSeconds };
}
