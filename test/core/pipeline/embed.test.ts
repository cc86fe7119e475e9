/** Embedding lets the rest of the thread have its turn, for other documents and the watch over files being read are on it too. */

import { expect, test } from "bun:test";
import type { Embedder } from "cairn";
import { embedTexts } from "../../../core/pipeline/embed.ts";
import { createStep } from "../../doubles/step.ts";

test("timers ring between batches, though the embedder never waits", async () => {
	let rung = 0;
	const timer = setInterval(() => rung++, 1);
	const embedder: Embedder = {
		name: "busy",
		space: { name: "busy-1", dimensions: 2, metric: "cosine", calibration: { unrelated: 0, related: 1, weight: 1 } },
		batchMax: 1,
		embed: async (texts) => {
			for (const until = performance.now() + 3; performance.now() < until; );
			return texts.map(() => Float32Array.from([1, 0]));
		},
	};
	const texts = Array.from({ length: 10 }, (_, at) => `text ${at}`);
	expect(await embedTexts(texts, embedder, "document", createStep())).toHaveLength(10);
	clearInterval(timer);
	expect(rung).toBeGreaterThanOrEqual(5);
});
