/** How well memories are sorted into buckets without a model: precision and recall over labelled sentences, with the embedder that ships. */

import { expect, test } from "bun:test";
import { sortingName } from "../../../core/profile/buckets.ts";
import { bucketsFor, prepareSorting } from "../../../core/profile/sorting.ts";
import staticEmbedder from "../../../plugins/embedders/static/index.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";
import { type Labelled, labelledBuckets, seen, unseen } from "./labelled-memories.ts";

const embedder = await partOf(staticEmbedder(), "embedder");

interface Quality {
	readonly precision: number;
	readonly recall: number;
	readonly wrong: readonly string[];
}

async function measure(memories: readonly Labelled[], key: string | null): Promise<Quality> {
	const sorting = await prepareSorting(labelledBuckets, embedder, createStep());
	const vectors = await embedder.embed(
		memories.map(({ text }) => text),
		"document",
		createStep(),
	);
	let [right, said, meant] = [0, 0, 0];
	const wrong: string[] = [];
	for (const [i, { text, buckets }] of memories.entries()) {
		const only = (keys: readonly string[]) => keys.filter((each) => key === null || each === key);
		const found = only(bucketsFor(text, vectors[i] ?? null, sorting));
		const wanted = only(buckets);
		right += found.filter((each) => wanted.includes(each)).length;
		said += found.length;
		meant += wanted.length;
		if (found.toSorted().join() !== wanted.toSorted().join()) wrong.push(`${text}: ${found} instead of ${wanted}`);
	}
	return { precision: right / said, recall: right / meant, wrong };
}

test("there are enough sentences to tell", () => {
	expect(new Set([...seen, ...unseen].map(({ text }) => text)).size).toBeGreaterThanOrEqual(75);
});

// What was measured when the rules were written, a little rounded down: changes that make it worse are noticed.
const floors = [
	{ memories: seen, of: "sentences the rules were written with", key: "preferences", precision: 0.99, recall: 0.99 },
	{ memories: unseen, of: "sentences they were not", key: "preferences", precision: 0.95, recall: 0.75 },
	{ memories: unseen, of: "sentences they were not", key: null, precision: 0.9, recall: 0.6 },
] as const;

for (const { memories, of, key, precision, recall } of floors) {
	test(`${key ?? "all buckets"}, ${of}`, async () => {
		const quality = await measure(memories, key);
		expect(quality.precision, quality.wrong.join("\n")).toBeGreaterThanOrEqual(precision);
		expect(quality.recall, quality.wrong.join("\n")).toBeGreaterThanOrEqual(recall);
	});
}

test("a vector that is near puts a memory into a bucket with other words", async () => {
	const sorting = await prepareSorting([{ key: "boats", description: "Sailing" }], embedder, createStep());
	const space = { ...sorting.space, calibration: { unrelated: 0, related: 1, weight: 1 } };
	const [bucket] = sorting.buckets;
	expect(bucketsFor("Ada owns a dinghy", bucket?.vector ?? null, { ...sorting, space })).toEqual(["boats"]);
	expect(bucketsFor("Ada owns a dinghy", null, { ...sorting, space })).toEqual([]);
});

test("the name of a sorting tells key, description, order and embedder apart", () => {
	const bucket = { key: "a", description: "b" };
	const { space } = embedder;
	const names = [
		sortingName([bucket], space),
		sortingName([{ ...bucket, key: "c" }], space),
		sortingName([{ ...bucket, description: "c" }], space),
		sortingName([bucket, bucket], space),
		sortingName([bucket], { ...space, name: "other" }),
	];
	expect(new Set(names).size).toBe(names.length);
	expect(sortingName([{ ...bucket }], space)).toBe(names[0] ?? "");
});
