/**
 * A Whisper of three small graphs and a real tokenizer. It hears how loud a recording is, and says so: every recording is
 * "Hello storm" or "Hello harbour", from its beginning to the end of the first second.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Constant, type Node, type Value, writeOnnx } from "./onnx-graph.ts";

const words = ["Hello", "Ġharbour", "Ġstorm", "Ġtoday"];
const special = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|de|>", "<|transcribe|>", "<|nospeech|>", "<|notimestamps|>"];
const times = Array.from({ length: 151 }, (_, i) => `<|${(i * 0.02).toFixed(2)}|>`);
const vocabulary = [...words, ...special, ...times];
const size = vocabulary.length;
const id = (token: string) => vocabulary.indexOf(token);

/** What follows what. After `Hello` the loud word is a little less likely, until it is loud. */
const follows: readonly (readonly [before: string, next: string, logit: number])[] = [
	["<|startoftranscript|>", "<|en|>", 10],
	["<|transcribe|>", "<|0.00|>", 10],
	["<|0.00|>", "Hello", 10],
	["Hello", "Ġharbour", 10],
	["Hello", "Ġstorm", 9],
	["Ġharbour", "<|1.00|>", 10],
	["Ġstorm", "<|1.00|>", 10],
	["<|1.00|>", "<|endoftext|>", 10],
];

export async function writeWhisper(folder: string): Promise<void> {
	await mkdir(join(folder, "onnx"), { recursive: true });
	const json = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
	await json("config.json", { model_type: "whisper", architectures: ["WhisperForConditionalGeneration"], num_mel_bins: 80 });
	await json("generation_config.json", { suppress_tokens: [id("Ġtoday")], begin_suppress_tokens: [] });
	await json("tokenizer_config.json", { tokenizer_class: "WhisperTokenizer" });
	await json("tokenizer.json", tokenizer());
	const graph = (name: string, bytes: Uint8Array) => writeFile(join(folder, "onnx", name), bytes);
	await graph("encoder_model.onnx", encoder());
	await graph("decoder_model.onnx", decoder(false));
	await graph("decoder_with_past_model.onnx", decoder(true));
}

function tokenizer() {
	const added = [...special, ...times].map((content) => ({
		id: id(content),
		content,
		special: true,
		single_word: false,
		lstrip: false,
		rstrip: false,
		normalized: false,
	}));
	const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
	return {
		version: "1.0",
		truncation: null,
		padding: null,
		added_tokens: added,
		normalizer: null,
		pre_tokenizer: bytes,
		post_processor: null,
		decoder: bytes,
		model: { type: "BPE", vocab: Object.fromEntries(words.map((word) => [word, id(word)])), merges: [], unk_token: null },
	};
}

/** How loud it is where it is loudest. */
function encoder(): Uint8Array {
	return writeOnnx({
		nodes: [{ op: "ReduceMax", inputs: ["input_features"], output: "last_hidden_state", attributes: { axes: [1, 2], keepdims: 1 } }],
		constants: [],
		inputs: [{ name: "input_features", type: "float", shape: ["batch", 80, 3_000] }],
		outputs: [{ name: "last_hidden_state", type: "float", shape: ["batch", 1, 1] }],
	});
}

/** With a past it hears nothing anew: what it has heard comes with the past. */
function decoder(hasPast: boolean): Uint8Array {
	const table = new Float32Array(size * size);
	for (const [before, next, logit] of follows) table[id(before) * size + id(next)] = logit;
	const loudness = new Float32Array(size);
	loudness[id("Ġstorm")] = 4;
	const heard = hasPast ? "past_key_values.0.encoder.key" : "encoder_hidden_states";
	const nodes: readonly Node[] = [
		{ op: "Gather", inputs: ["table", "input_ids"], output: "next" },
		{ op: "Mul", inputs: [heard, "loudness"], output: "louder" },
		{ op: "Add", inputs: ["next", "louder"], output: "logits" },
		{ op: "Cast", inputs: ["input_ids"], output: hasPast ? "said" : "present.0.decoder.key", attributes: { to: 1 } },
		...(hasPast
			? [{ op: "Concat", inputs: ["past_key_values.0.decoder.key", "said"], output: "present.0.decoder.key", attributes: { axis: 1 } }]
			: [{ op: "Identity", inputs: ["encoder_hidden_states"], output: "present.0.encoder.key" }]),
	];
	const constants: readonly Constant[] = [
		{ name: "table", shape: [size, size], values: table },
		{ name: "loudness", shape: [size], values: loudness },
	];
	const value = (name: string, shape: Value["shape"]): Value => ({ name, type: name === "input_ids" ? "int64" : "float", shape });
	const past = [value("past_key_values.0.decoder.key", ["batch", "past"]), value("past_key_values.0.encoder.key", ["batch", 1, 1])];
	return writeOnnx({
		nodes,
		constants,
		inputs: [value("input_ids", ["batch", "length"]), ...(hasPast ? past : [value("encoder_hidden_states", ["batch", 1, 1])])],
		outputs: [
			value("logits", ["batch", "length", size]),
			value("present.0.decoder.key", ["batch", "all"]),
			...(hasPast ? [] : [value("present.0.encoder.key", ["batch", 1, 1])]),
		],
	});
}

/** A wave of 16 bits, of any number of channels, in which each sample is what it is told. */
export function waveOf(seconds: number, rate: number, channels: number, sample: (at: number) => number): Uint8Array {
	const count = Math.round(seconds * rate);
	const data = new Int16Array(count * channels);
	for (let i = 0; i < count; i++) for (let channel = 0; channel < channels; channel++) data[i * channels + channel] = Math.round(sample(i) * 32_000);
	const head = Buffer.alloc(44);
	head.write("RIFF");
	head.writeUInt32LE(36 + data.byteLength, 4);
	head.write("WAVEfmt ", 8);
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(channels, 22);
	head.writeUInt32LE(rate, 24);
	head.writeUInt32LE(rate * channels * 2, 28);
	head.writeUInt16LE(channels * 2, 32);
	head.writeUInt16LE(16, 34);
	head.write("data", 36);
	head.writeUInt32LE(data.byteLength, 40);
	return new Uint8Array(Buffer.concat([head, Buffer.from(data.buffer)]));
}

/** The same noise each time. */
export function noise(loudness: number): (at: number) => number {
	let state = 1;
	return () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
		return (state / 0x40000000 - 1) * loudness;
	};
}
