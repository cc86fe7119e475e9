/** Small models in folders as the hub has them: real graphs, real tokenizers, vectors by the words of a text. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Constant, type Graph, type Node, type Value, writeOnnx } from "./onnx-graph.ts";

export interface TestModel {
	readonly dimensions?: number;
	readonly pooling?: "mean" | "cls";
	/** Another one makes another model of the same form. */
	readonly seed?: number;
	readonly maxPositions?: number;
	readonly prompts?: Readonly<Record<string, string>>;
	/** Leaves the vectors of this word undefined. */
	readonly poison?: string;
	readonly words?: readonly string[];
}

const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
/** Words of the contract tests' texts that tell, as one piece each; everything else is spelled. */
const usualWords =
	"the ferry leaves harbour at five in winter last departs from basil needs warm soil and plenty of light how do i reset my password steps to a forgotten museum shows paintings northern school ana works as nurse oslo is who invoice number printed top right query passage : ?";

export async function writeEmbedder(folder: string, model: TestModel = {}): Promise<void> {
	const { dimensions = 32, pooling = "mean", maxPositions = 128, prompts } = model;
	const vocabulary = await writeTokenizer(folder, model);
	const table = tableOf(vocabulary, dimensions, model);
	await writeJson(folder, "config.json", { architectures: ["BertModel"], model_type: "bert", hidden_size: dimensions, max_position_embeddings: maxPositions });
	await mkdir(join(folder, "1_Pooling"), { recursive: true });
	await writeJson(folder, "1_Pooling/config.json", {
		word_embedding_dimension: dimensions,
		[`pooling_mode_${pooling === "cls" ? "cls_token" : "mean_tokens"}`]: true,
	});
	await writeJson(folder, "modules.json", [
		{ idx: 0, name: "0", path: "", type: "sentence_transformers.models.Transformer" },
		{ idx: 1, name: "1", path: "1_Pooling", type: "sentence_transformers.models.Pooling" },
		{ idx: 2, name: "2", path: "2_Normalize", type: "sentence_transformers.models.Normalize" },
	]);
	if (prompts !== undefined) await writeJson(folder, "config_sentence_transformers.json", { prompts });
	await mkdir(join(folder, "onnx"), { recursive: true });
	await writeFile(join(folder, "onnx", "model.onnx"), writeOnnx(lookUp(table, vocabulary.length, dimensions)));
}

export async function writeReranker(folder: string, model: TestModel = {}): Promise<void> {
	const { dimensions = 32, maxPositions = 128 } = model;
	const vocabulary = await writeTokenizer(folder, model);
	const table = tableOf(vocabulary, dimensions, model).fill(0, 0, dimensions * special.length);
	await writeJson(folder, "config.json", {
		architectures: ["BertForSequenceClassification"],
		model_type: "bert",
		hidden_size: dimensions,
		max_position_embeddings: maxPositions,
	});
	await writeFile(join(folder, "model.onnx"), writeOnnx(likeness(table, vocabulary.length, dimensions)));
}

/** The vector of each token, as a transformer without layers would answer it. */
function lookUp(table: Float32Array, size: number, dimensions: number): Graph {
	return {
		nodes: [{ op: "Gather", inputs: ["table", "input_ids"], output: "last_hidden_state" }],
		constants: [{ name: "table", shape: [size, dimensions], values: table }],
		inputs: [tokens("input_ids"), tokens("attention_mask"), tokens("token_type_ids")],
		outputs: [{ name: "last_hidden_state", type: "float", shape: ["batch", "length", dimensions] }],
	};
}

