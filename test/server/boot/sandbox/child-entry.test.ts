/** What a sandbox child can reach, and what crosses between it and the server. */

import { afterAll, describe, expect, test } from "bun:test";
import { until } from "../../../doubles/until.ts";
import type { Way } from "./engines/unruly.ts";
import { call, echoOf, isAlive, openSandbox, rejection, unruly } from "./open-sandbox.ts";

describe("what crosses", () => {
	const sandbox = openSandbox();

	test("an error of ours arrives with code, words, hint and its cause", async () => {
		expect(await rejection(sandbox.run(call(unruly, "throws an error of ours")))).toMatchObject({
			name: "ServiceError",
			code: "EXTRACTOR_MISSING",
			kind: "unsupported",
			message: "no extractor reads text/x-odd (available: a, b)",
			hint: "install a plugin that reads this type, or convert the file",
			cause: expect.stringContaining("found inside"),
		});
	});

	test("after any error the child is replaced, for its engine may be spoilt", async () => {
		for (const way of ["throws an error of ours", "throws an error of its own"] as const) {
			const { pid } = await echoOf(sandbox, way);
			await rejection(sandbox.run(call(unruly, way)));
			expect((await echoOf(sandbox, way)).pid).not.toBe(pid);
			await until(() => !isAlive(pid));
		}
	});

	test("the cause of a fault is kept for the log", async () => {
		const error = (await rejection(sandbox.run(call(unruly, "throws an error of its own")))) as Error;
		expect(error.cause).toContain("TypeError");
	});

	test("dates, maps, typed arrays and text of all kinds come back as they went", async () => {
		const input = { at: new Date(0), map: new Map([["a", new Set([1])]]), bytes: new Uint8Array([1, 2, 3]), text: "naïve \u0000 \ud83d\ude00", none: null };
		expect((await echoOf(sandbox, input)).input).toEqual(input);
	});

	test("an input that cannot be cloned is a fault of the caller and harms nobody", async () => {
		expect(await rejection(echoOf(sandbox, () => 1))).toMatchObject({ code: "INTERNAL" });
		expect((await echoOf(sandbox, 1)).input).toBe(1);
	});

	test("an engine that cannot be imported is not the file's fault", async () => {
		expect(await rejection(sandbox.run(call(new URL("engines/unloadable.ts", import.meta.url), 1)))).toMatchObject({
			code: "INTERNAL",
			cause: expect.stringContaining("no such library"),
		});
	});

	test("progress arrives, but not two hundred thousand times", async () => {
		const heard: number[] = [];
		await sandbox.run(call(unruly, "reports without end", { progress: ({ done }) => heard.push(done) }));
		expect(heard[0]).toBe(0);
		expect(heard.length).toBeLessThan(50);
	});

	test("what was printed for one file is not among the causes of the next", async () => {
		const single = openSandbox({ processesMax: 1 });
		await single.run<Way, unknown>(call(unruly, "prints a secret"));
		const error = (await rejection(single.run(call(unruly, "exits")))) as Error;
		expect(error).toMatchObject({ code: "PROCESS_CRASHED", cause: expect.not.stringContaining("secret") });
		await single.close();
	});

	test("what an engine prints ends in the debug log, and only its beginning", async () => {
		const lines: string[] = [];
		const loud = openSandbox({}, (level, _message, facts) => lines.push(`${level} ${JSON.stringify(facts)}`));
		expect(await loud.run<Way, string>(call(unruly, "prints without end"))).toBe("printed");
		await loud.close();
		expect(lines).toHaveLength(1);
		expect(lines[0]).toStartWith("debug ");
		expect(lines[0]).toContain("something is odd");
		expect(lines[0]?.length).toBeLessThan(3_000);
	});

	test("an engine that marks its words as those of other calls is given no more room for it", async () => {
		const texts: string[] = [];
		const loud = openSandbox({ processesMax: 1 }, (_level, _message, facts) => texts.push(String(facts?.["text"])));
		for (let calls = 0; calls < 2; calls += 1) await loud.run<Way, unknown>(call(unruly, "pretends to take call after call"));
		await loud.close();
		expect(texts.join()).toContain("pretended");
		expect(texts.join().length).toBeLessThan(5_000);
	});
});

describe("the walls", () => {
	let heard = 0;
	const trap = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		fetch: () => {
			heard += 1;
			return new Response("reached");
		},
	});
	afterAll(() => trap.stop(true));

	/** Bun gives no way to replace `Bun.fetch`: only the kernel stops it. */
	const beyondTheGlobals = ["Bun.fetch"];

	test("no way out works, nothing of the environment comes in, and files can still be read", async () => {
		const before = heard;
		const reached = await openSandbox().run<number, { open: string[]; environment: string[]; canReadItself: boolean }>(
			call(new URL("engines/reaching.ts", import.meta.url), trap.port ?? 0),
		);
		expect(reached.open).toEqual(process.platform === "linux" ? [] : beyondTheGlobals);
		expect(heard - before).toBe(reached.open.length);
		const harmless = ["BUN_ENABLE_CRASH_REPORTING", "BUN_FEATURE_FLAG_NO_ORPHANS", "DO_NOT_TRACK", "LANG", "TZ"];
		expect(reached.environment.filter((name) => !harmless.includes(name))).toEqual([]);
		expect(reached.canReadItself).toBe(true);
	});

	test("where the kernel does not help, the closed doors leave one way", async () => {
		const child = Bun.spawn([process.execPath, `${import.meta.dir}/closed-process.ts`, String(trap.port)], { stdout: "pipe" });
		expect(await new Response(child.stdout).json()).toEqual(beyondTheGlobals);
	});
});
