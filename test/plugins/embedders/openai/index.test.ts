import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cosine, type Embedder, type EmbeddingSpent, type Host } from "cairn-memory";
import { embedTexts } from "../../../../core/runtime/embed-texts.ts";
import openai from "../../../../plugins/embedders/openai/index.ts";
import { batchesOf } from "../../../../plugins/embedders/remote-service.ts";
import { createGuardedFetch } from "../../../../server/boot/network/guarded-fetch.ts";
import { embedderContract } from "../../../contract/embedder-contract.ts";
import { quietHost } from "../../../contract/quiet-host.ts";
import { start as startPlugin } from "../../../contract/start.ts";
import { answering, startEmbeddingService, vectorOf } from "../../../doubles/embedding-service.ts";
import { createStep } from "../../../doubles/step.ts";

const service = startEmbeddingService(64);
const root = await mkdtemp(join(tmpdir(), "cairn-openai-"));
afterAll(async () => {
	await service.stop();
	await rm(root, { recursive: true, force: true });
});
afterEach(() => {
	service.behave(() => null);
	service.forget();
});

let folders = 0;
let elapsed = 0;
const fetch = createGuardedFetch({ allow: [service.host], log: () => undefined });
function hostIn(folder = join(root, `host-${++folders}`)): Host {
	const quiet = quietHost(folder);
	return { ...quiet, fetch, world: { ...quiet.world, elapsedMs: () => elapsed } };
}

const given = { model: "small", baseUrl: `${service.address}/v1`, apiKey: "sk-secret" };
async function begin(more: object = {}, host = hostIn()): Promise<Embedder> {
	const checked = await openai().options["~standard"].validate({ ...given, ...more });
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	const [embedder] = (await openai().start(checked.value, host)).embedder ?? [];
	if (embedder === undefined) throw new Error("nothing is offered");
	return embedder;
}
/** With its calibration measured, so that what is asked is what is meant. */
async function settled(more: object = {}): Promise<Embedder> {
	const embedder = await begin(more);
	await embedder.embed(["text"], "document", createStep());
	service.forget();
	return embedder;
}

for (const contractTest of embedderContract(() => begin())) test(contractTest.name, contractTest.check);

test("nothing is offered, and nothing asked, without a model", async () => {
	expect(await startPlugin(openai())).toEqual({});
	const checked = await openai().options["~standard"].validate({ modle: "x" });
	expect(JSON.stringify(checked.issues)).toContain("modle");
});

