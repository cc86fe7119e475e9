/** Opens sandboxes that are closed after the tests, and makes calls with ordinary limits. */

import { afterAll } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxCall } from "cairn-memory";
import { createSandbox, type ManagedSandbox } from "../../../../server/boot/sandbox/create-sandbox.ts";
import type { Echo } from "./engines/echo.ts";

export const echo = new URL("engines/echo.ts", import.meta.url);
export const unruly = new URL("engines/unruly.ts", import.meta.url);
export const slow = new URL("engines/slow.ts", import.meta.url);
const gated = new URL("engines/gated.ts", import.meta.url);
const gates = mkdtempSync(join(tmpdir(), "cairn-gates-"));
let gateCount = 0;
const opened: ManagedSandbox[] = [];

afterAll(async () => {
	await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
	rmSync(gates, { recursive: true });
});

type Options = Parameters<typeof createSandbox>[0];

export function openSandbox(bounds: Omit<Options, "log"> = {}, log: Options["log"] = () => {}): ManagedSandbox {
	const sandbox = createSandbox({ log, ...bounds });
	opened.push(sandbox);
	return sandbox;
}

export function call<Input>(engine: URL, input: Input, limits: Partial<SandboxCall<Input>> = {}): SandboxCall<Input> {
	return { engine, input, signal: new AbortController().signal, timeoutMs: 100_000, memoryMb: 600, outputBytesMax: 1_000_000, ...limits };
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

/** Stopped by a signal, to be continued later. */
export function isPaused(pid: number): boolean {
	return Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
		.stdout.toString()
		.startsWith("T");
}

export interface GatedCall {
	readonly begun: () => number;
	readonly result: Promise<number>;
	/** Lets the engine end. */
	readonly open: () => Promise<void>;
}

/** A call that goes on until its gate is opened: nothing depends on how long anything takes. */
export function runGated(sandbox: Sandbox, limits: Partial<SandboxCall<string>> = {}): GatedCall {
	const file = join(gates, String(gateCount++));
	let begun = 0;
	const result = sandbox.run<string, number>(call(gated, file, { timeoutMs: 120_000, progress: () => begun++, ...limits }));
	return { begun: () => begun, result, open: async () => void (await Bun.write(file, "")) };
}
