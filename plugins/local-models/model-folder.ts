/**
 * Reads a model folder as downloaded from Hugging Face (`config.json`, `tokenizer.json`, `onnx/model.onnx` …) into what is needed to run the
 * model.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail } from "cairn-memory";
import { z } from "zod";
import { poolingFile, poolingOf, promptsOf } from "./default-recipe.ts";

export type Pooling = "mean" | "cls" | "last";

/** How texts become vectors. The same model with another recipe makes other vectors. */
export interface Recipe {
	readonly pooling: Pooling;
	/** Prefixes for queries and documents. */
	readonly queryPrompt: string;
	readonly documentPrompt: string;
	/** Including special tokens; longer texts are truncated. */
	readonly tokensMax: number;
}

export interface ModelFolder extends Recipe {
	/** The folder's name, by which an operator chooses the model. */
	readonly name: string;
	readonly kind: "embedder" | "reranker";
	readonly modelFile: string;
	readonly tokenizerFile: string;
	readonly tokenizerConfigFile: string | null;
	readonly dimensions: number;
	/** A hash of the files and the recipe: models with the same fingerprint make the same vectors. */
	readonly fingerprint: string;
}

/** The limit unless `cairn.json` allows more. Memory grows with the square of the length, and chunks are rarely longer. */
const tokensMaxDefault = 512;
const tokensMaxLimit = 8_192;
/** How much of a file is hashed at its beginning and at its end. */
const sampleBytes = 256 * 1024;

/** The parts of a repository's files that are used here, by file. */
const config = z.object({
	architectures: z.array(z.string()).default([]),
	model_type: z.string().default(""),
	hidden_size: z.number().int().positive().optional(),
	dim: z.number().int().positive().optional(),
	max_position_embeddings: z.number().int().positive().optional(),
	pad_token_id: z.number().int().nullish(),
});
const modules = z.array(z.object({ type: z.string(), path: z.string().default("") }));
const lengths = z.object({ max_seq_length: z.number().int().positive().nullish() });
const tokenizerConfig = z.object({ model_max_length: z.number().positive().nullish() });
const sentencePrompts = z.object({ prompts: z.record(z.string(), z.string()).default({}) });
/** The file `cairn.json`, for what a repository does not declare. `cairn models pull` writes it. */
const cairnConfig = z.strictObject({
	kind: z.enum(["embedder", "reranker", "transcriber"]).optional(),
	pooling: z.enum(["mean", "cls", "last"]).optional(),
	queryPrompt: z.string().optional(),
	documentPrompt: z.string().optional(),
	tokensMax: z.number().int().min(8).max(tokensMaxLimit).optional(),
	dimensions: z.number().int().positive().optional(),
});

/** Reads all models of a kind in the models folder. `onUnusable` is called for folders that cannot be used. */
export async function modelFolders(
	folder: string,
	kind: ModelFolder["kind"],
	onUnusable: (name: string, reason: string) => void,
): Promise<readonly ModelFolder[]> {
	if (!existsSync(folder)) return [];
	const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
	const found: ModelFolder[] = [];
	for (const { name } of entries.toSorted((a, b) => a.name.localeCompare(b.name))) {
		try {
			const model = await readModelFolder(join(folder, name));
			if (model?.kind === kind) found.push(model);
		} catch (thrown) {
			onUnusable(name, thrown instanceof Error ? thrown.message : String(thrown));
		}
	}
	return found;
}

/** Null for a folder without a model, or with a model of another kind. @throws ServiceError `MODEL_FOLDER_BROKEN` */
export async function readModelFolder(folder: string): Promise<ModelFolder | null> {
	const name = basename(folder);
	if (!existsSync(join(folder, "config.json"))) return null;
	const modelConfig = await readJson(folder, "config.json", config);
	const overrides = await readOptionalJson(folder, "cairn.json", cairnConfig);
	const kind = overrides?.kind ?? kindOf(modelConfig);
	if (kind === null || kind === "transcriber") return null;
	const [modelFile, tokenizerFile] = [await modelFileOf(folder), join(folder, "tokenizer.json")];
	if (modelFile === null) throw fail("MODEL_FOLDER_BROKEN", name, "it has no model.onnx");
	if (!existsSync(tokenizerFile)) throw fail("MODEL_FOLDER_BROKEN", name, "it has no tokenizer.json");
	const dimensions = overrides?.dimensions ?? modelConfig.hidden_size ?? modelConfig.dim;
	if (dimensions === undefined) throw fail("MODEL_FOLDER_BROKEN", name, "config.json has no hidden_size");
	await refuseOtherLayers(folder, name);
	const prompts = promptsOf(name, (await readOptionalJson(folder, "config_sentence_transformers.json", sentencePrompts))?.prompts ?? {});
	const recipe: Recipe = {
		pooling: overrides?.pooling ?? poolingOf(await readOptionalJson(folder, "1_Pooling/config.json", poolingFile)),
		queryPrompt: overrides?.queryPrompt ?? prompts.query,
		documentPrompt: overrides?.documentPrompt ?? prompts.document,
		tokensMax: overrides?.tokensMax ?? (await tokensMaxOf(folder, modelConfig)),
	};
	const configFile = join(folder, "tokenizer_config.json");
	return {
		...recipe,
		name,
		kind,
		modelFile,
		tokenizerFile,
		tokenizerConfigFile: existsSync(configFile) ? configFile : null,
		dimensions,
		fingerprint: await fingerprintOf([modelFile, tokenizerFile], recipe),
	};
}

