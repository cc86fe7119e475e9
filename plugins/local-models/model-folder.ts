/** A folder as the hub holds it (`config.json`, `tokenizer.json`, `onnx/model.onnx` …) → all that is needed to run the model. */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail } from "cairn-memory";
import { z } from "zod";
import { poolingFile, poolingOf, promptsOf } from "./usual-recipe.ts";

export type Pooling = "mean" | "cls" | "last";

/** How texts become vectors: another recipe makes other vectors. */
export interface Recipe {
	readonly pooling: Pooling;
	/** Prefixes for queries and documents. */
	readonly queryPrompt: string;
	readonly documentPrompt: string;
	/** Including special tokens; longer texts are truncated. */
	readonly tokensMax: number;
}

export interface ModelFolder extends Recipe {
	/** The folder's own name: by this the model is chosen. */
	readonly name: string;
	readonly kind: "embedder" | "reranker";
	readonly modelFile: string;
	readonly tokenizerFile: string;
	readonly tokenizerConfigFile: string | null;
	readonly dimensions: number;
	/** Over files and recipe: models with the same fingerprint make the same vectors. */
	readonly fingerprint: string;
}

/** A longer text costs memory by the square of its length, and a chunk is rarely longer. A `cairn.json` may allow more. */
const tokensMaxUsual = 512;
const tokensMaxEver = 8_192;
/** How much of a large file is hashed. */
const sampleBytes = 256 * 1024;

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
/** Our own file, `cairn.json`, for what a repository does not declare. Written by `cairn models pull`. */
const ours = z.strictObject({
	kind: z.enum(["embedder", "reranker", "transcriber"]).optional(),
	pooling: z.enum(["mean", "cls", "last"]).optional(),
	queryPrompt: z.string().optional(),
	documentPrompt: z.string().optional(),
	tokensMax: z.number().int().min(8).max(tokensMaxEver).optional(),
	dimensions: z.number().int().positive().optional(),
});

/** All folders in the models folder with a model of a kind; for the others, why they cannot be used. */
export async function modelFolders(folder: string, kind: ModelFolder["kind"], complain: (name: string, why: string) => void): Promise<readonly ModelFolder[]> {
	if (!existsSync(folder)) return [];
	const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
	const found: ModelFolder[] = [];
	for (const { name } of entries.toSorted((a, b) => a.name.localeCompare(b.name))) {
		try {
			const model = await readModelFolder(join(folder, name));
			if (model?.kind === kind) found.push(model);
		} catch (thrown) {
			complain(name, thrown instanceof Error ? thrown.message : String(thrown));
		}
	}
	return found;
}

/** Null for a folder with another kind of model, or none. @throws ServiceError `MODEL_FOLDER_BROKEN` */
export async function readModelFolder(folder: string): Promise<ModelFolder | null> {
	const name = basename(folder);
	if (!existsSync(join(folder, "config.json"))) return null;
	const about = await json(folder, "config.json", config);
	const own = await optional(folder, "cairn.json", ours);
	const kind = own?.kind ?? kindOf(about);
	if (kind === null || kind === "transcriber") return null;
	const [modelFile, tokenizerFile] = [await modelFileOf(folder), join(folder, "tokenizer.json")];
	if (modelFile === null) throw fail("MODEL_FOLDER_BROKEN", name, "it has no model.onnx");
	if (!existsSync(tokenizerFile)) throw fail("MODEL_FOLDER_BROKEN", name, "it has no tokenizer.json");
	const dimensions = own?.dimensions ?? about.hidden_size ?? about.dim;
	if (dimensions === undefined) throw fail("MODEL_FOLDER_BROKEN", name, "config.json does not tell its hidden_size");
	await refuseFurtherLayers(folder, name);
	const prompts = promptsOf(name, (await optional(folder, "config_sentence_transformers.json", sentencePrompts))?.prompts ?? {});
	const recipe: Recipe = {
		pooling: own?.pooling ?? poolingOf(await optional(folder, "1_Pooling/config.json", poolingFile)),
		queryPrompt: own?.queryPrompt ?? prompts.query,
		documentPrompt: own?.documentPrompt ?? prompts.document,
		tokensMax: own?.tokensMax ?? (await tokensMaxOf(folder, about)),
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

/** The unabridged one first: one of 8-bit numbers makes other vectors for a text in another batch. */
async function modelFileOf(folder: string): Promise<string | null> {
	for (const name of ["model.onnx", "onnx/model.onnx"]) if (existsSync(join(folder, name))) return join(folder, name);
	for (const inner of ["", "onnx"]) {
		const names = await readdir(join(folder, inner)).catch(() => []);
		const [first] = names.filter((name) => /^model.*\.onnx$/.test(name)).toSorted();
		if (first !== undefined) return join(folder, inner, first);
	}
	return null;
}

/** After pooling only normalisation is done here: a dense layer has weights of its own, in another format. */
async function refuseFurtherLayers(folder: string, name: string): Promise<void> {
	const further = (await optional(folder, "modules.json", modules))?.find(({ type }) => !/\.(Transformer|Pooling|Normalize)$/.test(type));
	if (further !== undefined) throw fail("MODEL_FOLDER_BROKEN", name, `its layer ${further.type} is not known here`);
}

async function tokensMaxOf(folder: string, { max_position_embeddings, model_type, pad_token_id }: z.infer<typeof config>): Promise<number> {
	// The positions of RoBERTa and its kin begin after the padding token's number.
	const positions = max_position_embeddings === undefined ? null : max_position_embeddings - (/roberta/.test(model_type) ? (pad_token_id ?? 1) + 1 : 0);
	const said = [
		positions,
		(await optional(folder, "sentence_bert_config.json", lengths))?.max_seq_length,
		(await optional(folder, "tokenizer_config.json", tokenizerConfig))?.model_max_length,
	].filter((most) => most != null && most >= 8);
	return Math.floor(Math.min(tokensMaxUsual, ...said.map(Number)));
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

async function optional<Value>(folder: string, file: string, schema: z.ZodType<Value>): Promise<Value | null> {
	return existsSync(join(folder, file)) ? json(folder, file, schema) : null;
}

async function json<Value>(folder: string, file: string, schema: z.ZodType<Value>): Promise<Value> {
	const text = await readFile(join(folder, file), "utf8");
	const value = parsed(text);
	if (value === undefined) throw fail("MODEL_FOLDER_BROKEN", basename(folder), `${file} is no JSON`);
	const checked = schema.safeParse(value);
	if (checked.success) return checked.data;
	const [issue] = checked.error.issues;
	throw fail("MODEL_FOLDER_BROKEN", basename(folder), `${file} cannot be used: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
