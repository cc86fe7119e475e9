/** Who gets which child, who waits, and that none is left behind. */

import { describe, expect, test } from "bun:test";
import { Worker } from "node:worker_threads";
import { until } from "../../../doubles/until.ts";
import type { Echo } from "./engines/echo.ts";
import type { Way } from "./engines/unruly.ts";
import { call, echo, echoOf, isAlive, openSandbox, rejection, runGated, slow, unruly } from "./open-sandbox.ts";

describe("who gets which child", () => {
	test("an engine stays warm", async () => {
		const sandbox = openSandbox();
		const first = await echoOf(sandbox, 1);
		const second = await echoOf(sandbox, 2);
		expect(second).toEqual({ input: 2, pid: first.pid, calls: 2 });
	});

	test("a child is replaced after so many calls", async () => {
		const sandbox = openSandbox({ callsPerChildMax: 2 });
		const pids = [await echoOf(sandbox, 1), await echoOf(sandbox, 2), await echoOf(sandbox, 3)].map(({ pid }) => pid);
		expect(pids[1]).toBe(pids[0] as number);
		expect(pids[2]).not.toBe(pids[1] as number);
	});

	test("a child that holds too much at rest is replaced", async () => {
		const sandbox = openSandbox({ idleMbMax: 150 });
		const left = await sandbox.run<Way, number>(call(unruly, "leaves much behind"));
		expect((await echoOf(sandbox, 1)).pid).not.toBe(left);
	});

	test("a call with little memory does not get a child that others have filled", async () => {
		const sandbox = openSandbox();
		const left = await sandbox.run<Way, number>(call(unruly, "leaves much behind"));
		const modest = await sandbox.run<unknown, Echo>(call(echo, 1, { memoryMb: 150 }));
		expect(modest.pid).not.toBe(left);
	});

	test("children beyond the warm ones end when nothing happens", async () => {
		const sandbox = openSandbox({ warm: 1, idleMs: 400 });
		await Promise.all([sandbox.run(call(slow, 50)), sandbox.run(call(slow, 50))]);
		expect(sandbox.pids()).toHaveLength(2);
		await until(() => sandbox.pids().length === 1);
		expect((await echoOf(sandbox, 1)).pid).toBe(sandbox.pids()[0] as number);
	});

	test("no more run at once than allowed, and the oldest goes first", async () => {
		const sandbox = openSandbox({ processesMax: 1 });
		const order: number[] = [];
		const runs = [1, 2, 3].map((number) => echoOf(sandbox, number).then(() => order.push(number)));
		expect(sandbox.pids()).toHaveLength(1);
		await Promise.all(runs);
		expect(order).toEqual([1, 2, 3]);
	});

	test("a quick call does not wait for slow ones, however many came before it and whatever reads them", async () => {
		const sandbox = openSandbox({ processesMax: 1, laneOpensAfterMs: 50, pausedMax: 2, spares: 1 });
		const ending = new AbortController();
		const slowOnes = Array.from({ length: 20 }, () => sandbox.run(call(slow, 60_000, { signal: ending.signal, timeoutMs: 60_000 })).catch(() => null));
		await Promise.all([sandbox.run(call(slow, 1)), echoOf(sandbox, "quick")]);
		// One at work in its place, one in the lane with two that are paused, one that stands by, and one that is being killed.
		expect(sandbox.pids().length).toBeLessThanOrEqual(1 + 3 + 1 + 1);
		ending.abort();
		await Promise.all(slowOnes);
	});

	test("a call in the fast lane goes on when a regular child becomes free", async () => {
		const sandbox = openSandbox({ processesMax: 1, laneOpensAfterMs: 50 });
		const [first, inLane] = [runGated(sandbox), runGated(sandbox)];
		await until(() => inLane.begun() === 1);
		await first.open();
		await first.result;
		await inLane.open();
		await inLane.result;
		expect(inLane.begun()).toBe(1);
	});

	test("calls that end soon do not open the fast lane", async () => {
		const sandbox = openSandbox({ processesMax: 1, laneOpensAfterMs: 60_000 });
		const runs = Array.from({ length: 8 }, (_, at) => sandbox.run(call(slow, at)));
		expect(new Set(await Promise.all(runs)).size).toBe(1);
	});

	test("a queue that is full refuses, with an error that passes", async () => {
		const sandbox = openSandbox({ processesMax: 1, waitingMax: 1 });
		const taken = runGated(sandbox);
		const waiting = sandbox.run(call(slow, 1));
		expect(await rejection(echoOf(sandbox, 1))).toMatchObject({ code: "PROCESS_UNAVAILABLE", mayPass: true });
		await Promise.all([taken.open(), taken.result, waiting]);
	});

	test("a child that was killed while idle costs the next call nothing", async () => {
		const sandbox = openSandbox();
		const { pid } = await echoOf(sandbox, 1);
		process.kill(pid, "SIGKILL");
		const next = await echoOf(sandbox, 2);
		expect(next).toEqual({ input: 2, pid: expect.any(Number), calls: 1 });
	});
});

