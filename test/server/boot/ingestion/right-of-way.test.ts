/** The thread that ingests waits while searches are under way, and for no more than half of its time. */

import { expect, test } from "bun:test";
import { createGiveWay, createSearches, search } from "../../../../server/boot/ingestion/right-of-way.ts";
import { until } from "../../../doubles/until.ts";

/** A clock that only waits move on, and what was waited for. */
function ground(onWait: (timeoutMs: number) => number) {
	const clock = { now: 0 };
	const waits: number[] = [];
	const searches = createSearches();
	const giveWay = createGiveWay(
		searches,
		() => clock.now,
		(_cell, _index, _value, timeoutMs) => {
			waits.push(timeoutMs);
			clock.now += onWait(timeoutMs);
		},
	);
	return { clock, waits, searches, giveWay };
}

/** A search that is under way until it is told to end. */
function begin(searches: ReturnType<typeof createSearches>) {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	return { end: () => resolve("found"), fail: () => reject(new Error("the client went away")), answer: search(searches, () => promise) };
}

test("nothing is waited for while nobody searches", async () => {
	const { giveWay, waits, searches } = ground(() => 1);
	giveWay();
	expect(await search(searches, async () => "found")).toBe("found");
	giveWay();
	expect(waits).toEqual([]);
});

test("it waits until the last of several searches has ended, whether they find or fail", async () => {
	const { giveWay, waits, searches } = ground(() => {
		// As if the other thread had ended it meanwhile.
		Atomics.sub(searches, 0, 1);
		return 3;
	});
	const [one, other] = [begin(searches), begin(searches)];
	giveWay();
	expect(waits).toEqual([20, 17]);
	Atomics.add(searches, 0, 2);
	one.end();
	other.fail();
	expect(await one.answer).toBe("found");
	await expect(other.answer).rejects.toThrow("went away");
	expect(Atomics.load(searches, 0)).toBe(0);
});

test("however much is searched, it has half of its time", () => {
	const { giveWay, waits, searches, clock } = ground((timeoutMs) => timeoutMs);
	void begin(searches);
	giveWay();
	giveWay();
	clock.now += 19;
	giveWay();
	expect(waits).toEqual([20]);
	clock.now += 1;
	giveWay();
	expect(waits).toEqual([20, 20]);
});

test("a search that never ends is counted for a while, and one that ends later is not counted twice", async () => {
	const searches = createSearches();
	const { promise, resolve } = Promise.withResolvers<string>();
	const answer = search(searches, () => promise, 0);
	expect(Atomics.load(searches, 0)).toBe(1);
	await until(() => Atomics.load(searches, 0) === 0);
	resolve("late");
	expect(await answer).toBe("late");
	expect(Atomics.load(searches, 0)).toBe(0);
});

test("a thread that waits goes on when the search ends", async () => {
	const searches = createSearches();
	const source = `const { parentPort, workerData } = require("node:worker_threads");
		parentPort.postMessage("waits");
		parentPort.postMessage(Atomics.wait(workerData, 0, 1, 10_000));`;
	const under = begin(searches);
	const thread = new Worker(URL.createObjectURL(new Blob([source])), { workerData: searches } as WorkerOptions);
	const said: unknown[] = [];
	const { promise: over, resolve } = Promise.withResolvers<void>();
	thread.onmessage = ({ data }) => {
		said.push(data);
		if (data === "waits") under.end();
		else resolve();
	};
	await over;
	thread.terminate();
	// Not equal: the search had ended before the thread began to wait.
	expect(["ok", "not-equal"]).toContain(String(said[1]));
	await under.answer;
});
