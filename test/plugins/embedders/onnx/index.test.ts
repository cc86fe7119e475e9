import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cosine, type Embedder, type Provides, type Vector } from "cairn-memory";
import { z } from "zod";
import { embedTexts } from "../../../../core/runtime/embed-texts.ts";
import onnx from "../../../../plugins/embedders/onnx/index.ts";
import { embedderContract } from "../../../contract/embedder-contract.ts";
import { pluginContract } from "../../../contract/plugin-contract.ts";
import { writeEmbedder, writeReranker } from "../../../doubles/onnx-model.ts";
import { createProcessHost } from "../../../doubles/process-host.ts";
import { createStep } from "../../../doubles/step.ts";

const root = await mkdtemp(join(tmpdir(), "cairn-onnx-"));
const folder = join(root, "models");
await writeEmbedder(join(folder, "small"));
await writeEmbedder(join(folder, "tiny-e5-model"), { seed: 2 });
await writeEmbedder(join(folder, "prompted"), { seed: 3, prompts: { query: "query: ", document: "" } });
await writeEmbedder(join(folder, "short"), { maxPositions: 16 });
await writeEmbedder(join(folder, "first-token"), { pooling: "cls" });
await writeEmbedder(join(folder, "poisoned"), { poison: "basil" });
await writeReranker(join(folder, "judge"));

const host = createProcessHost(join(root, "host"));
const options = onnx({ folder }).options;
const started: Provides[] = [];
afterAll(async () => {
	for (const { stop } of started) await stop?.();
	await rm(root, { recursive: true, force: true });
});

async function begin(given: object = {}): Promise<readonly Embedder[]> {
	const checked = await options["~standard"].validate({ folder, threads: 1, ...given });
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	const provides = await onnx().start(checked.value, host);
	started.push(provides);
	return provides.embedder ?? [];
}

const embedders = await begin();
async function named(name: string): Promise<Embedder> {
	const found = embedders.find((each) => each.name === name);
	if (found === undefined) throw new Error(`no embedder ${name}`);
	return found;
}
async function vectorOf(text: string, embedder: Embedder, purpose: "document" | "query" = "document"): Promise<Vector> {
	return (await embedTexts([text], embedder, purpose, createStep()))[0] ?? new Float32Array();
}

for (const contractTest of pluginContract(onnx, { folder })) test(contractTest.name, contractTest.check);
for (const contractTest of embedderContract(() => named("small"))) test(contractTest.name, contractTest.check);

