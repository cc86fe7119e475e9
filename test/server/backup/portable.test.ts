/**
 * What another operating system would take differently is not in a data folder or a backup: names of files that Windows refuses, that differ
 * in their case alone, or that a client has chosen.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runCommand } from "../../../server/commands/run-command.ts";
import { startTestServer } from "../../doubles/test-server.ts";

/** Chosen by a client, and no file name elsewhere. */
const nasty = { customId: "con:zqx", containerTag: "zqx_AUX.", filepath: "/zqx:a|b/NUL", fileName: "zqx<?>*.md" };

let folder: string;
let data: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-portable-"));
	data = join(folder, "data");
	const config = { plugins: [["sqlite", { scanMax: 2, rebuildAfter: 2 }]] } as const;
	const server = await startTestServer(["--use-embedder=hashing"], config as never, { folder: data });
	const client = await server.client();
	const form = new FormData();
	for (const name of ["customId", "containerTag", "filepath"] as const) form.append(name, nasty[name]);
	form.append("file", new File(["# Herons\n\nA heron stands in the mill pond.".repeat(20)], nasty.fileName));
	const uploaded = await client.send("POST", "/v3/documents/file", undefined, { method: "POST", body: form });
	const { id } = (await uploaded.json()) as { id: string };
	expect(await client.finished(id)).toMatchObject({ status: "done" });
	for (let i = 0; i < 2; i++) {
		const added = (await (
			await client.send("POST", "/v3/documents", { content: `Note ${i}: a heron was seen.`, containerTag: nasty.containerTag })
		).json()) as { id: string };
		await client.finished(added.id);
	}
	await server.maintain();
	await server.dispose();
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function namesIn(place: string): Promise<readonly string[]> {
	const entries = await readdir(place, { recursive: true, withFileTypes: true });
	return entries.map((entry) => relative(place, join(entry.parentPath, entry.name)));
}

async function run(...args: readonly string[]): Promise<number> {
	return runCommand({ args, env: { CAIRN_DATA_DIR: data }, write: () => undefined, writeError: () => undefined });
}

/** https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file */
const isRefusedByWindows = (part: string) =>
	[...part].some((sign) => '<>:"\\|?*'.includes(sign) || sign.charCodeAt(0) < 32) || /[. ]$/.test(part) || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(part);

test("names of files are taken by every system, and none was chosen by a client", async () => {
	const backups = join(folder, "backups");
	await mkdir(backups);
	expect([await run("backup", backups), await run("backup", join(folder, "all.tar"))]).toEqual([0, 0]);
	const unpacked = join(folder, "unpacked");
	expect(
		await runCommand({ args: ["restore", join(folder, "all.tar")], env: { CAIRN_DATA_DIR: unpacked }, write: () => undefined, writeError: () => undefined }),
	).toBe(0);
	for (const place of [data, backups, unpacked]) {
		const names = await namesIn(place);
		expect(names.length).toBeGreaterThan(5);
		expect(names.filter((name) => name.split("/").some(isRefusedByWindows))).toEqual([]);
		expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
		expect(names.filter((name) => /zqx|con:|nul/i.test(name))).toEqual([]);
	}
});
