import { describe, expect, test } from "bun:test";
import { cosine, type Embedder, type Vector } from "cairn-memory";
import hashing from "../../../plugins/embedders/hashing.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { embedderContract } from "../../contract/embedder-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { quietHost } from "../../contract/quiet-host.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<Embedder> => partOf(hashing(), "embedder");
for (const contractTest of [...pluginContract(hashing), ...embedderContract(start)]) test(contractTest.name, contractTest.check);

const embedder = await start();
async function vectorOf(text: string): Promise<Vector> {
	const [vector] = await embedder.embed([text], "document", createStep());
	return vector ?? new Float32Array();
}
async function likeness(a: string, b: string): Promise<number> {
	return cosine(await vectorOf(a), await vectorOf(b));
}

describe("hashing", () => {
	test("is called what it is, with vectors that no release may change unnoticed", async () => {
		expect(embedder.space.name).toBe("hashing-1");
		const vector = await vectorOf("The ferry leaves the harbour at five.");
		const largest = [...vector.keys()].sort((a, b) => Math.abs(vector[b] ?? 0) - Math.abs(vector[a] ?? 0)).slice(0, 4);
		expect(largest.map((i) => [i, Math.round((vector[i] ?? 0) * 1_000)])).toMatchInlineSnapshot(`
		  [
		    [
		      180,
		      423,
		    ],
		    [
		      339,
		      -423,
		    ],
		    [
		      127,
		      -409,
		    ],
		    [
		      217,
		      317,
		    ],
		  ]
		`);
	});

	test("a twin is 1, a relative of a word is nearer than a stranger", async () => {
		expect(await likeness("lighthouse keeper", "Lighthouse  KEEPER!")).toBeCloseTo(1, 5);
		expect(await likeness("photograph", "photographer")).toBeGreaterThan(0.3);
		expect(Math.abs(await likeness("photograph", "zinc"))).toBeLessThan(0.2);
	});

	test("stop words hardly count", async () => {
		expect(await likeness("the lighthouse of the harbour", "lighthouse harbour")).toBeGreaterThan(0.95);
		expect(await likeness("the lighthouse of the harbour", "the price of the ticket")).toBeLessThan(0.25);
	});

	test("a word said ten times counts more than once, not ten times", async () => {
		const once = await likeness("storm", "storm boat");
		const often = await likeness("storm", `${"storm ".repeat(10)}boat`);
		expect(often).toBeGreaterThan(once);
		expect(often).toBeLessThan(0.99);
	});

	test.each(["Chinese 灯塔", "日本の灯台", "ประภาคาร", "маяк"])("%s is near itself in a sentence", async (word) => {
		expect(await likeness(word, `${word} 1874`)).toBeGreaterThan(0.5);
	});

	test("the empty text has a vector of its own, far from all that have words", async () => {
		expect(await likeness("", "  ")).toBeCloseTo(1, 5);
		expect(Math.abs(await likeness("", "lighthouse"))).toBeLessThan(0.3);
		expect(await likeness("🚢", "⛵")).toBeLessThan(0.3);
	});

	test("stops with its signal", async () => {
		await expect(embedder.embed(["text"], "document", createStep(AbortSignal.abort()))).rejects.toThrow();
	});

	test("lets others on its thread have their turn between many texts", async () => {
		const world = createWorld({ log: () => undefined });
		const [awake] = (await hashing().start({}, { ...quietHost(), world })).embedder ?? [];
		let rung = 0;
		const timer = setInterval(() => rung++, 0);
		await awake?.embed(
			Array.from({ length: 256 }, (_, at) => `text number ${at}`),
			"document",
			createStep(),
		);
		clearInterval(timer);
		expect(rung).toBeGreaterThanOrEqual(4);
	});
});