describe("stopping", () => {
	test("an abort ends a running call at once, with the signal's reason", async () => {
		const sandbox = openSandbox();
		const ending = new AbortController();
		const run = rejection(sandbox.run(call(unruly, "spins in WebAssembly", { signal: ending.signal })));
		await until(() => sandbox.pids().length === 1);
		const reason = new Error("enough");
		ending.abort(reason);
		expect(await run).toBe(reason);
		await until(() => sandbox.pids().length === 0);
	});

	test("an abort takes a waiting call out of the queue", async () => {
		const sandbox = openSandbox({ processesMax: 1 });
		const first = runGated(sandbox);
		const ending = new AbortController();
		const second = rejection(sandbox.run(call(echo, 1, { signal: ending.signal })));
		ending.abort("gone");
		expect(await second).toBe("gone");
		expect(sandbox.pids()).toHaveLength(1);
		await first.open();
		await first.result;
	});

	test("a signal that is aborted already starts nothing", async () => {
		const sandbox = openSandbox();
		expect(await rejection(sandbox.run(call(echo, 1, { signal: AbortSignal.abort("before") })))).toBe("before");
		expect(sandbox.pids()).toHaveLength(0);
	});

	test("close fails what runs and what waits, and leaves no process", async () => {
		const sandbox = openSandbox({ processesMax: 1 });
		const runs = [sandbox.run(call(unruly, "never answers")), echoOf(sandbox, 1)].map(rejection);
		await until(() => sandbox.pids().length === 1);
		const pids = sandbox.pids();
		await sandbox.close();
		expect(await Promise.all(runs)).toMatchObject([{ code: "PROCESS_UNAVAILABLE" }, { code: "PROCESS_UNAVAILABLE" }]);
		expect(pids.filter(isAlive)).toEqual([]);
		expect(await rejection(echoOf(sandbox, 1))).toMatchObject({ code: "PROCESS_UNAVAILABLE" });
	});

	test("when the server is killed its children end, even in a hot loop", async () => {
		const parent = Bun.spawn([process.execPath, `${import.meta.dir}/orphaning-parent.ts`], { stdout: "pipe" });
		const pids = (await firstLine(parent.stdout)).split(" ").map(Number);
		expect(pids.length).toBeGreaterThan(0);
		expect(pids.every(isAlive)).toBe(true);
		parent.kill("SIGKILL");
		await until(() => !pids.some(isAlive));
	});

	test("it works in a worker thread, and ends with it", async () => {
		const thread = new Worker(new URL("in-a-thread.ts", import.meta.url));
		const pid = await new Promise<number>((resolve, reject) => thread.once("message", resolve).once("error", reject));
		expect(isAlive(pid)).toBe(true);
		await thread.terminate();
		await until(() => !isAlive(pid));
	});

	test("the thread that watches the parent ends a hot loop, where the kernel does not", async () => {
		const script = `const child = Bun.spawn([process.execPath, "${import.meta.dir}/watched-child.ts"], { stdout: "inherit" }); await child.exited;`;
		const parent = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
		const pid = Number(await firstLine(parent.stdout));
		expect(isAlive(pid)).toBe(true);
		parent.kill("SIGKILL");
		await until(() => !isAlive(pid));
	});
});

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
	let text = "";
	for await (const bytes of stream) {
		text += new TextDecoder().decode(bytes);
		if (text.includes("\n")) break;
	}
	return text.split("\n", 1)[0] ?? "";
}
