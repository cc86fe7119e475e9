/** An ONNX graph that reads tokens: opened once, fed in batches of texts of like length. Runs in a process of its own. */

import { dirname } from "node:path";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { ModelFolder } from "./model-folder.ts";
import { type Encoded, type Encoder, openEncoder } from "./tokens.ts";

export interface LoadedModel {
	readonly encoder: Encoder;
	/** One value for each text, in their order. `read` is called for each batch and answers one value a row. */
	readonly run: <Value>(texts: readonly Encoded[], read: (batch: Batch) => readonly Value[], done?: (count: number) => void) => Promise<readonly Value[]>;
}

export interface Batch {
	readonly outputs: Readonly<Record<string, Tensor>>;
	readonly names: readonly string[];
	readonly rows: number;
	readonly columns: number;
	/** 1 for a token and 0 for padding, row after row. */
	readonly mask: BigInt64Array;
}

/**
 * Of one run, padding included. Attention takes memory by texts × length²: at 512 tokens 4,096 are eight texts and about
 * 100 MB for a model with twelve heads.
 */
const tokensPerRun = 4_096;
const textsPerRun = 64;

/** In this process; a model is opened once. */
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
	// Weights beside the graph are named relative to the working folder by some exports, to the graph by others.
	process.chdir(dirname(model.modelFile));
	const session = await ort.InferenceSession.create(model.modelFile, {
		executionProviders: ["cpu"],
		intraOpNumThreads: threads,
		interOpNumThreads: 1,
		graphOptimizationLevel: "all",
		// Patterns are kept for each shape, and texts come in every length.
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
			rows.map((row) => texts[row] ?? nothing),
			columns,
			padId,
		);
		const outputs = await session.run(feeds);
		const found = read({ outputs, names: session.outputNames, rows: rows.length, columns, mask });
		for (const [i, row] of rows.entries()) values[row] = found[i] as Value;
		for (const output of Object.values(outputs)) output.dispose();
		count += rows.length;
		done(count);
	}
	return values;
}

const nothing: Encoded = { ids: [], types: [] };

/** Rows by length, the longest first, so that a process that runs out of memory does so at once. */
export function bucketsOf(texts: readonly Encoded[]): readonly (readonly number[])[] {
	const byLength = [...texts.keys()].sort((a, b) => (texts[b]?.ids.length ?? 0) - (texts[a]?.ids.length ?? 0) || a - b);
	const buckets: number[][] = [];
	let room = 0;
	for (const row of byLength) {
		const bucket = buckets.at(-1);
		if (bucket !== undefined && bucket.length < room) bucket.push(row);
		else {
			buckets.push([row]);
			room = Math.max(1, Math.min(textsPerRun, Math.floor(tokensPerRun / Math.max(1, texts[row]?.ids.length ?? 1))));
		}
	}
	return buckets;
}

function feedsOf(session: InferenceSession, tensor: typeof Tensor, texts: readonly Encoded[], columns: number, padId: number) {
	const shape = [texts.length, columns];
	const size = texts.length * columns;
	const ids = new BigInt64Array(size).fill(BigInt(padId));
	const [mask, types, positions] = [new BigInt64Array(size), new BigInt64Array(size), new BigInt64Array(size)];
	for (const [row, text] of texts.entries()) {
		for (const [column, id] of text.ids.entries()) {
			const at = row * columns + column;
			ids[at] = BigInt(id);
			mask[at] = 1n;
			types[at] = BigInt(text.types[column] ?? 0);
			positions[at] = BigInt(column);
		}
	}
	const known: Readonly<Record<string, BigInt64Array>> = { input_ids: ids, attention_mask: mask, token_type_ids: types, position_ids: positions };
	const feeds: Record<string, Tensor> = {};
	for (const name of session.inputNames) {
		const values = known[name];
		if (values === undefined) throw new Error(`the graph asks for ${name}, which is not known here`);
		feeds[name] = new tensor("int64", values, shape);
	}
	return { feeds, mask };
}
