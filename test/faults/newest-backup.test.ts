/** A start that cannot use its store names the newest backup, and the command it prints brings that back. */

import { afterAll, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { catalog, type ErrorCode } from "../../core/errors/catalog.ts";
import { ServiceError } from "../../core/errors/fail.ts";
import { adviseBackup } from "../../server/boot/newest-backup.ts";
import { endedStart, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "newest-backup-test-key-01";
const main = resolve(import.meta.dir, "../../server/main.ts");
const folder = await mkdtemp(join(tmpdir(), "cairn-newest backup-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

test("the printed command, pasted into a shell, brings the documents back", async () => {
	const [data, backups, bin] = [join(folder, "data"), join(folder, "its backups"), join(folder, "bin")];
	for (const made of [data, bin]) await mkdir(made);
	const env = { CAIRN_API_KEY: key, CAIRN_BACKUP_DIR: backups, CAIRN_LOG_LEVEL: "error" };
	const filled = await startServerProcess(data, { ...env, CAIRN_BACKUP_DIR: "" });
	await fetch(`${filled.address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content: "The key is under the mat.", customId: "mat" }) });
	await filled.kill("SIGTERM");
	// The first backup is taken at the start.
	const server = await startServerProcess(data, env);
	await until(async () => (await readdir(backups).catch(() => [])).some((name) => name.endsWith("Z.tar")));
	await server.kill("SIGTERM");
	await truncate(join(data, "sqlite/cairn.sqlite"), 20_000);

	const { code, printed } = await endedStart(data, env);
	const [, at = "", command = ""] = /the newest backup is .*Z\.tar of (\S+); to go back to it: (.*)/.exec(printed) ?? [];
	expect([code, printed]).toEqual([1, expect.stringContaining("STORAGE_DAMAGED")]);
	expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(10 * 60_000);
	await writeFile(join(bin, "cairn"), `#!/bin/sh\nexec "${process.execPath}" --no-install "${main}" "$@"\n`);
	await chmod(join(bin, "cairn"), 0o755);
	const pasted = Bun.spawnSync(["sh", "-c", command], { cwd: folder, env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: folder } });
	expect([pasted.exitCode, pasted.stderr.toString()]).toEqual([0, expect.any(String)]);

	const restored = await startServerProcess(data, env);
	expect(await (await fetch(`${restored.address}/v3/documents/mat`, { headers })).json()).toMatchObject({ content: "The key is under the mat." });
	await restored.kill("SIGTERM");
	expect(await readdir(folder)).toContain("data.before");
}, 300_000);

const asError = (code: ErrorCode) => new ServiceError(code, []);

test("the newest counts, of the schedule or before an upgrade, for every trouble of the store and no other", async () => {
	const dataDir = join(folder, "plain");
	const scheduled = join(folder, "scheduled");
	for (const made of [join(dataDir, "backups/schema-14-2026-11-20T10-00-00-000Z"), scheduled]) await mkdir(made, { recursive: true });
	const advise = (code: ErrorCode, backups: string | null = scheduled) =>
		adviseBackup(asError(code), { dataDir, backups: backups === null ? null : { place: backups, kind: "full", everyHours: 24, kept: 7 } }, "cairn");
	expect(advise("STORAGE_DAMAGED")).toContain("schema-14-2026-11-20T10-00-00-000Z of 2026-11-20T10:00:00Z");
	for (const name of ["cairn-2026-11-22T21-00-00Z.tar", "cairn-2026-11-21T21-00-00Z.tar", "cairn-2026-11-30T21-00-00Z.tar.unfinished-x", "other.tar"])
		await writeFile(join(scheduled, name), "");
	for (const code of ["STORAGE_DAMAGED", "STORAGE_LOST", "STORAGE_FULL", "STORAGE_READ_ONLY", "STORAGE_FOREIGN", "STORAGE_UNREACHABLE"] as const)
		expect([code, advise(code)]).toEqual([code, expect.stringContaining("cairn-2026-11-22T21-00-00Z.tar of 2026-11-22T21:00:00Z")]);
	const others = (Object.keys(catalog) as ErrorCode[]).filter((code) => !code.startsWith("STORAGE_"));
	for (const code of [...others, "STORAGE_BUSY", "STORAGE_NEWER"] as const) expect([code, advise(code)]).toEqual([code, null]);
	expect(advise("STORAGE_DAMAGED", null)).toContain("schema-14");
	expect(advise("STORAGE_DAMAGED", "s3://vault/cairn")).toContain("cairn restore s3://vault/cairn");
	expect(
		adviseBackup(
			asError("STORAGE_LOST"),
			{ dataDir: join(folder, "nowhere"), backups: { place: join(folder, "gone"), kind: "full", everyHours: 1, kept: 1 } },
			"cairn",
		),
	).toBeNull();
});
