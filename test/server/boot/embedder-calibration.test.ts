/** A server with an embedder that scores cannot be computed with does not start, and says in one sentence why. */

import { expect, test } from "bun:test";
import { type Calibration, definePlugin } from "cairn-memory";
import { z } from "zod";
import { startTestServer } from "../../doubles/test-server.ts";

const acme = (calibration: Partial<Calibration> | undefined) =>
	definePlugin({
		name: "cairn-plugin-embed-acme",
		contract: 1,
		options: z.strictObject({}),
		start: () => ({
			embedder: [
				{
					name: "acme",
					// As a plugin in JavaScript would have it.
					space: { name: "acme-1", dimensions: 2, metric: "cosine", calibration: calibration as Calibration },
					batchMax: 8,
					embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
				},
			],
		}),
	})();

test("no weight, no numbers, no calibration", async () => {
	for (const calibration of [{ unrelated: 0.1, related: 0.5 }, { unrelated: Number.NaN, related: 0.5, weight: 1 }, undefined]) {
		const thrown: unknown = await startTestServer([], { plugins: [acme(calibration)], use: { embedder: "acme" } }).catch((error: unknown) => error);
		expect(thrown).toMatchObject({ code: "PLUGIN_MALFORMED" });
		expect(String(thrown)).toMatch(/^ServiceError: plugin cairn-plugin-embed-acme is malformed: the embedder acme has no sound calibration: its [^\n]+$/);
	}
});

test("with a sound one every score of a search is a number", async () => {
	const server = await startTestServer([], { plugins: [acme({ unrelated: 0.1, related: 0.5, weight: 0.5 })], use: { embedder: "acme" } });
	const client = await server.client();
	const { id } = (await (await client.send("POST", "/v3/documents", { content: "The ferry leaves at five.", taskType: "superrag" })).json()) as { id: string };
	await client.finished(id);
	const answer = await client.send("POST", "/v3/search", { q: "when does the ferry leave", documentThreshold: 0, chunkThreshold: 0 });
	const { results } = (await answer.json()) as { readonly results: readonly { readonly score: unknown }[] };
	expect(results.map(({ score }) => typeof score)).toEqual(["number"]);
	await server.dispose();
});
