/** Backups that a server takes by itself: when one is due, which are kept, what happens after a failure and a kill, and that they can be restored. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackupService } from "../../server/backup/backup-service.ts";
import { newName, removeOldBackups } from "../../server/backup/kept-backups.ts";
import { folderPlace } from "../../server/backup/places/folder-place.ts";
import { runBackups } from "../../server/backup/scheduled-backups.ts";
import { openStaging } from "../../server/backup/staging.ts";
import { runCommand } from "../../server/commands/run-command.ts";
import { readSettings } from "../../server/settings/read-settings.ts";
import { startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";
import { createTestWorld } from "../doubles/world.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-scheduled-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const hourMs = 60 * 60_000;
const ofBackups = /^cairn-.*Z\.tar$/;

/** Runs the schedule on a clock that jumps to the end of each pause, until it has waited for so long. Old backups are removed as always. */
async function runFor(hours: number, backups: string, flags: readonly string[], take: (file: string) => Promise<void>) {
	const clock = createTestWorld();
	const lines: string[] = [];
	const ended = new AbortController();
	let [now, waited] = [Date.parse("2026-11-22T21:00:00Z"), 0];
	const world = {
		...clock,
		now: () => new Date(now),
		steadyNow: () => new Date(now),
		log: (level: string, message: string, facts?: object) => void lines.push(`${level} ${message} ${JSON.stringify(facts)}`),
		sleep: async (ms: number) => {
			now += ms;
			waited += ms;
			if (waited >= hours * hourMs) ended.abort();
		},
	};
	const settings = readSettings({ env: { CAIRN_DATA_DIR: folder, CAIRN_BACKUP_DIR: backups }, flags });
	const takeAndRemove = async () => {
		const name = await newName(folderPlace(backups), "full", new Date(now));
		await take(join(backups, name));
		await removeOldBackups(folderPlace(backups), settings.backups?.kept ?? 0, null, new Date(now));
		return name;
	};
	await runBackups(createBackupService(settings, world, takeAndRemove), world, ended.signal);
	return lines;
}

test("one is taken when the newest is old enough, and so many are kept, and nobody else's files", async () => {
	const backups = join(folder, "kept");
	await mkdir(join(backups, "cairn-2026-11-01T00-00-00Z.tar.unfinished-abcdef"), { recursive: true });
	for (const name of ["notes.tar", "cairn-old.tar", "cairn-2026-11-20T00-00-00Z.tar", "cairn-2026-11-22T19-30-00Z.tar"])
		await writeFile(join(backups, name), name);
	const taken: string[] = [];
	await runFor(7, backups, ["--backup-hours=2", "--backups-kept=3"], async (file) => {
		taken.push(file.slice(backups.length + 1));
		await writeFile(file, "whole");
	});
	expect(taken).toEqual([
		"cairn-2026-11-22T21-30-00Z.tar",
		"cairn-2026-11-22T23-30-00Z.tar",
		"cairn-2026-11-23T01-30-00Z.tar",
		"cairn-2026-11-23T03-30-00Z.tar",
	]);
	expect((await readdir(backups)).toSorted()).toEqual([...taken.slice(1), "cairn-old.tar", "notes.tar"].toSorted());
});

test("what a command is making in the same folder stays at the start of a server", async () => {
	const backups = join(folder, "shared");
	const dataDir = join(folder, "shared-data");
	await mkdir(join(dataDir, "store"), { recursive: true });
	const aMinuteAgo = Date.now() / 1_000 - 60;
	for (const name of ["cairn-2026-11-22T19-30-00Z.json", "cairn-2026-11-22T19-31-00Z.tar"]) {
		await using staging = await openStaging(dataDir, "store", folderPlace(backups), name);
		await writeFile(join(staging.folders.tables, "tables"), "rows");
		await writeFile(join(backups, `${name}.unfinished-12345678`), "half of it");
		const left = join(backups, "cairn-2026-11-22T18-00-00Z.tar.unfinished-12345678");
		await writeFile(left, "of another one");
		// Not of the very millisecond in which the leftovers are removed.
		await utimes(left, aMinuteAgo, aMinuteAgo);
		await runFor(1, backups, ["--backup-hours=2"], async (file) => void (await writeFile(file, "whole")));
		expect((await staging.files()).map((file) => file.name)).toEqual(["store/tables"]);
		expect((await readdir(backups)).filter((each) => each.includes(".unfinished-12345678"))).toEqual([`${name}.unfinished-12345678`]);
	}
});

