/** Computations of a thread share one slice, and each gets its turn. */

import { expect, test } from "bun:test";
import { giveWayBy, yieldIfDue } from "../../../core/runtime/yielder.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function compute(ms: number): void {
	for (const end = performance.now() + ms; performance.now() < end; );
}

/** Computes in steps of a millisecond, and notes each turn of the event loop in which it could go on. */
async function computeInSteps(steps: number, name: string, order: string[]): Promise<void> {
	for (let i = 0; i < steps; i++) {
		compute(1);
		const pause = yieldIfDue();
		if (pause === null) continue;
		await pause;
		order.push(name);
	}
}

test("a pause is due when the slice is used up, and not before", async () => {
	await nextTurn();
	expect(yieldIfDue()).toBeNull();
	compute(10);
	const pause = yieldIfDue();
	expect(pause).not.toBeNull();
	await pause;
	expect(yieldIfDue()).toBeNull();
});

test("whoever asks whether a pause is due gives way, due or not", () => {
	let times = 0;
	giveWayBy(() => {
		times += 1;
	});
	try {
		for (let i = 1; i <= 3; i++) {
			void yieldIfDue();
			expect(times).toBe(i);
			compute(3);
		}
	} finally {
		giveWayBy(() => undefined);
	}
});

test("a wait for something else begins a new slice", async () => {
	await nextTurn();
	expect(yieldIfDue()).toBeNull();
	compute(10);
	await nextTurn();
	expect(yieldIfDue()).toBeNull();
});

test("several computations share the slice, and take turns", async () => {
	await nextTurn();
	const order: string[] = [];
	await Promise.all([computeInSteps(40, "a", order), computeInSteps(40, "b", order), computeInSteps(40, "c", order)]);
	const counts = ["a", "b", "c"].map((name) => order.filter((each) => each === name).length);
	expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
	// None has a second turn before the others had theirs, as long as all compute.
	expect([...order.slice(0, 3)].sort()).toEqual(["a", "b", "c"]);
});

test("the event loop turns between the slices of several computations", async () => {
	await nextTurn();
	let [turns, longest, at] = [0, 0, performance.now()];
	let isOver = false;
	const watch = () => {
		turns++;
		longest = Math.max(longest, performance.now() - at);
		at = performance.now();
		if (!isOver) setImmediate(watch);
	};
	watch();
	await Promise.all(Array.from({ length: 8 }, () => computeInSteps(20, "", [])));
	isOver = true;
	// 160 ms in slices of 6 ms.
	expect(turns).toBeGreaterThanOrEqual(15);
});