/** Ten times the cosine of the words of the two texts, less five. */
function likeness(table: Float32Array, size: number, dimensions: number): Graph {
	const nodes: readonly Node[] = [
		{ op: "Gather", inputs: ["table", "input_ids"], output: "vectors" },
		{ op: "Cast", inputs: ["attention_mask"], output: "mask", attributes: { to: 1 } },
		{ op: "Cast", inputs: ["token_type_ids"], output: "second", attributes: { to: 1 } },
		{ op: "Sub", inputs: ["one", "second"], output: "first" },
		...["first", "second"].flatMap((side): readonly Node[] => [
			{ op: "Mul", inputs: [side, "mask"], output: `${side}Counts` },
			{ op: "Unsqueeze", inputs: [`${side}Counts`, "last"], output: `${side}Weights` },
			{ op: "Mul", inputs: ["vectors", `${side}Weights`], output: `${side}Weighted` },
			{ op: "ReduceSum", inputs: [`${side}Weighted`, "middle"], output: `${side}Sum`, attributes: { keepdims: 0 } },
			{ op: "ReduceL2", inputs: [`${side}Sum`], output: `${side}Norm`, attributes: { axes: [1], keepdims: 1 } },
			{ op: "Max", inputs: [`${side}Norm`, "tiny"], output: `${side}Length` },
			{ op: "Div", inputs: [`${side}Sum`, `${side}Length`], output: `${side}Unit` },
		]),
		{ op: "Mul", inputs: ["firstUnit", "secondUnit"], output: "products" },
		{ op: "ReduceSum", inputs: ["products", "middle"], output: "cosine", attributes: { keepdims: 1 } },
		{ op: "Mul", inputs: ["cosine", "ten"], output: "scaled" },
		{ op: "Sub", inputs: ["scaled", "five"], output: "logits" },
	];
	const constants: readonly Constant[] = [
		{ name: "table", shape: [size, dimensions], values: table },
		{ name: "one", shape: [1], values: Float32Array.of(1) },
		{ name: "ten", shape: [1], values: Float32Array.of(10) },
		{ name: "five", shape: [1], values: Float32Array.of(5) },
		{ name: "tiny", shape: [1], values: Float32Array.of(1e-9) },
		{ name: "middle", shape: [1], values: BigInt64Array.of(1n) },
		{ name: "last", shape: [1], values: BigInt64Array.of(2n) },
	];
	return {
		nodes,
		constants,
		inputs: [tokens("input_ids"), tokens("attention_mask"), tokens("token_type_ids")],
		outputs: [{ name: "logits", type: "float", shape: ["batch", 1] }],
	};
}

function tokens(name: string): Value {
	return { name, type: "int64", shape: ["batch", "length"] };
}

/** Each word its own direction, the special tokens next to none. */
function tableOf(vocabulary: readonly string[], dimensions: number, { seed = 1, poison }: TestModel): Float32Array {
	let state = seed;
	const random = () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
		return state / 0x40000000 - 1;
	};
	const table = Float32Array.from({ length: vocabulary.length * dimensions }, (_, at) => random() * (at < special.length * dimensions ? 0.05 : 1));
	const poisoned = poison === undefined ? -1 : vocabulary.indexOf(poison);
	return poisoned < 0 ? table : table.fill(Number.NaN, poisoned * dimensions, (poisoned + 1) * dimensions);
}

async function writeTokenizer(folder: string, { words = [] }: TestModel): Promise<readonly string[]> {
	const vocabulary = [...new Set([...special, ...usualWords.split(" "), ...words, ...letters, ...letters.map((letter) => `##${letter}`)])];
	const id = (token: string) => vocabulary.indexOf(token);
	const part = (token: string, type_id: number) => ({ SpecialToken: { id: token, type_id } });
	const sequence = (name: "A" | "B", type_id: number) => ({ Sequence: { id: name, type_id } });
	const named = (token: string) => [token, { id: token, ids: [id(token)], tokens: [token] }] as const;
	await mkdir(folder, { recursive: true });
	await writeJson(folder, "tokenizer.json", {
		version: "1.0",
		truncation: null,
		padding: null,
		added_tokens: special.map((content) => ({ id: id(content), content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false })),
		normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
		pre_tokenizer: { type: "BertPreTokenizer" },
		post_processor: {
			type: "TemplateProcessing",
			single: [part("[CLS]", 0), sequence("A", 0), part("[SEP]", 0)],
			pair: [part("[CLS]", 0), sequence("A", 0), part("[SEP]", 0), sequence("B", 1), part("[SEP]", 1)],
			special_tokens: Object.fromEntries([named("[CLS]"), named("[SEP]")]),
		},
		decoder: { type: "WordPiece", prefix: "##", cleanup: true },
		model: {
			type: "WordPiece",
			unk_token: "[UNK]",
			continuing_subword_prefix: "##",
			max_input_chars_per_word: 100,
			vocab: Object.fromEntries(vocabulary.map((token, at) => [token, at])),
		},
	});
	await writeJson(folder, "tokenizer_config.json", { tokenizer_class: "BertTokenizer", pad_token: "[PAD]", model_max_length: 512 });
	return vocabulary;
}

async function writeJson(folder: string, name: string, value: unknown): Promise<void> {
	await writeFile(join(folder, name), JSON.stringify(value));
}
