/** Children that stand by: started after the first call, engines imported, and never a burden. */

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, echoOf, openSandbox, rejection, unruly, until } from "./open-sandbox.ts";

interface Moody {
	readonly pid: number;
	readonly sinceMs: number;
}

const moody = (marker: string) => new URL(`engines/moody.ts?marker=${encodeURIComponent(marker)}`, import.meta.url);

test("before the first call there is no child", async () => {
	const sandbox = openSandbox();
	await Bun.sleep(100);
	expect(sandbox.pids()).toHaveLength(0);
});

test("after a call that broke its child the next one finds another, with its engine imported", async () => {
	const sandbox = openSandbox();
	const engine = moody("");
	const first = await sandbox.run<null, Moody>(call(engine, null));
	expect(await until(() => sandbox.pids().length === 2, 4_000)).toBe(true);
	await Bun.sleep(400);
	process.kill(first.pid, "SIGKILL");
	await Bun.sleep(20);
	const second = await sandbox.run<null, Moody>(call(engine, null));
	expect(second.pid).not.toBe(first.pid);
	expect(second.sinceMs).toBeGreaterThan(100);
});

test("every spare is made up for, however often a file breaks one", async () => {
	const sandbox = openSandbox({ spares: 1 });
	await echoOf(sandbox, 1);
	for (let i = 0; i < 3; i++) {
		await rejection(sandbox.run(call(unruly, "exits")));
		expect(await until(() => sandbox.pids().length === 2, 4_000)).toBe(true);
	}
});

test("an engine that breaks while it is imported ahead of need harms no call, and is not tried for ever", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-moody-"));
	const marker = join(folder, "marker");
	const sandbox = openSandbox();
	const seen = new Set<number>();
	const { pid } = await sandbox.run<null, Moody>(call(moody(marker), null));
	await Bun.write(marker, "");
	for (const end = performance.now() + 600; performance.now() < end; await Bun.sleep(10)) for (const child of sandbox.pids()) seen.add(child);
	expect(seen.size).toBeLessThanOrEqual(3);
	expect((await sandbox.run<null, Moody>(call(moody(marker), null))).pid).toBe(pid);
	expect((await echoOf(sandbox, "another")).input).toBe("another");
	await rm(folder, { recursive: true });
});
