import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModelFolder } from "../../../plugins/local-models/model-folder.ts";
import { modelsCommand } from "../../../server/commands/models.ts";
import { type ModelHub, startModelHub } from "../../doubles/model-hub.ts";
import { writeEmbedder } from "../../doubles/onnx-model.ts";

const repository = "BAAI/bge-small-en-v1.5";
const name = "bge-small-en-v1.5";

const source = await mkdtemp(join(tmpdir(), "cairn-hub-"));
await writeEmbedder(source, { dimensions: 64, pooling: "cls" });
const files: Record<string, Uint8Array> = {};
for (const path of ["config.json", "tokenizer.json", "tokenizer_config.json", "modules.json", "1_Pooling/config.json", "onnx/model.onnx"])
	files[path] = await readFile(join(source, path));
for (const path of ["README.md", "pytorch_model.bin", "onnx/model_quantized.onnx"]) files[path] = new TextEncoder().encode(path.repeat(200));
await rm(source, { recursive: true, force: true });

let folder = "";
let hub: ModelHub;
let printed = "";
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-models-"));
	hub = await startModelHub(repository, files);
	printed = "";
});
afterEach(async () => {
	await hub.stop();
	await rm(folder, { recursive: true, force: true });
});

const world = { now: () => new Date("2026-01-01T00:00:00Z"), sleep: async () => undefined, random: () => 0.5 };
function run(...words: readonly string[]): Promise<number> {
	const where = { modelsDir: folder, modelsUrl: hub.address, fetchAllow: hub.hosts };
	return modelsCommand(words, where, { write: (text) => (printed += text), isTerminal: false, signal: new AbortController().signal, world });
}
const modelFile = () => join(folder, name, "onnx", "model.onnx");
const whole = (path: string) => `${path} whole`;

