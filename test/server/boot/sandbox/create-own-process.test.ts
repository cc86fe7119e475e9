/** A process of a plugin's own keeps what it has loaded, takes one call at a time, is replaced when it dies, and goes when idle. */

import { afterEach, expect, test } from "bun:test";
import { createOwnProcess, type ManagedProcess } from "../../../../server/boot/sandbox/create-own-process.ts";
import { until } from "../../../doubles/until.ts";
import type { Wish } from "./engines/remembering.ts";
import { call } from "./open-sandbox.ts";

const remembering = new URL("engines/remembering.ts", import.meta.url);
const opened: ManagedProcess[] = [];
afterEach(async () => {
	for (const process of opened.splice(0)) await process.close();
});

function open(idleMs = 60_000): ManagedProcess {
	const process = createOwnProcess({ idleMs }, () => undefined);
	opened.push(process);
	return process;
}

type Answer = Promise<{ readonly calls: number; readonly pid: number }>;

function ask(process: ManagedProcess, wish: Wish, signal = new AbortController().signal, begun = () => {}): Answer {
	return process.run(call(remembering, wish, { signal, timeoutMs: 60_000, memoryMb: 500, progress: begun }));
}

test("nothing is started before the first call, and then one process answers all, in their order", async () => {
	const process = open();
	expect(process.pid()).toBe(null);
	const answers = await Promise.all(Array.from({ length: 5 }, () => ask(process, "count")));
	expect(answers.map(({ calls }) => calls)).toEqual([1, 2, 3, 4, 5]);
	expect(new Set(answers.map(({ pid }) => pid))).toEqual(new Set([process.pid() ?? -1]));
});

test("what dies or fails is replaced for the next call, and those that wait lose nothing", async () => {
	const process = open();
	await ask(process, "count");
	const [dying, next] = await Promise.allSettled([ask(process, "die"), ask(process, "count")]);
	expect(dying).toMatchObject({ status: "rejected", reason: { code: "PROCESS_CRASHED" } });
	expect(next).toMatchObject({ status: "fulfilled", value: { calls: 1 } });
	await expect(ask(process, "complain")).rejects.toMatchObject({ code: "PROCESS_CRASHED" });
	expect((await ask(process, "count")).calls).toBe(1);
});

test("whoever stops is not waited for, and costs the process nothing", async () => {
	const process = open();
	const { pid } = await ask(process, "count");
	const stopping = new AbortController();
	const begun = Promise.withResolvers<void>();
	const stopped = Promise.allSettled([ask(process, "sleep", stopping.signal, begun.resolve), ask(process, "count", stopping.signal)]);
	const later = ask(process, "count");
	await begun.promise;
	stopping.abort(new Error("gone"));
	for (const outcome of await stopped) expect(outcome).toMatchObject({ status: "rejected", reason: { message: "gone" } });
	// The one that slept was heard to its end, the one that waited was never begun.
	expect(await later).toEqual({ calls: 3, pid });
});

test("it goes when nobody has called for a while, and comes back", async () => {
	const process = open(20);
	const { pid } = await ask(process, "count");
	await until(() => process.pid() === null);
	const again = await ask(process, "count");
	expect(again.calls).toBe(1);
	expect(again.pid).not.toBe(pid);
});

test("closed, it ends and takes nothing more", async () => {
	const process = open();
	const begun = Promise.withResolvers<void>();
	const busy = Promise.allSettled([ask(process, "sleep", undefined, begun.resolve)]);
	await begun.promise;
	await process.close();
	expect(await busy).toMatchObject([{ status: "rejected", reason: { code: "PROCESS_UNAVAILABLE" } }]);
	await expect(ask(process, "count")).rejects.toMatchObject({ code: "PROCESS_UNAVAILABLE" });
	expect(process.pid()).toBe(null);
});
