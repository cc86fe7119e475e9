/** Of the memories that were found no more are read than the results depend on, and the results are those of reading all. */

import { expect, test } from "bun:test";
import { asId, type Memory, type MemoryId } from "cairn-memory";
import fc from "fast-check";
import { keyOf, readMemories, worthOf } from "../../../core/search/read-memories.ts";

interface Made {
	readonly score: number;
	readonly text: string;
	readonly isInference: boolean;
	readonly isGone: boolean;
}

const made = fc.record({
	score: fc.integer({ min: 1, max: 50 }).map((n) => n / 50),
	text: fc.constantFrom(..."abcdefghijklmnop"),
	isInference: fc.boolean(),
	isGone: fc.boolean(),
});

function found(all: readonly Made[]) {
	const ids = all.map((_, i) => asId<MemoryId>(`memory-${i}`));
	const memories = new Map(all.flatMap(({ text, isInference, isGone }, i) => (isGone ? [] : [[ids[i], { id: ids[i], text, isInference } as Memory]])));
	let asked = 0;
	const get = async (wanted: readonly MemoryId[]) => {
		asked += wanted.length;
		return wanted.flatMap((id) => memories.get(id) ?? []);
	};
	const candidates = all.map(({ score }, i) => ({ hit: { id: ids[i] as MemoryId, score }, score })).sort((a, b) => b.score - a.score);
	return { candidates, get, asked: () => asked };
}

type FoundItem = ReturnType<typeof found>;

async function bestOf({ candidates, get }: FoundItem, wanted: number, read: number) {
	const memories = await readMemories(candidates, read, { get });
	const known = candidates.flatMap(({ hit, score }) => {
		const memory = memories.get(hit.id);
		return memory === undefined ? [] : [{ text: keyOf(memory), worth: worthOf(memory, score) }];
	});
	const sorted = known.sort((a, b) => b.worth - a.worth);
	return [...new Map(sorted.toReversed().map((each) => [each.text, each]))]
		.map(([, each]) => each)
		.sort((a, b) => b.worth - a.worth)
		.slice(0, wanted);
}

test("the best are those of reading all, whatever says the same, is inferred or is gone", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(made, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), async (all, wanted) => {
			const worths = async (read: number) => (await bestOf(found(all), wanted, read)).map(({ worth }) => worth);
			expect(await worths(wanted)).toEqual(await worths(all.length));
		}),
		{ numRuns: 300, seed: 11 },
	);
});

test("where all say something else, half as many again as are wanted are read", async () => {
	const all = Array.from({ length: 60 }, (_, i) => ({ score: 1 - i / 100, text: `Text ${i}.`, isInference: false, isGone: false }));
	const one = found(all);
	expect([...(await readMemories(one.candidates, 10, one)).keys()].length).toBe(15);
	expect(one.asked()).toBe(15);
});
