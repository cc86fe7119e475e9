/** Opens Whisper's three ONNX graphs and its tokenizer, once per process. */

import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { WhisperFolder } from "./find-whisper.ts";
import type { Vocabulary } from "./next-token.ts";

export interface Whisper {
	readonly vocabulary: Vocabulary;
	readonly textOf: (tokens: readonly number[]) => string;
	/** Runs the encoder on a spectrogram, and returns a decoder for its output. */
	readonly encode: (mel: Float32Array, melBins: number) => Promise<Decoder>;
}

export interface Decoder {
	/** Returns the logits of the last token. Each call continues after the tokens of earlier ones. */
	readonly decode: (tokens: readonly number[]) => Promise<Float32Array>;
}

const modelsByFile = new Map<string, Promise<Whisper>>();

export function openWhisper(folder: WhisperFolder, threads: number): Promise<Whisper> {
	const cached = modelsByFile.get(folder.encoderFile);
	if (cached !== undefined) return cached;
	const loading = load(folder, threads);
	modelsByFile.set(folder.encoderFile, loading);
	loading.catch(() => modelsByFile.delete(folder.encoderFile));
	return loading;
}

async function load(folder: WhisperFolder, threads: number): Promise<Whisper> {
	const ort = await import("onnxruntime-node");
	const open = (file: string) =>
		ort.InferenceSession.create(file, {
			executionProviders: ["cpu"],
			intraOpNumThreads: threads,
			interOpNumThreads: 1,
			graphOptimizationLevel: "all",
			logSeverityLevel: 4,
		});
	const encoder = await open(folder.encoderFile);
	const decoder = await open(folder.decoderFile);
	const decoderWithPast = await open(folder.decoderWithPastFile);
	const tokenizer = new Tokenizer(await readJson(folder.tokenizerFile), folder.tokenizerConfigFile === null ? {} : await readJson(folder.tokenizerConfigFile));
	return {
		vocabulary: vocabularyOf(tokenizer, folder),
		textOf: (tokens) => (tokens.length === 0 ? "" : tokenizer.decode([...tokens], { skip_special_tokens: true })),
		encode: async (mel, melBins) => {
			const [input = "input_features"] = encoder.inputNames;
			const outputs = await encoder.run({ [input]: new ort.Tensor("float32", mel, [1, melBins, mel.length / melBins]) });
			const states = outputs[encoder.outputNames[0] ?? ""];
			if (states === undefined) throw new Error("the encoder has no output");
			return { decode: createDecoder(ort.Tensor, decoder, decoderWithPast, states) };
		},
	};
}

/** Keeps the key-value cache: the outputs `present.…` of one step are the inputs `past_key_values.…` of the next. */
function createDecoder(tensor: typeof Tensor, decoder: InferenceSession, decoderWithPast: InferenceSession, states: Tensor): Decoder["decode"] {
	const past = new Map<string, Tensor>();
	return async (tokens) => {
		const session = past.size === 0 ? decoder : decoderWithPast;
		const ids = new tensor("int64", BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
		const cached: Readonly<Record<string, Tensor>> = { input_ids: ids, encoder_hidden_states: states, ...Object.fromEntries(past) };
		const feeds: Record<string, Tensor> = {};
		for (const name of session.inputNames) {
			const value = cached[name];
			if (value === undefined) throw new Error(`the decoder has an unknown input ${name}`);
			feeds[name] = value;
		}
		const outputs = await session.run(feeds);
		for (const [name, value] of Object.entries(outputs)) if (name.startsWith("present.")) past.set(name.replace("present.", "past_key_values."), value);
		const logits = outputs["logits"];
		if (logits === undefined || !(logits.data instanceof Float32Array)) throw new Error("the decoder does not return float32 logits");
		const size = logits.dims.at(-1) ?? 0;
		return logits.data.slice(logits.data.length - size);
	};
}

function vocabularyOf(tokenizer: Tokenizer, { suppressed, suppressedFirst }: WhisperFolder): Vocabulary {
	const id = (...names: readonly string[]): number => {
		for (const name of names) {
			const found = tokenizer.token_to_id(name);
			if (found !== undefined) return found;
		}
		throw new Error(`its tokenizer has no token ${names[0]}`);
	};
	const noTimes = id("<|notimestamps|>");
	const languageTokens = [...tokenizer.get_added_tokens_decoder()].flatMap(([token, { content }]) => {
		const language = /^<\|([a-z]{2,3})\|>$/.exec(content)?.[1];
		return language === undefined ? [] : [[token, language] as const];
	});
	return {
		end: id("<|endoftext|>"),
		start: id("<|startoftranscript|>"),
		transcribe: id("<|transcribe|>"),
		noTimestamps: noTimes,
		firstTimestamp: tokenizer.token_to_id("<|0.00|>") ?? noTimes + 1,
		noSpeech: tokenizer.token_to_id("<|nospeech|>") ?? tokenizer.token_to_id("<|nocaptions|>") ?? null,
		languages: new Map(languageTokens),
		suppressed,
		suppressedFirst,
	};
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
	return JSON.parse(await readFile(file, "utf8"));
}