describe("openai", () => {
	test("asks as the protocol wants", async () => {
		const embedder = await settled();
		const [vector] = await embedder.embed(["ferry"], "query", createStep());
		expect(service.asked).toHaveLength(1);
		expect(service.asked[0]).toMatchObject({ path: "/v1/embeddings", model: "small", input: ["ferry"], body: { encoding_format: "float" } });
		expect(service.asked[0]?.headers["authorization"]).toBe("Bearer sk-secret");
		expect(cosine(vector ?? new Float32Array(64), Float32Array.from(vectorOf("ferry", 64)))).toBeCloseTo(1, 5);
	});

	test("its dimensions are asked once and kept; with them it starts while the service is away", async () => {
		const host = hostIn(join(root, "kept"));
		expect((await begin({}, host)).space.dimensions).toBe(64);
		service.behave(() => new Response("no", { status: 503 }));
		expect((await begin({}, host)).space.dimensions).toBe(64);
		await expect(begin()).rejects.toThrow("nothing is offered");
		expect((await begin({ dimensions: 12 })).space.dimensions).toBe(12);
	});

	test("another model, or other words before a text, is another space", async () => {
		const names = [await begin(), await begin({ model: "large" }), await begin({ queryPrompt: "query: " })].map(({ space }) => space.name);
		expect(new Set(names).size).toBe(3);
		const prompted = await settled({ queryPrompt: "query: ", documentPrompt: "passage: " });
		await prompted.embed(["ferry"], "query", createStep());
		await prompted.embed(["ferry"], "document", createStep());
		expect(service.asked.map(({ input }) => input[0])).toEqual(["query: ferry", "passage: ferry"]);
	});

	test("texts go in batches of bounded size", async () => {
		expect(batchesOf(["aaa", "bb", "c", "dddd"], { textsMax: 2, charactersMax: 5 })).toEqual([
			["aaa", "bb"],
			["c", "dddd"],
		]);
		expect(batchesOf(["aaaaaaa", "b"], { textsMax: 9, charactersMax: 5 })).toEqual([["aaaaaaa"], ["b"]]);
		const embedder = await settled({ textsMax: 3, charactersMax: 1_000 });
		const texts = ["x".repeat(900), "y".repeat(200), ...Array.from({ length: 6 }, (_, i) => `text ${i}`)];
		const vectors = await embedTexts(texts, embedder, "document", createStep());
		expect(service.asked.map(({ input }) => input.length)).toEqual([1, 2, 3, 2]);
		expect(vectors).toHaveLength(8);
	});

	test("whoever asks for a pause has it: nobody asks before, and no try is counted", async () => {
		const embedder = await settled();
		service.behave((_asked, before) => (before === 0 ? new Response("slow down", { status: 429, headers: { "retry-after": "7" } }) : null));
		const failing = embedder.embed(["ferry"], "document", createStep());
		await expect(failing).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE", kind: "unavailable", retryAfterMs: 7_000 });
		await expect(embedder.embed(["basil"], "document", createStep())).rejects.toMatchObject({ retryAfterMs: 7_000 });
		expect(service.asked).toHaveLength(1);
		elapsed += 7_000;
		expect(await embedder.embed(["basil"], "document", createStep())).toHaveLength(1);
	});

	test.each([500, 502, 503, 408, 425])("status %p passes by itself", async (status) => {
		const embedder = await settled();
		service.behave(() => new Response("no", { status }));
		await expect(embedder.embed(["ferry"], "document", createStep())).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE", retryAfterMs: 5_000 });
	});

	test.each([401, 402, 403, 404])("status %p is the operator's: documents wait for a minute, and the key is not shown", async (status) => {
		const embedder = await settled();
		service.behave(() => Response.json({ error: { message: "Incorrect API key provided: sk-secret-key" } }, { status }));
		const failing = embedder.embed(["ferry"], "document", createStep());
		await expect(failing).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE", retryAfterMs: 60_000 });
		await expect(failing).rejects.not.toThrow(/sk-secret/);
	});

	test("a key of any form that the service repeats is not shown", async () => {
		const embedder = await settled({ apiKey: "0f4c97aa-plain+form" });
		service.behave(() => new Response("who is 0f4c97aa-plain+form?", { status: 401 }));
		await expect(embedder.embed(["ferry"], "document", createStep())).rejects.toMatchObject({
			args: [service.host, "it answered with status 401: who is …?"],
		});
	});

	test("a text that is refused does not keep the others of its batch from theirs", async () => {
		const embedder = await settled();
		service.behave(({ input }) => (input.some((text) => text.includes("poison")) ? Response.json({ error: "maximum context length" }, { status: 400 }) : null));
		await expect(embedder.embed(["poison"], "document", createStep())).rejects.toMatchObject({ code: "EMBEDDER_DECLINED", mayPass: false });
		service.forget();
		await expect(embedder.embed(["a", "b", "poison", "c", "d", "e", "f", "g"], "document", createStep())).rejects.toMatchObject({ code: "EMBEDDER_DECLINED" });
		expect(service.asked.length).toBeLessThan(9);
	});

	test.each([
		["no JSON", () => new Response("<html>")],
		["another protocol", () => Response.json({ hello: 1 })],
		["too few vectors", () => answering({ path: "/v1/embeddings", input: [] }, 64)],
		["one for another text", () => Response.json({ data: [{ index: 7, embedding: [1] }] })],
	])("an answer that is %s may pass, and is told so", async (_name, behave) => {
		const embedder = await settled();
		service.behave(() => behave());
		await expect(embedder.embed(["ferry", "basil"], "document", createStep())).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE" });
		elapsed += 3_600_000;
	});

	test("vectors of another length, of no numbers, or of zeros are refused by name", async () => {
		const embedder = await settled();
		for (const [embedding, words] of [
			[[1, 2, 3], "has 3 dimensions instead of 64"],
			[[null, ...new Array(63).fill(1)], "not finite"],
			[new Array(64).fill(0), "all zeros"],
		] as const) {
			service.behave(() => Response.json({ data: [{ index: 0, embedding }] }));
			const failing = embedTexts(["ferry"], embedder, "document", createStep());
			await expect(failing).rejects.toMatchObject({ code: "EMBEDDING_MALFORMED", message: expect.stringContaining(words) });
		}
	});

	test("what it costs is told as it is counted, or as it can be reckoned", async () => {
		const embedder = await settled({ price: 0.02 });
		const spent: EmbeddingSpent[] = [];
		const step = { ...createStep(), spent: (one: EmbeddingSpent) => void spent.push(one) };
		await embedder.embed(["one two three", "four"], "document", step);
		service.behave(({ input }) => Response.json({ data: input.map((text, index) => ({ index, embedding: vectorOf(text, 64) })) }));
		await embedder.embed(["12345678"], "document", step);
		expect(spent).toEqual([
			{ embedder: "openai", tokens: 4, cost: (4 * 0.02) / 1_000_000 },
			{ embedder: "openai", tokens: 2, cost: (2 * 0.02) / 1_000_000 },
		]);
	});

	test("nobody there, and a redirect, are told without what the network looks like", async () => {
		const nobody = await begin({ baseUrl: `${service.address}/v1`, dimensions: 64 });
		service.behave(() => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }));
		await expect(nobody.embed(["ferry"], "document", createStep())).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE", retryAfterMs: 60_000 });
		expect(service.asked.every(({ path }) => path === "/v1/embeddings")).toBe(true);
	});
});
