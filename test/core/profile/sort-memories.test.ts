/** The descriptions of buckets are embedded once for all who ask at the same time, and one who goes away takes nobody along. */

import { expect, test } from "bun:test";
import { asId, type Embedder, type Memory, type MemoryId, type Vector } from "cairn-memory";
import { sortMemories } from "../../../core/profile/buckets.ts";
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

test("many that are unsorted are looked for once and sorted in parts, the newest first, until the caller goes away", async () => {
	const leaving = new AbortController();
	const unsorted = Array.from({ length: 900 }, (_, i) => ({ id: asId<MemoryId>(`memory-${i}`), text: `Ada likes tea ${i}.` }) as Memory);
	const [looks, parts]: [number[], string[][]] = [[], []];
	const profiles = {
		unsorted: async (_tag: string, _sortings: readonly string[], limit: number) => {
			looks.push(limit);
			return unsorted.slice(0, limit);
		},
		sort: async (_name: string, sorted: readonly { readonly memory: string }[]) => {
			parts.push(sorted.map(({ memory }) => memory));
			if (parts.length === 7) leaving.abort();
		},
	};
	const all = { tenant: { ...(tenant as object), profiles } as never, embedder: await partOf(hashing(), "embedder"), others: [] };
	expect(await sortMemories("box", buckets, 1_000, all, createStep(leaving.signal))).toBe(900);
	expect([looks, parts.map(({ length }) => length)]).toEqual([[1_000], [200, 200, 200, 200, 100]]);
	expect(parts.flat()).toEqual(unsorted.map(({ id }) => id as string));
	await sortMemories("box", buckets, 1_000, all, createStep(leaving.signal));
	expect(parts.length).toBe(7);
});
