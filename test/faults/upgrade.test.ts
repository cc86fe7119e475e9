/**
 * A data folder of an earlier version is upgraded: a backup comes first, and a start that is killed at any moment leaves the old schema or
 * the new one, never one between, with every document.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withChecksum } from "../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations } from "../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../plugins/stores/sqlite/connection.ts";
import { runUpgradeBackupRemoval, upgradeBackup } from "../../server/backup/upgrade-backup.ts";
import { readConfiguration } from "../../server/boot/read-configuration.ts";
import { runCommand } from "../../server/commands/run-command.ts";
import { openStore } from "../../server/export/open-store.ts";
import { readSettings } from "../../server/settings/read-settings.ts";
import { seededRandom } from "../contract/samples.ts";
import { olderFolder } from "../doubles/older-folder.ts";
import { endedStart, type ServerProcess, spawnServer, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";
import { createTestWorld } from "../doubles/world.ts";

const { key, schema, documents } = olderFolder;
const env = { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "info" };
const newest = migrations.length;
const kills = 8;
const ofBackups = new RegExp(`^schema-${schema}-[\\dT-]+Z$`);

let folder: string;
let older: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-upgrade-"));
	older = join(folder, "older");
	await olderFolder.unpack(older);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let copies = 0;
async function copied(): Promise<string> {
	const data = join(folder, `copy-${++copies}`);
	await cp(older, data, { recursive: true });
	return data;
}

const backupsIn = async (data: string) => (await readdir(join(data, "backups")).catch(() => [])).toSorted();

/** As what is in the folder says it, with a log that a kill has left. */
function stateOf(data: string): { readonly schema: number; readonly check: string; readonly notes: readonly string[] } {
	const db = withChecksum(new Database(join(data, "sqlite", "cairn.sqlite")));
	try {
		const one = <Row>(sql: string) => db.query<Row, []>(sql).all();
		return {
			schema: one<{ n: number }>("SELECT count(*) AS n FROM migrations")[0]?.n ?? 0,
			check: one<{ integrity_check: string }>("PRAGMA integrity_check")[0]?.integrity_check ?? "",
			notes: one<{ content: string | null }>("SELECT content FROM document_texts ORDER BY document").map(({ content }) => content ?? ""),
		};
	} finally {
		db.close();
	}
}

