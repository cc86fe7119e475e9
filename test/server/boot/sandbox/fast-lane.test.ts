/** Small calls do not wait for long ones, and long ones lose little by it. */

import { expect, test } from "bun:test";
import { getPriority } from "node:os";
import { busy, call, echoOf, isAlive, openSandbox, slow, until } from "./open-sandbox.ts";

/** A pool with one regular place, which is taken for `ms`. */
function openTaken(ms: number, bounds: Parameters<typeof openSandbox>[0] = {}) {
	const sandbox = openSandbox({ processesMax: 1, patienceMs: 20, ...bounds });
	return { sandbox, taken: sandbox.run(call(slow, ms)) };
}

test("a call that makes room in the lane is paused and goes on: nothing of it is lost", async () => {
	const { sandbox, taken } = openTaken(1_500);
	let begun = 0;
	let isDone = false;
	const long = sandbox.run(call(busy, 600, { progress: () => begun++ })).then(() => (isDone = true));
	await Bun.sleep(250);
	await echoOf(sandbox, "small");
	expect(isDone).toBe(false);
	await Promise.all([long, taken]);
	expect(begun).toBe(1);
});

test("a limit of time does not come nearer while a call is paused", async () => {
	const { sandbox, taken } = openTaken(6_000);
	// Where cores are short its work takes several times as long, and still less than its limit.
	const paused = sandbox.run(call(busy, 150, { timeoutMs: 4_000 }));
	const other = Bun.sleep(150).then(() => sandbox.run(call(busy, 4_500, { timeoutMs: 60_000 })));
	await Promise.all([paused, other, taken]);
});

test("when too many are paused one begins again, and is read in the end", async () => {
	const { sandbox, taken } = openTaken(800, { pausedMax: 0 });
	let begun = 0;
	const long = sandbox.run(call(busy, 400, { progress: () => begun++ }));
	await until(() => begun === 1, 4_000);
	await Bun.sleep(100);
	await echoOf(sandbox, "small");
	await Promise.all([long, taken]);
	expect(begun).toBe(2);
});

test("a paused call that is aborted leaves no process", async () => {
	const { sandbox, taken } = openTaken(1_000);
	const ending = new AbortController();
	let begun = 0;
	const paused = sandbox.run(call(busy, 5_000, { signal: ending.signal, progress: () => begun++ })).catch((reason: unknown) => reason);
	await until(() => begun === 1, 4_000);
	await Bun.sleep(100);
	const before = sandbox.pids();
	const other = sandbox.run(call(busy, 300));
	await Bun.sleep(100);
	ending.abort("enough");
	expect(await paused).toBe("enough");
	expect(await until(() => before.filter(isAlive).length < before.length, 4_000)).toBe(true);
	await Promise.all([other, taken]);
});

test.skipIf(process.platform !== "linux")("a call that takes long leaves the cores to others, and the next one has its share again", async () => {
	const sandbox = openSandbox({ processesMax: 1 });
	const { pid } = await echoOf(sandbox, "before");
	const ordinary = getPriority(pid);
	const long = sandbox.run<number, number>(call(busy, 600));
	expect(await until(() => getPriority(pid) > ordinary, 600)).toBe(true);
	expect(await long).toBe(pid);
	expect(getPriority((await echoOf(sandbox, "after")).pid)).toBe(ordinary);
});
