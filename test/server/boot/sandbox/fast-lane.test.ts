/** Small calls do not wait for long ones, and long ones lose little by it. */

import { expect, test } from "bun:test";
import { getPriority } from "node:os";
import { until } from "../../../doubles/until.ts";
import { echoOf, isAlive, isPaused, openSandbox, runGated } from "./open-sandbox.ts";

/** A pool with one regular place, which is taken until it is opened. */
function openTaken(bounds: Parameters<typeof openSandbox>[0] = {}) {
	const sandbox = openSandbox({ processesMax: 1, laneOpensAfterMs: 20, ...bounds });
	return { sandbox, taken: runGated(sandbox) };
}

test("a call that makes room in the lane is paused and goes on: nothing of it is lost", async () => {
	const { sandbox, taken } = openTaken();
	const long = runGated(sandbox);
	await until(() => long.begun() === 1);
	await echoOf(sandbox, "small");
	await Promise.all([long.open(), taken.open()]);
	await Promise.all([long.result, taken.result]);
	expect(long.begun()).toBe(1);
});

test("a limit of time does not come nearer while a call is paused", async () => {
	const { sandbox, taken } = openTaken();
	const timeoutMs = 4_000;
	const paused = runGated(sandbox, { timeoutMs });
	await until(() => paused.begun() === 1);
	const other = runGated(sandbox);
	await until(() => sandbox.pids().some(isPaused));
	// Longer than its limit; it may be as much longer as the machine likes.
	await Bun.sleep(timeoutMs + 200);
	await Promise.all([paused.open(), other.open(), taken.open()]);
	await Promise.all([paused.result, other.result, taken.result]);
});

test("when too many are paused one begins again, and is read in the end", async () => {
	const { sandbox, taken } = openTaken({ pausedMax: 0 });
	const long = runGated(sandbox);
	await until(() => long.begun() === 1);
	await echoOf(sandbox, "small");
	await Promise.all([long.open(), taken.open()]);
	await Promise.all([long.result, taken.result]);
	expect(long.begun()).toBe(2);
});

test("a paused call that is aborted leaves no process", async () => {
	const { sandbox, taken } = openTaken();
	const ending = new AbortController();
	const long = runGated(sandbox, { signal: ending.signal });
	const paused = long.result.catch((reason: unknown) => reason);
	await until(() => long.begun() === 1);
	const other = runGated(sandbox);
	const pid = await until(() => sandbox.pids().find(isPaused));
	ending.abort("enough");
	expect(await paused).toBe("enough");
	await until(() => !isAlive(pid));
	await Promise.all([other.open(), taken.open()]);
	await Promise.all([other.result, taken.result]);
});

test.skipIf(process.platform !== "linux")("a call that takes long leaves the cores to others, and the next one has its share again", async () => {
	const sandbox = openSandbox({ processesMax: 1 });
	const { pid } = await echoOf(sandbox, "before");
	const ordinary = getPriority(pid);
	const long = runGated(sandbox);
	await until(() => getPriority(pid) > ordinary);
	await long.open();
	expect(await long.result).toBe(pid);
	expect(getPriority((await echoOf(sandbox, "after")).pid)).toBe(ordinary);
});
