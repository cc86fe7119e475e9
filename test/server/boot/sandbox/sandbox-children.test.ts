/** Children that stand by: started after the first call, engines imported, and never a burden. */

import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { until } from "../../../doubles/until.ts";
import { call, echoOf, isAlive, openSandbox, rejection, unruly } from "./open-sandbox.ts";

interface Moody {
	readonly pid: number;
}

interface Folder {
	readonly engine: URL;
	/** The processes that have left a file of this kind. */
	readonly left: (what: "imported" | "broken") => readonly number[];
}

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** @param isOnce the engine can be imported once */
async function moodyFolder(isOnce = false): Promise<Folder> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-moody-"));
	folders.push(folder);
	const engine = pathToFileURL(join(folder, "moody.ts"));
	await copyFile(join(import.meta.dir, "engines/moody.ts"), engine);
	if (isOnce) await Bun.write(join(folder, "once"), "");
	const left = (what: string) => readdirSync(folder).flatMap((name) => (name.startsWith(`${what}-`) ? [Number(name.slice(what.length + 1))] : []));
	return { engine, left };
}

test("before the first call there is no child", async () => {
	const sandbox = openSandbox();
	expect(sandbox.pids()).toHaveLength(0);
	await echoOf(sandbox, "first");
	expect(sandbox.pids().length).toBeGreaterThan(0);
});

test("after a call that broke its child the next one finds another, with its engine imported", async () => {
	const sandbox = openSandbox();
	const { engine, left } = await moodyFolder();
	const first = await sandbox.run<null, Moody>(call(engine, null));
	const spare = await until(() => left("imported").find((pid) => pid !== first.pid));
	process.kill(first.pid, "SIGKILL");
	await until(() => !isAlive(first.pid));
	expect((await sandbox.run<null, Moody>(call(engine, null))).pid).toBe(spare);
});

test("every spare is made up for, however often a file breaks one", async () => {
	const sandbox = openSandbox({ spares: 1 });
	await echoOf(sandbox, 1);
	for (let i = 0; i < 3; i++) {
		await rejection(sandbox.run(call(unruly, "exits")));
		await until(() => sandbox.pids().length === 2);
	}
});

test("an engine that breaks while it is imported ahead of need harms no call, and is not tried for ever", async () => {
	const [sound, moody] = [await moodyFolder(), await moodyFolder(true)];
	const sandbox = openSandbox();
	await sandbox.run(call(sound.engine, null));
	const { pid } = await sandbox.run<null, Moody>(call(moody.engine, null));
	const [broken] = await until(() => (moody.left("broken").length > 0 ? moody.left("broken") : null));
	// What was called last is imported first, so the next spare comes to the sound one only if the other was given up.
	expect((await sandbox.run<null, Moody>(call(moody.engine, null))).pid).toBe(pid);
	await until(() => sound.left("imported").some((child) => child !== pid && child !== broken));
	expect(moody.left("broken")).toHaveLength(1);
	expect((await echoOf(sandbox, "another")).input).toBe("another");
});
