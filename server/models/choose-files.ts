/** Chooses the few files of a model's repository that are needed: one graph with its weights, and its configuration. */

import { fail } from "../../core/errors/fail.ts";
import type { HubFile } from "./hub.ts";

const configFiles: ReadonlySet<string> = new Set([
	"config.json",
	"tokenizer.json",
	"tokenizer_config.json",
	"special_tokens_map.json",
	"modules.json",
	"sentence_bert_config.json",
	"config_sentence_transformers.json",
	"1_Pooling/config.json",
	"generation_config.json",
	"preprocessor_config.json",
]);
/** Possible paths of the full-precision graph; quantised graphs give different vectors. */
const graphs = ["onnx/model.onnx", "model.onnx"];

/** @throws ServiceError `MODEL_PULL_FAILED` */
export function chooseFiles(files: readonly HubFile[], name: string): readonly HubFile[] {
	const safe = files.filter(({ path }) => isSafe(path));
	if (safe.some(({ path }) => path === whisperGraphs[0])) return chooseWhisper(safe, name);
	const graph = graphs.find((path) => safe.some((file) => file.path === path));
	if (graph === undefined) throw fail("MODEL_PULL_FAILED", name, "its repository has no onnx/model.onnx");
	if (!safe.some(({ path }) => path === "tokenizer.json")) throw fail("MODEL_PULL_FAILED", name, "its repository has no tokenizer.json");
	const folder = graph.slice(0, -"model.onnx".length);
	// Large graphs have their weights in separate files, with names chosen by the exporter.
	const isWeight = ({ path }: HubFile) => path.startsWith(folder) && /^(model\.onnx[._]data.*|Constant_\d+_attr__value)$/.test(path.slice(folder.length));
	return safe.filter((file) => file.path === graph || configFiles.has(file.path) || isWeight(file));
}

/** The encoder, the decoder for the first token, and the decoder with a key-value cache. */
const whisperGraphs = ["onnx/encoder_model.onnx", "onnx/decoder_model.onnx", "onnx/decoder_with_past_model.onnx"];

function chooseWhisper(files: readonly HubFile[], name: string): readonly HubFile[] {
	const missing = [...whisperGraphs, "tokenizer.json"].find((wanted) => !files.some(({ path }) => path === wanted));
	if (missing !== undefined) throw fail("MODEL_PULL_FAILED", name, `its repository has no ${missing}`);
	return files.filter(({ path }) => whisperGraphs.includes(path) || configFiles.has(path));
}

/** Whether a path stays inside the model's folder. Paths from the hub are not trusted. */
function isSafe(path: string): boolean {
	return /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path) && !path.includes("..");
}
