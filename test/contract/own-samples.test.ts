/** The contract tests are for plugins of others: one that needs a network passes with a host of its own, one that looks for something special with its own sample. */

import { afterAll, describe, expect, test } from "bun:test";
import { definePlugin, type Embedder, type Host, type MemoryExtractor } from "cairn-memory";
import { z } from "zod";
import hashing from "../../plugins/embedders/hashing.ts";
import { createGuardedFetch } from "../../server/boot/network/guarded-fetch.ts";
import { ContractBroken } from "./contract-test.ts";
import { embedderContract } from "./embedder-contract.ts";
import { memoryExtractorContract } from "./memory-extractor-contract.ts";
import { pluginContract } from "./plugin-contract.ts";
import { quietHost, quietStep } from "./quiet-host.ts";
import { partOf } from "./start.ts";

/** Asks a service for every vector, and for its dimensions when it starts. */
const remote = definePlugin({
	name: "cairn-plugin-embed-acme",
	contract: 1,
	options: z.strictObject({ address: z.string() }),
	start: async ({ address }, { fetch }) => {
		const ask = async (texts: readonly string[]): Promise<readonly number[][]> => {
			const body = new TextEncoder().encode(JSON.stringify(texts));
			const { bytes } = await fetch(address, { signal: new AbortController().signal, bytesMax: 10_000_000, timeoutMs: 60_000, body });
			return JSON.parse(new TextDecoder().decode(bytes)) as number[][];
		};
		const [first = []] = await ask(["text"]);
		const embedder: Embedder = {
			name: "acme",
			space: { name: "acme-1", dimensions: first.length, metric: "cosine", calibration: { unrelated: 0.1, related: 0.5, weight: 0.5 } },
			batchMax: 64,
			embed: async (texts) => (await ask(texts)).map((vector) => Float32Array.from(vector)),
		};
		return { embedder: [embedder] };
	},
});

/** The service: the vectors of an embedder that computes, over HTTP. */
const computing = await partOf(hashing(), "embedder");
const service = Bun.serve({
	port: 0,
	hostname: "127.0.0.1",
	fetch: async (request) => {
		const vectors = await computing.embed((await request.json()) as string[], "document", quietStep());
		return Response.json(vectors.map((vector) => [...vector]));
	},
});
afterAll(() => service.stop(true));
const options = { address: service.url.href };
const host: Host = { ...quietHost(), fetch: createGuardedFetch({ allow: [service.url.host], log: () => undefined }) };

describe("an embedder that asks a service", () => {
	for (const contractTest of [...pluginContract(remote, options, host), ...embedderContract(() => partOf(remote(options), "embedder", host))])
		test(contractTest.name, contractTest.check);

	test("has no network without a host of its own", async () => {
		await expect(partOf(remote(options), "embedder")).rejects.toMatchObject({ code: "ADDRESS_BLOCKED" });
	});
});

/** Looks for addresses of e-mail, and for nothing else. */
const addresses: MemoryExtractor = {
	name: "e-mail",
	extract: async ({ chunks }) => {
		const found = chunks.flatMap((chunk) => [...chunk.text.matchAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g)].map((match) => ({ chunk, match })));
		const once = new Map(found.toReversed().map((one) => [one.match[0], one]));
		return [...once.values()].map(({ chunk, match }) => ({
			text: `The address ${match[0]} was mentioned.`,
			isStatic: false,
			isInference: false,
			confidence: 0.9,
			subject: null,
			eventTime: null,
			forgetAfter: null,
			evidence: [{ document: chunk.document, chunk: chunk.id, span: [match.index, match.index + match[0].length] }],
		}));
	},
};
const sample = { facts: [["Write to ana@tern.example, or to the desk.", "ana@tern.example"]] } as const;

describe("a memory extractor that looks for something special", () => {
	for (const contractTest of memoryExtractorContract(async () => addresses, sample)) test(contractTest.name, contractTest.check);

	const broken = (contractTests: readonly { readonly name: string; readonly check: () => Promise<void> }[], name: string) =>
		contractTests
			.find((contractTest) => contractTest.name === name)
			?.check()
			.catch((thrown: unknown) => thrown);

	test("finds nothing in the sample of the kit", async () => {
		expect(
			await broken(
				memoryExtractorContract(async () => addresses),
				"a plain fact is found",
			),
		).toBeInstanceOf(ContractBroken);
	});

	test("passes nothing with an empty sample, or with facts that it is silent about", async () => {
		for (const facts of [[], [["Nobody is named here.", "Ana"]]] as const)
			expect(
				await broken(
					memoryExtractorContract(async () => addresses, { facts }),
					"a plain fact is found",
				),
			).toBeInstanceOf(ContractBroken);
	});

	test("says nothing twice of its own sample", async () => {
		const twice: MemoryExtractor = {
			...addresses,
			extract: async (reading, step) => (await addresses.extract(reading, step)).flatMap((draft) => [draft, draft]),
		};
		expect(
			await broken(
				memoryExtractorContract(async () => twice, sample),
				"no near-copies within one answer",
			),
		).toBeInstanceOf(ContractBroken);
	});
});