function kindOf({ architectures, model_type }: z.infer<typeof config>): "embedder" | "reranker" | null {
	if (architectures.some((name) => name.endsWith("ForSequenceClassification"))) return "reranker";
	const isOther = model_type === "whisper" || architectures.some((name) => /ForConditionalGeneration$|ForCausalLM$/.test(name));
	return isOther ? null : "embedder";
}

/** The full-precision graph is preferred: one with 8-bit numbers makes slightly different vectors for the same text in another batch. */
async function modelFileOf(folder: string): Promise<string | null> {
	for (const name of ["model.onnx", "onnx/model.onnx"]) if (existsSync(join(folder, name))) return join(folder, name);
	for (const inner of ["", "onnx"]) {
		const names = await readdir(join(folder, inner)).catch(() => []);
		const [first] = names.filter((name) => /^model.*\.onnx$/.test(name)).toSorted();
		if (first !== undefined) return join(folder, inner, first);
	}
	return null;
}

/** Only normalisation is supported after pooling. A dense layer, for example, has its own weights in another format. */
async function refuseOtherLayers(folder: string, name: string): Promise<void> {
	const otherLayer = (await readOptionalJson(folder, "modules.json", modules))?.find(({ type }) => !/\.(Transformer|Pooling|Normalize)$/.test(type));
	if (otherLayer !== undefined) throw fail("MODEL_FOLDER_BROKEN", name, `its layer ${otherLayer.type} is not supported`);
}

async function tokensMaxOf(folder: string, { max_position_embeddings, model_type, pad_token_id }: z.infer<typeof config>): Promise<number> {
	// In RoBERTa and its relatives positions begin after the id of the padding token.
	const positions = max_position_embeddings === undefined ? null : max_position_embeddings - (/roberta/.test(model_type) ? (pad_token_id ?? 1) + 1 : 0);
	const declared = [
		positions,
		(await readOptionalJson(folder, "sentence_bert_config.json", lengths))?.max_seq_length,
		(await readOptionalJson(folder, "tokenizer_config.json", tokenizerConfig))?.model_max_length,
	].filter((max) => max != null && max >= 8);
	return Math.floor(Math.min(tokensMaxDefault, ...declared.map(Number)));
}

async function fingerprintOf(files: readonly string[], recipe: Recipe): Promise<string> {
	const hash = createHash("sha256").update(JSON.stringify(recipe));
	for (const file of files) {
		const { size } = await stat(file);
		hash.update(String(size));
		await using handle = await open(file);
		for (const position of [0, Math.max(0, size - sampleBytes)]) {
			const { buffer, bytesRead } = await handle.read(Buffer.alloc(sampleBytes), 0, sampleBytes, position);
			hash.update(buffer.subarray(0, bytesRead));
		}
	}
	return hash.digest("hex").slice(0, 12);
}

async function readOptionalJson<Value>(folder: string, file: string, schema: z.ZodType<Value>): Promise<Value | null> {
	return existsSync(join(folder, file)) ? readJson(folder, file, schema) : null;
}

async function readJson<Value>(folder: string, file: string, schema: z.ZodType<Value>): Promise<Value> {
	const text = await readFile(join(folder, file), "utf8");
	const value = parseJson(text);
	if (value === undefined) throw fail("MODEL_FOLDER_BROKEN", basename(folder), `${file} is not valid JSON`);
	const checked = schema.safeParse(value);
	if (checked.success) return checked.data;
	const [issue] = checked.error.issues;
	throw fail("MODEL_FOLDER_BROKEN", basename(folder), `${file} cannot be used: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
