/** One server to a folder, and a dead one holds nothing. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFolder } from "../../../../plugins/stores/sqlite/files/folder-lock.ts";

const folders: string[] = [];

async function newFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-lock-"));
	folders.push(folder);
	return folder;
}

afterAll(async () => {
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const busy = expect.objectContaining({ code: "STORAGE_BUSY" });

test("a folder is locked once, and again after its release", async () => {
	const folder = await newFolder();
	const lock = lockFolder(folder);
	expect(() => lockFolder(folder)).toThrow(busy);
	lock.release();
	lockFolder(folder).release();
});

test("a second process is refused until the first is killed", async () => {
	const folder = await newFolder();
	const first = Bun.spawn([process.execPath, join(import.meta.dir, "hold-lock.ts"), folder], { stdout: "pipe", stderr: "inherit" });
	try {
		const { value } = await first.stdout.getReader().read();
		expect(new TextDecoder().decode(value)).toContain("locked");
		expect(() => lockFolder(folder)).toThrow(busy);
	} finally {
		first.kill("SIGKILL");
	}
	await first.exited;
	lockFolder(folder).release();
});