async function expectAllServed({ address }: ServerProcess): Promise<void> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const ask = async (path: string, body: object) => (await fetch(`${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
	const { pagination } = (await ask("/v3/documents/list", { limit: 1 })) as { pagination: { totalItems: number } };
	expect(pagination.totalItems).toBe(documents);
	// Right after a start a busy machine answers by vectors alone.
	await until(async () => {
		const { results } = (await ask("/v3/search", { q: "heron number 7", limit: 1 })) as { results: { metadata: { i: number } }[] };
		return results[0]?.metadata.i === 7;
	});
	const file = await fetch(`${address}/v3/search?q=bees%20beside%20the%20ferry&limit=1`, { headers });
	expect(JSON.stringify(await file.json())).toContain("ferry");
}

test("the start that upgrades makes a backup first, says so, and the backup is the folder as it was", async () => {
	const data = await copied();
	const before = stateOf(older);
	expect(before).toMatchObject({ schema, check: "ok" });
	const server = await startServerProcess(data, env);
	await expectAllServed(server);
	expect(await server.kill("SIGTERM")).toBe(0);
	expect(server.printed()).toMatch(/made a backup before the tables are upgraded/);
	expect(stateOf(data)).toMatchObject({ schema: newest, check: "ok" });

	const [name = "", ...others] = await backupsIn(data);
	expect([name, others]).toEqual([expect.stringMatching(ofBackups), []]);
	const backup = join(data, "backups", name);
	expect(stateOf(backup)).toEqual(before);
	for (const file of ["vault-key", "link-secret"]) expect(await Bun.file(join(backup, file)).bytes()).toEqual(await Bun.file(join(older, file)).bytes());
	const verified = await runCommand({ args: ["verify"], env: { CAIRN_DATA_DIR: backup }, write: () => undefined, writeError: () => undefined });
	expect(verified).toBe(0);
	// The next start has nothing to upgrade.
	expect(await (await startServerProcess(data, env)).kill("SIGTERM")).toBe(0);
	expect(await backupsIn(data)).toEqual([name]);
	// It is a data folder: what starts on it has everything.
	const again = await startServerProcess(backup, env);
	await expectAllServed(again);
	await again.kill("SIGTERM");
}, 240_000);

/** As a version in between would have left it. */
function raise(data: string, to: number): void {
	const connection = openWriter(join(data, "sqlite", "cairn.sqlite"));
	migrate(connection, migrations.slice(0, to));
	connection.close();
}

async function run(data: string, ...args: readonly string[]): Promise<number> {
	return runCommand({ args, env: { CAIRN_DATA_DIR: data, CAIRN_LOG_LEVEL: "error" }, write: () => undefined, writeError: () => undefined });
}

test("a whole folder of every schema since then is upgraded behind a backup, and holds the same", async () => {
	const exported = new Set<string>();
	for (let from = schema; from < newest; from++) {
		const data = await copied();
		raise(data, from);
		const before = stateOf(data);
		expect(before).toMatchObject({ schema: from, check: "ok" });
		const { settings, config } = await readConfiguration({ env: { CAIRN_DATA_DIR: data }, flags: [] });
		await (await openStore(settings, config))[Symbol.asyncDispose]();
		expect(stateOf(data)).toMatchObject({ schema: newest, check: "ok", notes: before.notes });
		const backups = await backupsIn(data);
		expect(backups).toEqual([expect.stringMatching(new RegExp(`^schema-${from}-`))]);
		expect(stateOf(join(data, "backups", backups[0] ?? ""))).toEqual(before);
		expect([from, await run(data, "verify")]).toEqual([from, 0]);
		const file = join(folder, `from-${from}.jsonl`);
		expect([from, await run(data, "export", file)]).toEqual([from, 0]);
		// The first line has the time of the export.
		exported.add((await Bun.file(file).text()).split("\n").slice(1).join("\n"));
		await rm(data, { recursive: true });
	}
	expect(exported.size).toBe(1);
	expect([...exported][0]?.match(/"type":"document"/g)?.length).toBe(documents);
}, 240_000);

test(`killed ${kills} times, the folder has the old schema or the new one, and the next start has everything`, async () => {
	const random = seededRandom(14);
	const before = stateOf(older);
	const ends: string[] = [];
	for (let i = 0; i < kills; i++) {
		const data = await copied();
		const child = spawnServer(data, env);
		// From the moment at which the copy begins or ends, so that the kill meets the copy, the upgrade, or what comes after it.
		const isBegun = (name: string) => i % 2 === 0 || ofBackups.test(name);
		while (!(await backupsIn(data)).some(isBegun)) {
			if (child.exitCode !== null) throw new Error(`the start ended by itself: ${await new Response(child.stderr).text()}`);
			await Bun.sleep(1);
		}
		await Bun.sleep(random() * 60);
		child.kill("SIGKILL");
		await child.exited;
		const left = await backupsIn(data);
		const state = stateOf(data);
		expect([schema, newest]).toContain(state.schema);
		expect(state).toMatchObject({ check: "ok", notes: before.notes });
		for (const name of left.filter((each) => ofBackups.test(each))) expect(stateOf(join(data, "backups", name))).toEqual(before);
		if (state.schema === newest) expect(left).toEqual([expect.stringMatching(ofBackups)]);
		ends.push(`${left.some((name) => ofBackups.test(name)) ? "copied" : "copying"}, schema ${state.schema}`);
		const server = await startServerProcess(data, env);
		await expectAllServed(server);
		expect(await server.kill("SIGTERM")).toBe(0);
		expect(await backupsIn(data)).toEqual([expect.stringMatching(ofBackups)]);
		await rm(data, { recursive: true });
	}
	console.log(`upgrade: killed while ${[...new Set(ends)].map((end) => `${end}: ${ends.filter((each) => each === end).length}`).join("; ")}`);
}, 600_000);

test("with CAIRN_UPGRADE_BACKUP_DAYS=0 there is none, and the log says so", async () => {
	const data = await copied();
	const server = await startServerProcess(data, { ...env, CAIRN_UPGRADE_BACKUP_DAYS: "0" });
	await server.kill("SIGTERM");
	expect(server.printed()).toContain("the tables are upgraded without a backup");
	expect(await backupsIn(data)).toEqual([]);
}, 120_000);

/** Runs the removal on a clock that only its looks move. @returns the backups after each look, of which there is one an hour */
async function removalOver(hours: number, names: readonly string[], clockAheadMs: (hour: number) => number): Promise<readonly (readonly string[])[]> {
	const data = await copied();
	for (const name of names) await mkdir(join(data, "backups", name, "sqlite"), { recursive: true });
	const [ended, start, looks] = [new AbortController(), Date.parse("2026-11-22T21:00:00Z"), [] as string[][]];
	let passedMs = 0;
	const steadyNow = () => new Date(start + passedMs);
	const now = () => new Date(start + passedMs + clockAheadMs(looks.length));
	const sleep = async (ms: number) => {
		looks.push(await backupsIn(data));
		passedMs += ms;
		if (looks.length === hours) ended.abort();
	};
	await runUpgradeBackupRemoval(readSettings({ env: { CAIRN_DATA_DIR: data }, flags: [] }), { ...createTestWorld(), now, steadyNow, sleep }, ended.signal);
	return looks;
}

test("a backup goes when its days are over, and what a killed start has left at once; other files stay", async () => {
	const [old, recent] = ["schema-14-2026-10-01T00-00-00-000Z", "schema-20-2026-11-20T00-00-00-000Z"];
	const others = ["cairn-2026-10-01T00-00-00Z.tar", "mine"];
	const looks = await removalOver(2, [old, recent, `${recent}.unfinished`, ...others], () => 0);
	// The clock of a machine that has just started may be wrong.
	expect(looks[0]).toEqual([...others, old, recent]);
	expect(looks[1]).toEqual([...others, recent]);
});

test("a clock that is set forward for less than an hour removes no backup, and one that stays so does", async () => {
	const recent = "schema-20-2026-11-20T00-00-00-000Z";
	const aheadMs = 40 * 24 * 60 * 60_000;
	expect((await removalOver(5, [recent], (hour) => (hour === 2 ? aheadMs : 0))).at(-1)).toEqual([recent]);
	expect(await removalOver(5, [recent], (hour) => (hour >= 2 ? aheadMs : 0))).toEqual([[recent], [recent], [recent], [], []]);
});

test("an erasure leaves no backup that holds what it has erased", async () => {
	const data = await copied();
	await (await startServerProcess(data, env)).kill("SIGTERM");
	expect((await backupsIn(data)).length).toBe(1);
	const said: string[] = [];
	const code = await runCommand({
		args: ["erase", "tag-1", "--prove"],
		env: { CAIRN_DATA_DIR: data },
		write: (text) => said.push(text),
		writeError: (text) => said.push(text),
	});
	expect([code, said.join("")]).toEqual([0, expect.stringContaining("memories erased")]);
	expect(await backupsIn(data)).toEqual([]);
}, 120_000);

const disk = await mkdtemp(join(tmpdir(), "cairn-upgrade-disk-"));
const isMounted = process.platform === "linux" && Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]).exitCode === 0;
if (!isMounted) console.log("not tested: this user cannot mount a file system of its own");
afterAll(async () => {
	if (isMounted) Bun.spawnSync(["umount", "-l", disk]);
	await rm(disk, { recursive: true, force: true });
});

describe.skipIf(!isMounted)("a disk without room for the backup", () => {
	async function onDisk() {
		const [data, ballast] = [join(disk, "data"), join(disk, "ballast")];
		for (const path of [data, ballast]) await rm(path, { recursive: true, force: true });
		await cp(older, data, { recursive: true });
		const { size: bytes } = await stat(join(data, "sqlite", "cairn.sqlite"));
		return {
			data,
			bytes,
			/** Leaves so many bytes. */
			fill: async (free: number) => {
				const { bsize, bfree } = await statfs(disk);
				await Bun.write(ballast, new Uint8Array(bsize * bfree - free));
			},
			leave: (name: string) => cp(join(older, "sqlite"), join(data, "backups", name, "sqlite"), { recursive: true }),
			backUp: () => {
				const settings = readSettings({ env: { CAIRN_DATA_DIR: data }, flags: [] });
				return upgradeBackup(settings, {}, createTestWorld())(schema);
			},
		};
	}

	test("ends the start with a sentence, and the folder stays as it was", async () => {
		const { data, bytes, fill } = await onDisk();
		await fill(bytes - 64 * 1024);
		const before = stateOf(data);
		const { code, printed } = await endedStart(data, env);
		expect([code, printed]).toEqual([
			1,
			expect.stringMatching(
				/no room for the backup before it: it takes up to [\d.]+ MB, and [\d.]+ MB are free\n.*CAIRN_UPGRADE_BACKUP_DAYS=0.*\n.*\(UPGRADE_BACKUP_ROOM\)\n$/,
			),
		]);
		expect(stateOf(data)).toEqual(before);
		expect(await backupsIn(data)).toEqual([]);
		expect((await stat(join(data, "sqlite", "cairn.sqlite"))).size).toBe(bytes);
	}, 120_000);

	const earlier = `schema-${schema}-2026-11-20T00-00-00-000Z`;

	test("what killed starts have left does not take it", async () => {
		const { data, fill, leave, backUp } = await onDisk();
		await leave(`${earlier}.unfinished`);
		await fill(64 * 1024);
		await backUp();
		expect(await backupsIn(data)).toEqual([expect.stringMatching(ofBackups)]);
	});

	test("a backup that is there already makes room for the one that replaces it, if that is enough", async () => {
		const { data, bytes, fill, leave, backUp } = await onDisk();
		const other = `schema-${schema - 1}-2026-11-20T00-00-00-000Z`;
		for (const name of [earlier, other]) await leave(name);
		await rm(join(data, "backups", earlier, "sqlite", "cairn.sqlite"));
		await fill(bytes / 2);
		await expect(backUp()).rejects.toMatchObject({ code: "UPGRADE_BACKUP_ROOM" });
		expect(await backupsIn(data)).toEqual([other, earlier].toSorted());
		await rm(join(disk, "ballast"));
		await leave(earlier);
		await fill(64 * 1024);
		await backUp();
		const left = await backupsIn(data);
		expect(left).toEqual([other, expect.stringMatching(ofBackups)]);
		expect(left).not.toContain(earlier);
	});
});