describe("pull", () => {
	test("brings what is needed and nothing else, tells how far it is, and what it is can be used", async () => {
		expect(await run("pull", name)).toBe(0);
		expect((await readdir(join(folder, name), { recursive: true })).toSorted()).toEqual(
			[
				"1_Pooling",
				"1_Pooling/config.json",
				"cairn.json",
				"config.json",
				"modules.json",
				"onnx",
				"onnx/model.onnx",
				"tokenizer.json",
				"tokenizer_config.json",
			].toSorted(),
		);
		expect(printed).toContain("100 % of");
		expect(new Uint8Array(await readFile(modelFile()))).toEqual(new Uint8Array(files["onnx/model.onnx"] ?? []));
		expect(await readModelFolder(join(folder, name))).toMatchObject({
			kind: "embedder",
			dimensions: 64,
			pooling: "cls",
			queryPrompt: expect.stringContaining("Represent this sentence"),
		});
		expect((await readdir(folder)).toSorted()).toEqual([name, "cairn-models.lock.json"]);
	});

	test("any other model is named as on the hub", async () => {
		await hub.stop();
		hub = await startModelHub("somebody/tiny-model", files);
		expect(await run("pull", "somebody/tiny-model")).toBe(0);
		expect(await readModelFolder(join(folder, "tiny-model"))).toMatchObject({ name: "tiny-model" });
		await expect(run("pull", "nobody")).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
		await expect(run("pull", "../etc/passwd")).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
	});

	test("a connection that breaks again and again goes on where it was", async () => {
		hub.misbehave = { cutAfter: 5_000 };
		expect(await run("pull", name)).toBe(0);
		const asked = hub.downloads.filter((download) => download.startsWith("onnx/model.onnx"));
		expect(asked[0]).toBe(whole("onnx/model.onnx"));
		// Every one brings 5,000 bytes at most, less when the cut overtakes them; what has come is not asked for again.
		expect(asked.length).toBeGreaterThanOrEqual(Math.ceil((files["onnx/model.onnx"]?.length ?? 0) / 5_000));
		const places = asked.map((download) => Number(/bytes=(\d+)-/.exec(download)?.[1] ?? 0));
		expect(places).toEqual(places.toSorted((a, b) => a - b));
		expect(places.at(-1)).toBeGreaterThan(0);
		expect(await run("verify", name)).toBe(0);
	});

	test("a run that was ended goes on with what is there", async () => {
		hub.misbehave = { status: 503 };
		await expect(run("pull", name)).rejects.toMatchObject({ code: "MODEL_PULL_FAILED" });
		hub.misbehave = {};
		const head = hub.downloads.length;
		const revision = ((await (await fetch(`${hub.address}/api/models/${repository}/revision/main`)).json()) as { sha: string }).sha;
		const part = join(folder, `.pulling-${name}-${revision.slice(0, 12)}`, "onnx");
		await mkdir(part, { recursive: true });
		await writeFile(join(part, "model.onnx.part"), (files["onnx/model.onnx"] ?? new Uint8Array()).slice(0, 3_000));
		expect(await run("pull", name)).toBe(0);
		expect(hub.downloads.slice(head)).toContain("onnx/model.onnx bytes=3000-");
	});

	test("a server without ranges begins anew", async () => {
		hub.misbehave = { cutAfter: 5_000, cuts: 1, ignoresRanges: true };
		expect(await run("pull", name)).toBe(0);
		expect(await run("verify")).toBe(0);
	});

	test("other bytes than were told are thrown away", async () => {
		hub.misbehave = { forges: true };
		await expect(run("pull", name)).rejects.toThrow(/is damaged: its checksum differs/);
		expect(await readdir(folder)).not.toContain(name);
		hub.misbehave = {};
		expect(await run("pull", name)).toBe(0);
	});

	test("trust on first use: the same revision again, whatever is new; a hub that says otherwise is refused", async () => {
		await run("pull", name);
		await run("remove", name);
		hub.change("onnx/model.onnx", new Uint8Array(4_000).fill(7));
		expect(await run("pull", name)).toBe(0);
		expect((await readFile(modelFile())).length).toBe(files["onnx/model.onnx"]?.length ?? 0);
		hub.misbehave = { rewritesHistory: true };
		await expect(run("pull", name)).rejects.toMatchObject({ code: "MODEL_CHANGED" });
		hub.misbehave = {};
		expect(await run("pull", name, "update")).toBe(0);
		expect((await readFile(modelFile())).length).toBe(4_000);
	});

	test.each([
		[{ status: 404 }, /has no such model/],
		[{ status: 401 }, /accepted the model.s terms/],
		[{ status: 500 }, /answered with status 500/],
		[{ noise: "<html>" }, /not in the format of the hub/],
	] as const)("a hub that answers %p is told in words", async (misbehaviour, words) => {
		hub.misbehave = misbehaviour;
		await expect(run("pull", name)).rejects.toThrow(words);
	});

	test("without a network it says so, and what helps", async () => {
		const where = { modelsDir: folder, modelsUrl: "http://127.0.0.1:9", fetchAllow: [] };
		const failing = modelsCommand(["pull", name], where, { write: () => undefined, isTerminal: false, signal: new AbortController().signal, world });
		await expect(failing).rejects.toMatchObject({
			code: "MODEL_PULL_FAILED",
			message: expect.stringContaining("it does not respond"),
			hint: expect.stringContaining("CAIRN_MODELS_DIR"),
		});
	});

	test("of a Whisper its three graphs come, and nothing abridged", async () => {
		await hub.stop();
		const graphs = ["encoder_model", "decoder_model", "decoder_with_past_model"].map((graph) => [`onnx/${graph}.onnx`, "graph ".repeat(300)]);
		const whisper = Object.fromEntries([
			...graphs,
			["onnx/decoder_model_merged.onnx", "x"],
			["config.json", "{}"],
			["tokenizer.json", "{}"],
			["generation_config.json", "{}"],
		]);
		hub = await startModelHub("onnx-community/whisper-base", whisper);
		expect(await run("pull", "whisper-base")).toBe(0);
		expect((await readdir(join(folder, "whisper-base", "onnx"))).toSorted()).toEqual([
			"decoder_model.onnx",
			"decoder_with_past_model.onnx",
			"encoder_model.onnx",
		]);
	});

	test("a repository without a graph is refused", async () => {
		await hub.stop();
		hub = await startModelHub(repository, { "config.json": "{}", "tokenizer.json": "{}", "../onnx/model.onnx": "x" });
		await expect(run("pull", name)).rejects.toThrow(/has no onnx\/model.onnx/);
	});
});

describe("what is here", () => {
	test("is listed with what could be", async () => {
		await run("pull", name);
		await mkdir(join(folder, "by-hand"));
		printed = "";
		expect(await run("list")).toBe(0);
		expect(printed).toMatch(/bge-small-en-v1\.5 +embedder +English +MIT +installed, 1 MB/);
		expect(printed).toMatch(/bge-m3 .*not installed/);
		expect(printed).toMatch(/by-hand .*installed by hand/);
	});

	test("is verified byte by byte", async () => {
		await run("pull", name);
		expect(await run("verify")).toBe(0);
		await appendFile(modelFile(), "x");
		expect(await run("verify")).toBe(1);
		expect(printed).toMatch(/onnx\/model\.onnx has \d+ bytes instead of/);
		await writeFile(modelFile(), new Uint8Array(files["onnx/model.onnx"]?.length ?? 0));
		await rm(join(folder, name, "config.json"));
		printed = "";
		expect(await run("verify", name)).toBe(1);
		expect(printed).toContain("config.json is missing");
		expect(printed).toContain("onnx/model.onnx differs from the downloaded file");
	});

	test("is removed; what is not here cannot be", async () => {
		await run("pull", name);
		expect(await run("remove", name)).toBe(0);
		expect(await readdir(folder)).toEqual(["cairn-models.lock.json"]);
		await expect(run("remove", name)).rejects.toMatchObject({ code: "MODEL_UNKNOWN" });
		await expect(run("dance")).rejects.toThrow(/usage: cairn models list/);
	});
});
