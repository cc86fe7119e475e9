/** Opens an ONNX graph once, and runs it on batches of tokenised texts of similar length. Runs in the model's own process. */

import { dirname } from "node:path";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { ModelFolder } from "./model-folder.ts";
import { type Encoded, type Encoder, openEncoder } from "./tokens.ts";

export interface LoadedModel {
	readonly encoder: Encoder;
	/** Returns one value per text, in their order. `read` is called for each batch and returns one value per row. */
	readonly run: <Value>(texts: readonly Encoded[], read: (batch: Batch) => readonly Value[], done?: (count: number) => void) => Promise<readonly Value[]>;
}

export interface Batch {
	/** The outputs of the graph by name. */
	readonly outputs: Readonly<Record<string, Tensor>>;
	/** Names of the outputs, in the order of the graph. */
	readonly names: readonly string[];
	/** How many texts the batch has. */
	readonly rows: number;
	/** How many tokens the longest of them has. */
	readonly columns: number;
	/** 1 for a token and 0 for padding, one row after the other. */
	readonly mask: BigInt64Array;
}

/**
 * Tokens of one run, including padding. Attention takes memory by texts × length²: with texts of 512 tokens these are eight texts,
 * which take about 100 MB in a model with twelve heads.
 */
const tokensPerRun = 4_096;
const textsPerRun = 64;

/** The models that this process has opened. */
const opened = new Map<string, Promise<LoadedModel>>();

export function openModel(model: ModelFolder, threads: number): Promise<LoadedModel> {
	const key = `${model.modelFile} ${model.fingerprint}`;
	const known = opened.get(key);
	if (known !== undefined) return known;
	const opening = load(model, threads);
	opened.set(key, opening);
	opening.catch(() => opened.delete(key));
	return opening;
}

async function load(model: ModelFolder, threads: number): Promise<LoadedModel> {
	const ort = await import("onnxruntime-node");
	const encoder = await openEncoder(model);
	// Some exports name their weights file relative to the working directory, others relative to the graph.
	process.chdir(dirname(model.modelFile));
	const session = await ort.InferenceSession.create(model.modelFile, {
		executionProviders: ["cpu"],
		intraOpNumThreads: threads,
		interOpNumThreads: 1,
		graphOptimizationLevel: "all",
		// ONNX Runtime would store a memory pattern for each shape, and texts have every length.
		enableMemPattern: false,
		logSeverityLevel: 4,
	});
	return { encoder, run: (texts, read, done) => runAll(session, ort.Tensor, encoder.padId, texts, read, done) };
}

async function runAll<Value>(
	session: InferenceSession,
	tensor: typeof Tensor,
	padId: number,
	texts: readonly Encoded[],
	read: (batch: Batch) => readonly Value[],
	done: (count: number) => void = () => undefined,
): Promise<readonly Value[]> {
	const values = new Array<Value>(texts.length);
	let count = 0;
	for (const rows of bucketsOf(texts)) {
		const columns = Math.max(1, ...rows.map((row) => texts[row]?.ids.length ?? 0));
		const { feeds, mask } = feedsOf(
			session,
			tensor,
			rows.map((row) => texts[row] ?? emptyText),
			columns,
			padId,
		);
		const outputs = await session.run(feeds);
		const batchValues = read({ outputs, names: session.outputNames, rows: rows.length, columns, mask });
		for (const [i, row] of rows.entries()) values[row] = batchValues[i] as Value;
		for (const output of Object.values(outputs)) output.dispose();
		count += rows.length;
		done(count);
	}
	return values;
}

const emptyText: Encoded = { ids: [], types: [] };

/** Groups texts of similar length, given by index. The longest come first, so that a process that runs out of memory does so at once. */
export function bucketsOf(texts: readonly Encoded[]): readonly (readonly number[])[] {
	const byLength = [...texts.keys()].sort((a, b) => (texts[b]?.ids.length ?? 0) - (texts[a]?.ids.length ?? 0) || a - b);
	const buckets: number[][] = [];
	let rowsMax = 0;
	for (const row of byLength) {
		const bucket = buckets.at(-1);
		if (bucket !== undefined && bucket.length < rowsMax) bucket.push(row);
		else {
			buckets.push([row]);
			rowsMax = Math.max(1, Math.min(textsPerRun, Math.floor(tokensPerRun / Math.max(1, texts[row]?.ids.length ?? 1))));
		}
	}
	return buckets;
}

/** The inputs of a batch as tensors, and its mask. */
function feedsOf(session: InferenceSession, tensor: typeof Tensor, texts: readonly Encoded[], columns: number, padId: number) {
	const shape = [texts.length, columns];
	const size = texts.length * columns;
	const ids = new BigInt64Array(size).fill(BigInt(padId));
	const [mask, types, positions] = [new BigInt64Array(size), new BigInt64Array(size), new BigInt64Array(size)];
	for (const [row, text] of texts.entries()) {
		for (const [column, id] of text.ids.entries()) {
			const index = row * columns + column;
			ids[index] = BigInt(id);
			mask[index] = 1n;
			types[index] = BigInt(text.types[column] ?? 0);
			positions[index] = BigInt(column);
		}
	}
	const inputs: Readonly<Record<string, BigInt64Array>> = { input_ids: ids, attention_mask: mask, token_type_ids: types, position_ids: positions };
	const feeds: Record<string, Tensor> = {};
	for (const name of session.inputNames) {
		const values = inputs[name];
		if (values === undefined) throw new Error(`the graph has an input ${name}, which is not supported`);
		feeds[name] = new tensor("int64", values, shape);
	}
	return { feeds, mask };
}
