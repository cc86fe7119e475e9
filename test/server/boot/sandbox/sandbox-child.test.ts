/** Engines that hang, burst, crash and lie: each fails alone. */

import { describe, expect, test } from "bun:test";
import type { SandboxCall } from "cairn-memory";
import { until } from "../../../doubles/until.ts";
import type { Way } from "./engines/unruly.ts";
import { call, echoOf, openSandbox, rejection, unruly } from "./open-sandbox.ts";

describe("one bad call fails alone", () => {
	const cases: readonly { readonly way: Way; readonly code: string; readonly words?: string; readonly limits?: Partial<SandboxCall<Way>> }[] = [
		{ way: "spins in JavaScript", code: "PROCESS_TIMEOUT", words: "0.3 seconds", limits: { timeoutMs: 300 } },
		{ way: "spins in WebAssembly", code: "PROCESS_TIMEOUT", limits: { timeoutMs: 300 } },
		{ way: "never answers", code: "PROCESS_TIMEOUT", limits: { timeoutMs: 300 } },
		{ way: "eats memory", code: "PROCESS_MEMORY", words: "256 MB", limits: { memoryMb: 256 } },
		{ way: "answers a gigabyte", code: "OUTPUT_TOO_LARGE", words: "2 MB", limits: { outputBytesMax: 2 << 20 } },
		{ way: "answers a long list of nothing", code: "OUTPUT_TOO_LARGE", words: "1000000 bytes" },
		{ way: "answers a function", code: "PROCESS_CRASHED" },
		{ way: "throws an error of its own", code: "PROCESS_CRASHED" },
		{ way: "throws later, where nobody listens", code: "PROCESS_CRASHED" },
		{ way: "exits", code: "PROCESS_CRASHED" },
		{ way: "breaks a segment", code: "PROCESS_CRASHED" },
	];
	const sandbox = openSandbox();

	for (const { way, code, words = "", limits = {} } of cases) {
		test(`${way}: ${code}`, async () => {
			const [error, neighbour] = await Promise.all([rejection(sandbox.run(call(unruly, way, limits))), echoOf(sandbox, way)]);
			expect(error).toMatchObject({ name: "ServiceError", code, message: expect.stringContaining(words) });
			expect(String(error)).not.toContain("/home/");
			expect(neighbour.input).toBe(way);
			expect((await echoOf(sandbox, "after")).input).toBe("after");
		});
	}

	test("the pool holds no more than it should afterwards", async () => {
		await until(() => sandbox.pids().length <= 2);
	});
});
