import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reranker } from "cairn-memory";
import { scoresOf } from "../../../../plugins/rerankers/onnx/engine.ts";
import onnx from "../../../../plugins/rerankers/onnx/index.ts";
import { pluginContract } from "../../../contract/plugin-contract.ts";
import { rerankerContract } from "../../../contract/reranker-contract.ts";
import { writeEmbedder, writeReranker } from "../../../doubles/onnx-model.ts";
import { createProcessHost } from "../../../doubles/process-host.ts";
import { createStep } from "../../../doubles/step.ts";

const root = await mkdtemp(join(tmpdir(), "cairn-rerank-"));
const folder = join(root, "models");
await writeReranker(join(folder, "judge"));
await writeReranker(join(folder, "short"), { maxPositions: 16 });
await writeEmbedder(join(folder, "embedder"));

const host = createProcessHost(join(root, "host"));
const { reranker: rerankers = [], stop } = await onnx().start({ folder, threads: 1, memoryMb: 1_024, timeoutMs: 60_000, idleMs: 60_000 }, host);
afterAll(async () => {
	await stop?.();
	await rm(root, { recursive: true, force: true });
});

async function named(name: string): Promise<Reranker> {
	const found = rerankers.find((each) => each.name === name);
	if (found === undefined) throw new Error(`no reranker ${name}`);
	return found;
}

for (const contractTest of pluginContract(onnx, { folder })) test(contractTest.name, contractTest.check);
for (const contractTest of rerankerContract(() => named("judge"))) test(contractTest.name, contractTest.check);

describe("onnx", () => {
	test("every folder with a cross-encoder is a reranker of its name, and no other folder", () => {
		expect(rerankers.map(({ name }) => name)).toEqual(["judge", "short"]);
	});

	test("the graph's number goes through the sigmoid", async () => {
		const [same, stranger] = await (await named("judge")).score("ferry harbour", ["harbour ferry", ""], createStep());
		expect(same).toBeCloseTo(1 / (1 + Math.exp(-5)), 4);
		expect(stranger).toBeCloseTo(1 / (1 + Math.exp(5)), 4);
	});

	test("of two classes the second is the relevant one", () => {
		const logits = { data: Float32Array.of(1, 3, 2, 2) };
		expect(scoresOf({ outputs: { logits } as never, names: ["logits"], rows: 2 })).toEqual([1 / (1 + Math.exp(-2)), 0.5]);
	});

	test("where the room is short the text gives way before the query", async () => {
		const short = await named("short");
		const [begin, lost] = await short.score(
			"ferry harbour five winter",
			[`ferry harbour five winter${" soil".repeat(40)}`, `${"soil ".repeat(40)}ferry harbour five winter`],
			createStep(),
		);
		expect(begin).toBeGreaterThan(lost ?? 1);
		const [long] = await short.score("ferry ".repeat(100), ["ferry"], createStep());
		expect(long).toBeGreaterThan(0.9);
	});
});
