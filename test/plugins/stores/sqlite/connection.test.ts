/** A reader that the system gives no handle for says so; a database that is not there is another fault. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asServiceError } from "../../../../core/errors/fail.ts";
import { openReader, openWriter } from "../../../../plugins/stores/sqlite/connection.ts";

let folder: string;
let file: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-connection-"));
	file = join(folder, "a.sqlite");
	openWriter(file).close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("without a handle it may pass: OPEN_FILES_EXHAUSTED", () => {
	const script = join(import.meta.dir, "open-without-handles.ts");
	const { stdout, stderr } = Bun.spawnSync(["sh", "-c", 'ulimit -n 64 && exec "$0" "$@"', process.execPath, "--no-install", script, file]);
	expect(JSON.parse(stdout.toString() || stderr.toString())).toEqual(["opened", "OPEN_FILES_EXHAUSTED"]);
});

test("without a file it does not", () => {
	const open = () => openReader(join(folder, "nowhere.sqlite"));
	expect(open).toThrow("unable to open database file");
	try {
		open();
	} catch (thrown) {
		expect(asServiceError(thrown).code).toBe("INTERNAL");
	}
});