test("one that a wrong clock has named neither holds the next back nor takes its place", async () => {
	const backups = join(folder, "future");
	await mkdir(backups);
	await writeFile(join(backups, "cairn-2031-01-01T00-00-00Z.tar"), "of the future");
	await runFor(3, backups, ["--backup-hours=2", "--backups-kept=1"], async (file) => void (await writeFile(file, "whole")));
	expect(await readdir(backups)).toEqual(["cairn-2026-11-22T23-00-00Z.tar"]);
});

test("a failure is told, costs no older backup, and is tried again after ten minutes", async () => {
	const backups = join(folder, "failing");
	await mkdir(backups);
	await writeFile(join(backups, "cairn-2026-11-20T00-00-00Z.tar"), "old");
	let tries = 0;
	const lines = await runFor(0.5, backups, ["--backups-kept=1"], async () => {
		tries += 1;
		throw Object.assign(new Error("no space"), { code: "ENOSPC" });
	});
	expect(tries).toBe(3);
	expect(lines[0]).toMatch(/^error a backup could not be taken .*disk/);
	expect(await readdir(backups)).toEqual(["cairn-2026-11-20T00-00-00Z.tar"]);
});

test("a failure that has no code is in the log with its cause", async () => {
	const [line] = await runFor(0.1, join(folder, "odd"), [], async () => {
		throw new Error("ENOENT: no such file or directory, mkdir '/proc/odd'");
	});
	expect(line).toMatch(/^error a backup could not be taken .*mkdir '\/proc\/odd'/);
});

test("without a folder none is taken", async () => {
	const settings = readSettings({ env: { CAIRN_DATA_DIR: folder }, flags: [] });
	expect(settings.backups).toBeNull();
	const service = createBackupService(settings, createTestWorld(), async () => {
		throw new Error("none was asked for");
	});
	await runBackups(service, createTestWorld(), new AbortController().signal);
	expect(service.runs()).toEqual([]);
});

test("a server takes one at its start, again after a kill in the middle, and it can be restored", async () => {
	const [data, backups, copy] = [join(folder, "data"), join(folder, "backups"), join(folder, "copy")];
	await mkdir(data);
	const env = { CAIRN_API_KEY: "scheduled-test-key-0001", CAIRN_BACKUP_DIR: backups, CAIRN_BACKUPS_KEPT: "2" };
	const plain = await startServerProcess(data, { CAIRN_API_KEY: env.CAIRN_API_KEY });
	const headers = { authorization: `Bearer ${env.CAIRN_API_KEY}`, "content-type": "application/json" };
	const added = await fetch(`${plain.address}/v3/documents`, {
		method: "POST",
		headers,
		body: JSON.stringify({ content: "The heron stood still.", customId: "heron" }),
	});
	expect(added.ok).toBe(true);
	await plain.kill("SIGTERM");

	const first = await startServerProcess(data, env);
	await until(async () => (await readdir(backups).catch(() => [])).length > 0);
	await first.kill("SIGKILL");
	const second = await startServerProcess(data, env);
	const [name] = await until(async () => {
		const names = await readdir(backups);
		return names.every((one) => ofBackups.test(one)) && names.length > 0 ? names : null;
	});
	expect(await second.kill("SIGTERM")).toBe(0);
	// One that is new enough is not followed by another.
	const third = await startServerProcess(data, env);
	await fetch(`${third.address}/ready`);
	expect(await third.kill("SIGTERM")).toBe(0);
	expect((await readdir(backups)).length).toBe(1);

	const run = (...words: readonly string[]) => runCommand({ args: words, env: { CAIRN_DATA_DIR: copy }, write: () => undefined, writeError: () => undefined });
	expect(await run("verify", join(backups, name ?? ""))).toBe(0);
	expect(await run("restore", join(backups, name ?? ""))).toBe(0);
	const restored = await startServerProcess(copy, { CAIRN_API_KEY: env.CAIRN_API_KEY });
	expect((await fetch(`${restored.address}/v3/documents/heron`, { headers })).status).toBe(200);
	await restored.kill("SIGTERM");
}, 120_000);
