/** The descriptions of buckets are embedded once for all who ask at the same time, and one who goes away takes nobody along. */

import { expect, test } from "bun:test";
import { asId, type Embedder, type Memory, type MemoryId, type Vector } from "cairn-memory";
import { sortedByRules } from "../../../core/profile/sorting.ts";
import hashing from "../../../plugins/embedders/hashing.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const buckets = [{ key: "preferences", description: "What somebody likes" }];
const memories = [{ id: asId<MemoryId>("2nJ8vQyT5hZrK1wXbC4dEf"), text: "Ada likes tea." } as Memory];
const tenant = { vectors: () => ({ memoryVectors: async () => new Map() }) } as never;

/** One that answers when it is let go, or not at all when its caller gives up. */
async function slowEmbedder() {
	const inner = await partOf(hashing(), "embedder");
	const letGo = Promise.withResolvers<void>();
	let calls = 0;
	const embed: Embedder["embed"] = (texts, side, step) => {
		calls++;
		const { promise, resolve, reject } = Promise.withResolvers<readonly Vector[]>();
		step.signal.addEventListener("abort", () => reject(step.signal.reason), { once: true });
		letGo.promise.then(() => step.signal.aborted || resolve(inner.embed(texts, side, step)));
		return promise;
	};
	return { embedder: { ...inner, embed } satisfies Embedder, calls: () => calls, letGo: letGo.resolve };
}

test("who asks while another does waits for the same answer", async () => {
	const { embedder, calls, letGo } = await slowEmbedder();
	const both = [1, 2].map(() => sortedByRules(memories, buckets, { tenant, embedder }, createStep()));
	letGo();
	for (const sorted of await Promise.all(both)) expect(sorted[0]?.buckets).toEqual(["preferences"]);
	expect(calls()).toBe(1);
});

test("who began it and goes away takes nobody along", async () => {
	const { embedder, calls, letGo } = await slowEmbedder();
	const leaving = new AbortController();
	const first = sortedByRules(memories, buckets, { tenant, embedder }, createStep(leaving.signal));
	const second = sortedByRules(memories, buckets, { tenant, embedder }, createStep());
	leaving.abort(new Error("gone"));
	await expect(first).rejects.toThrow("gone");
	letGo();
	expect((await second)[0]?.buckets).toEqual(["preferences"]);
	expect(calls()).toBe(2);
});
