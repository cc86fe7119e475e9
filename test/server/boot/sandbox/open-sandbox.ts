/** Opens sandboxes that are closed after the tests, and makes calls with ordinary limits. */

import { afterAll } from "bun:test";
import { readFileSync } from "node:fs";
import type { Sandbox, SandboxCall } from "cairn-memory";
import { createSandbox, type ManagedSandbox } from "../../../../server/boot/sandbox/create-sandbox.ts";
import type { Echo } from "./engines/echo.ts";

export const echo = new URL("engines/echo.ts", import.meta.url);
export const unruly = new URL("engines/unruly.ts", import.meta.url);
export const busy = new URL("engines/busy.ts", import.meta.url);
export const slow = new URL("engines/slow.ts", import.meta.url);
const opened: ManagedSandbox[] = [];

afterAll(async () => {
	await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
});

type Options = Parameters<typeof createSandbox>[0];

export function openSandbox(bounds: Omit<Options, "log"> = {}, log: Options["log"] = () => {}): ManagedSandbox {
	const sandbox = createSandbox({ log, ...bounds });
	opened.push(sandbox);
	return sandbox;
}

export function call<Input>(engine: URL, input: Input, limits: Partial<SandboxCall<Input>> = {}): SandboxCall<Input> {
	return { engine, input, signal: new AbortController().signal, timeoutMs: 20_000, memoryMb: 600, outputBytesMax: 1_000_000, ...limits };
}

export const echoOf = (sandbox: Sandbox, input: unknown): Promise<Echo> => sandbox.run(call(echo, input));

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
	try {
		await promise;
	} catch (error) {
		return error;
	}
	throw new Error("it was expected to fail");
}

export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		// A zombie, which nobody has waited for, is dead all the same.
		return process.platform !== "linux" || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
	} catch {
		return false;
	}
}

export async function until(claim: () => boolean, withinMs: number): Promise<boolean> {
	for (const end = performance.now() + withinMs; performance.now() < end; await Bun.sleep(10)) if (claim()) return true;
	return claim();
}
