/** Pools token embeddings into one unit vector per text. Mean pooling after Reimers & Gurevych (2019). */

import type { Vector } from "cairn-memory";
import type { Tensor } from "onnxruntime-node";
import type { ModelFolder } from "../../local-models/model-folder.ts";
import type { Batch } from "../../local-models/run-model.ts";

/** @throws Error with the shape or type of the output, if it is not what the folder declares. */
export function poolRows(
	{ outputs, names, rows, columns, mask }: Batch,
	{ pooling, dimensions }: Pick<ModelFolder, "pooling" | "dimensions">,
): readonly Vector[] {
	const output = chooseOutput(outputs, names);
	const { data, dims, type } = output;
	if (!(data instanceof Float32Array)) throw new Error(`its output is of type ${type} instead of float32`);
	if (dims[0] !== rows || dims.at(-1) !== dimensions) throw new Error(`its output has the shape ${dims.join(" × ")} instead of ${dimensions} numbers per text`);
	if (dims.length === 2) return Array.from({ length: rows }, (_, row) => unit(data.slice(row * dimensions, (row + 1) * dimensions)));
	if (dims.length !== 3 || dims[1] !== columns) throw new Error(`its output has the shape ${dims.join(" × ")}`);
	return Array.from({ length: rows }, (_, row) => {
		const tokens = data.subarray(row * columns * dimensions, (row + 1) * columns * dimensions);
		const weights = weightsOf(pooling, mask.subarray(row * columns, (row + 1) * columns));
		return unit(weightedSum(tokens, weights, dimensions));
	});
}

/** Prefers an output that is already pooled, which some graphs have. */
function chooseOutput(outputs: Batch["outputs"], names: readonly string[]): Tensor {
	for (const name of ["sentence_embedding", "last_hidden_state", "token_embeddings", ...names]) {
		const output = outputs[name];
		if (output !== undefined) return output;
	}
	throw new Error("the graph has no output");
}

/** The weight of each token of a text. */
function weightsOf(pooling: ModelFolder["pooling"], mask: BigInt64Array): readonly number[] {
	if (pooling === "mean") return Array.from(mask, Number);
	const chosenColumn = pooling === "cls" ? 0 : mask.lastIndexOf(1n);
	return Array.from(mask, (_, column) => (column === chosenColumn ? 1 : 0));
}

function weightedSum(tokens: Float32Array, weights: readonly number[], dimensions: number): Float32Array {
	const sum = new Float32Array(dimensions);
	for (const [column, weight] of weights.entries()) {
		if (weight === 0) continue;
		for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (tokens[column * dimensions + i] ?? 0);
	}
	return sum;
}

/** Normalises a vector. NaN stays NaN, which core reports. */
function unit(vector: Float32Array): Vector {
	let norm = 0;
	for (const value of vector) norm += value * value;
	const scale = 1 / Math.sqrt(norm);
	return norm === 0 ? vector : vector.map((value) => value * scale);
}