describe("onnx", () => {
	test("every folder with such a model is an embedder of its name, and no other folder", () => {
		expect(embedders.map(({ name }) => name)).toEqual(["first-token", "poisoned", "prompted", "short", "small", "tiny-e5-model"]);
		expect(new Set(embedders.map(({ space }) => space.name)).size).toBe(embedders.length);
		expect(embedders.every(({ space }) => space.dimensions === 32)).toBe(true);
	});

	test("nothing is offered without a folder, and a broken folder is named in the log", async () => {
		expect(await onnx().start(z.object({}).loose().parse({ threads: 1, memoryMb: 512, timeoutMs: 1_000, idleMs: 0 }) as never, host)).toEqual({});
		const broken = join(root, "broken");
		await writeEmbedder(join(broken, "half"));
		await rm(join(broken, "half", "tokenizer.json"));
		expect(await begin({ folder: broken })).toEqual([]);
		expect(host.lines.find(({ message }) => message === "a model folder cannot be used")?.facts).toEqual({
			model: "half",
			reason: "the model half cannot be used: it has no tokenizer.json",
		});
	});

	test("what a question is told first is not what a passage is told", async () => {
		const e5 = await named("tiny-e5-model");
		const small = await named("small");
		expect(cosine(await vectorOf("ferry", e5, "query"), await vectorOf("ferry", e5))).toBeLessThan(0.999);
		expect(cosine(await vectorOf("ferry", small, "query"), await vectorOf("ferry", small))).toBeCloseTo(1, 5);
		const prompted = await named("prompted");
		expect(cosine(await vectorOf("ferry", prompted, "query"), await vectorOf("query: ferry", prompted))).toBeCloseTo(1, 5);
	});

	test("a text that is too long is cut at the model's bound, and its last token stays", async () => {
		const short = await named("short");
		const full = "ferry ".repeat(14);
		expect(cosine(await vectorOf(`${full}basil soil light`, short), await vectorOf(full, short))).toBeCloseTo(1, 6);
		expect(cosine(await vectorOf("ferry basil", short), await vectorOf("ferry", short))).toBeLessThan(0.95);
	});

	test("the first token can stand for the text", async () => {
		const first = await named("first-token");
		expect(cosine(await vectorOf("ferry", first), await vectorOf("basil", first))).toBeCloseTo(1, 6);
	});

	test("a number that is none is refused by name", async () => {
		const poisoned = await named("poisoned");
		await expect(vectorOf("basil", poisoned)).rejects.toMatchObject({ code: "EMBEDDING_MALFORMED" });
		expect((await vectorOf("ferry", poisoned)).length).toBe(32);
	});

	test("lengths are mixed and the answers are in their order", async () => {
		const small = await named("small");
		const texts = Array.from({ length: 150 }, (_, i) => "ferry harbour basil ".repeat((i * 7) % 40) + (i % 2 === 0 ? "soil" : "oslo"));
		const together = await embedTexts(texts, small, "document", createStep());
		for (const at of [0, 1, 74, 149]) expect(cosine(together[at] ?? new Float32Array(32), await vectorOf(texts[at] ?? "", small))).toBeCloseTo(1, 5);
	});

	test("a graph that is none, or of another size than it says, is a fault of the model", async () => {
		const odd = join(root, "odd");
		await writeEmbedder(join(odd, "garbage"));
		await writeFile(join(odd, "garbage", "onnx", "model.onnx"), "no graph");
		await writeEmbedder(join(odd, "wider"));
		await writeFile(join(odd, "wider", "config.json"), JSON.stringify({ architectures: ["BertModel"], hidden_size: 48 }));
		for (const embedder of await begin({ folder: odd })) await expect(vectorOf("ferry", embedder)).rejects.toMatchObject({ code: "MODEL_FOLDER_BROKEN" });
	});

	test("a process that is killed is replaced, in the middle of a call and between two", async () => {
		const [small] = await begin({ folder: join(root, "models") }).then((all) => all.filter(({ name }) => name === "small"));
		const process_ = host.processes.at(-2);
		if (small === undefined || process_ === undefined) throw new Error("nothing was started");
		const before = await vectorOf("ferry", small);
		const first = process_.pid();
		if (first === null) throw new Error("no process");
		process.kill(first, "SIGKILL");
		expect(cosine(await vectorOf("ferry", small), before)).toBeCloseTo(1, 6);
		const second = process_.pid();
		expect(second).not.toBe(first);
		const busy = embedTexts(
			Array.from({ length: 64 }, () => "ferry ".repeat(100)),
			small,
			"document",
			createStep(),
		);
		if (second !== null) process.kill(second, "SIGKILL");
		expect((await busy).length).toBe(64);
	});

	test("its memory is bounded, and what takes too much may pass", async () => {
		const large = join(root, "large");
		await writeEmbedder(join(large, "large"), { dimensions: 512, words: Array.from({ length: 40_000 }, (_, i) => `w${i}`) });
		const [first] = await begin({ folder: large, memoryMb: 128 });
		await expect(vectorOf("ferry", first ?? (await named("small")))).rejects.toMatchObject({
			code: "MODEL_PROCESS_FAILED",
			kind: "unavailable",
			message: expect.stringContaining("more than 128 MB"),
		});
	});

	test("whoever stops is not waited for, and the model stays loaded", async () => {
		const small = await named("small");
		await vectorOf("ferry", small);
		const pid = host.processes[4]?.pid();
		const stopping = new AbortController();
		const asked = small.embed(["ferry"], "document", createStep(stopping.signal));
		stopping.abort(new Error("gone"));
		await expect(asked).rejects.toThrow("gone");
		await vectorOf("ferry", small);
		expect(host.processes[4]?.pid()).toBe(pid ?? -1);
	});

	test("how near strangers are is measured once and kept", async () => {
		const small = await named("small");
		const { unrelated, related } = small.space.calibration;
		expect(related).toBeGreaterThan(unrelated);
		expect(await readdir(join(root, "host"))).toContain(`calibration-${small.space.name.replaceAll(" ", "-")}.json`);
		const [again] = (await begin()).filter(({ name }) => name === "small");
		expect(again?.space.calibration).toEqual(small.space.calibration);
	});
});
