/** A folder as the hub has it → what the model wants, whatever of its files is there. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModelFolder } from "../../../plugins/local-models/model-folder.ts";
import { bucketsOf } from "../../../plugins/local-models/run-model.ts";
import { openEncoder } from "../../../plugins/local-models/tokens.ts";
import { writeEmbedder, writeReranker } from "../../doubles/onnx-model.ts";

let root = "";
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "cairn-folder-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (name: string, file: string, value: unknown) => writeFile(join(root, name, file), JSON.stringify(value));
async function modelIn(name: string) {
	const model = await readModelFolder(join(root, name));
	if (model === null) throw new Error("it is no model");
	return model;
}

test.each([
	["my-e5-base", { queryPrompt: "query: ", documentPrompt: "passage: " }],
	["bge-small-en-v1.5", { queryPrompt: "Represent this sentence for searching relevant passages: ", documentPrompt: "" }],
	["bge-m3", { queryPrompt: "", documentPrompt: "" }],
	["anything", { queryPrompt: "", documentPrompt: "" }],
])("%s is asked as its family is, and its own word goes before that", async (name, prompts) => {
	await writeEmbedder(join(root, name));
	expect(await modelIn(name)).toMatchObject(prompts);
	await write(name, "config_sentence_transformers.json", { prompts: { query: "q: ", document: "d: " } });
	expect(await modelIn(name)).toMatchObject({ queryPrompt: "q: ", documentPrompt: "d: " });
	await write(name, "cairn.json", { queryPrompt: "Q: " });
	expect(await modelIn(name)).toMatchObject({ queryPrompt: "Q: ", documentPrompt: "d: " });
});

test("pooling is read in the old spelling and the new", async () => {
	await writeEmbedder(join(root, "m"), { pooling: "cls" });
	expect((await modelIn("m")).pooling).toBe("cls");
	for (const [said, pooling] of [
		[{ pooling_mode: "lasttoken" }, "last"],
		[{ pooling_mode: "cls" }, "cls"],
		[{ pooling_mode_mean_tokens: true }, "mean"],
	] as const) {
		await write("m", "1_Pooling/config.json", said);
		expect((await modelIn("m")).pooling).toBe(pooling);
	}
	await rm(join(root, "m", "1_Pooling"), { recursive: true });
	expect((await modelIn("m")).pooling).toBe("mean");
});

test.each(["config.json", "1_Pooling/config.json", "cairn.json"])("a %s that is no JSON is named", async (file) => {
	await writeEmbedder(join(root, "m"), { pooling: "cls" });
	await writeFile(join(root, "m", file), "{");
	await expect(modelIn("m")).rejects.toMatchObject({ code: "MODEL_FOLDER_BROKEN", message: expect.stringContaining(`${file} is not valid JSON`) });
});

test("texts are cut at the least of what is said, and where nothing is said at 512 tokens", async () => {
	await writeEmbedder(join(root, "m"), { maxPositions: 8_192 });
	expect((await modelIn("m")).tokensMax).toBe(512);
	await write("m", "sentence_bert_config.json", { max_seq_length: 256 });
	expect((await modelIn("m")).tokensMax).toBe(256);
	await write("m", "config.json", {
		architectures: ["XLMRobertaModel"],
		model_type: "xlm-roberta",
		hidden_size: 32,
		max_position_embeddings: 130,
		pad_token_id: 1,
	});
	expect((await modelIn("m")).tokensMax).toBe(128);
	await write("m", "cairn.json", { tokensMax: 2_048 });
	expect((await modelIn("m")).tokensMax).toBe(2_048);
});

test("another recipe, or another graph, is another fingerprint", async () => {
	await writeEmbedder(join(root, "m"));
	const prints = [(await modelIn("m")).fingerprint];
	await write("m", "cairn.json", { pooling: "cls" });
	prints.push((await modelIn("m")).fingerprint);
	await writeEmbedder(join(root, "m"), { seed: 9 });
	prints.push((await modelIn("m")).fingerprint);
	expect(new Set(prints).size).toBe(3);
	expect((await modelIn("m")).fingerprint).toBe(prints[2] ?? "");
});

describe("refused is", () => {
	test.each([
		[
			"a layer after pooling",
			"modules.json",
			[{ type: "sentence_transformers.models.Dense", path: "2_Dense" }],
			/layer sentence_transformers.models.Dense is not supported/,
		],
		["a config that is none", "config.json", { hidden_size: "many" }, /config.json cannot be used/],
		["a config without a size", "config.json", { architectures: ["BertModel"] }, /has no hidden_size/],
		["a setting of ours that is not known", "cairn.json", { poling: "cls" }, /cairn.json cannot be used/],
	])("%s", async (_name, file, value, words) => {
		await writeEmbedder(join(root, "m"));
		await write("m", file, value);
		await expect(modelIn("m")).rejects.toThrow(words);
	});

	test("a folder without a graph; one without a config is no model, nor is a language model or Whisper", async () => {
		await writeEmbedder(join(root, "m"));
		await rm(join(root, "m", "onnx"), { recursive: true });
		await expect(modelIn("m")).rejects.toMatchObject({ code: "MODEL_FOLDER_BROKEN", message: expect.stringContaining("no model.onnx") });
		for (const about of [{ architectures: ["LlamaForCausalLM"] }, { model_type: "whisper" }]) {
			await write("m", "config.json", about);
			expect(await readModelFolder(join(root, "m"))).toBe(null);
		}
		await rm(join(root, "m", "config.json"));
		expect(await readModelFolder(join(root, "m"))).toBe(null);
	});
});

test("a pair that is too long loses of the second text first, and every special token stays", async () => {
	await writeReranker(join(root, "m"), { maxPositions: 12 });
	const { encodePair, encode } = await openEncoder(await modelIn("m"));
	const tokens = ((await JSON.parse(await readFile(join(root, "m", "tokenizer.json"), "utf8"))) as { model: { vocab: Record<string, number> } }).model.vocab;
	const [cls, sep, ferry, basil] = ["[CLS]", "[SEP]", "ferry", "basil"].map((token) => tokens[token] ?? -1);
	expect(encodePair("ferry ferry", "basil ".repeat(30)).ids).toEqual([cls, ferry, ferry, sep, ...Array(7).fill(basil), sep] as number[]);
	const { ids, types } = encodePair("ferry ".repeat(30), "basil ".repeat(30));
	expect(ids).toEqual([cls, ...Array(4).fill(ferry), sep, ...Array(5).fill(basil), sep] as number[]);
	expect(types).toEqual([...Array(6).fill(0), ...Array(6).fill(1)]);
	expect(encodePair("ferry ".repeat(30), "basil").ids).toEqual([cls, ...Array(8).fill(ferry), sep, basil, sep] as number[]);
	expect(encode("ferry ".repeat(30)).ids).toEqual([cls, ...Array(10).fill(ferry), sep] as number[]);
});

test("texts of like length run together, as many as fit", () => {
	const texts = [5, 500, 10, 400, 4_000].map((length) => ({ ids: new Array<number>(length).fill(1), types: [] }));
	expect(bucketsOf(texts)).toEqual([[4], [1, 3, 2, 0]]);
	expect(bucketsOf(Array.from({ length: 70 }, () => ({ ids: [1], types: [] }))).map(({ length }) => length)).toEqual([64, 6]);
	expect(bucketsOf([])).toEqual([]);
});
