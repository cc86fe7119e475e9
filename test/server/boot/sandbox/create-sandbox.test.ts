/** What a plugin asks for is bounded by what the operator allows, and the engine is told what is left. */

import { expect, test } from "bun:test";
import type { EngineBounds } from "cairn-memory";
import type { Way } from "./engines/unruly.ts";
import { call, openSandbox, rejection, unruly } from "./open-sandbox.ts";

const told = new URL("engines/told.ts", import.meta.url);

test("a call gets what it asks for, and no more than is allowed", async () => {
	// So much time that no busy machine ends a call.
	const sandbox = openSandbox({ timeoutMsMax: 200_000, memoryMbMax: 500 });
	expect(await sandbox.run<null, EngineBounds>(call(told, null, { timeoutMs: 100_000, memoryMb: 400 }))).toEqual({ timeoutMs: 100_000, memoryMb: 400 });
	expect(await sandbox.run<null, EngineBounds>(call(told, null, { timeoutMs: 900_000, memoryMb: 900 }))).toEqual({ timeoutMs: 200_000, memoryMb: 500 });
});

test("the allowed time is the time there is", async () => {
	const sandbox = openSandbox({ timeoutMsMax: 200 });
	const error = await rejection(sandbox.run<Way, unknown>(call(unruly, "never answers", { timeoutMs: 60_000 })));
	expect(error).toMatchObject({ code: "PROCESS_TIMEOUT", message: "reading the file took longer than 0.2 seconds" });
});

test("the start of a process is no part of the time of a call", async () => {
	const sandbox = openSandbox();
	// No process starts within a millisecond.
	const error = await rejection(sandbox.run<Way, unknown>(call(unruly, "never answers", { timeoutMs: 1 })));
	expect(error).toMatchObject({ code: "PROCESS_TIMEOUT" });
});
