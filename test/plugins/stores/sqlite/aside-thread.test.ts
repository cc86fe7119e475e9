/** Parts of long texts read by another thread: its answers, its faults, its end. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { asideThread } from "../../../../plugins/stores/sqlite/threads/aside-thread.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-aside-thread-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const asked = (at: number) => ({ sql: "SELECT substr(CAST(content AS BLOB), ?, 3) AS part FROM document_texts WHERE organisation = ?", params: [at, "o"] });
const told = async (part: Promise<Uint8Array | null>) => new TextDecoder().decode((await part) ?? undefined);

test("a fault is told with its code, what is asked before the end is answered, and after it nothing is", async () => {
	const file = join(folder, "texts.sqlite");
	const thread = asideThread({ file });
	await expect(thread.read(asked(1))).rejects.toMatchObject({ code: "STORAGE_UNREACHABLE" });
	const connection = openWriter(file);
	migrate(connection, migrations);
	expect(await thread.read(asked(1))).toBeNull();
	connection.statement("INSERT INTO document_texts (organisation, document, content) VALUES ('o', 'd', 'abcdefgh')").run();
	const before = [told(thread.read(asked(1))), told(thread.read(asked(4))), told(thread.read(asked(7)))];
	await thread.close();
	expect(await Promise.all(before)).toEqual(["abc", "def", "gh"]);
	await expect(thread.read(asked(1))).rejects.toMatchObject({ code: "STORAGE_UNREACHABLE" });
	connection.close();
});

test("one that was never asked has nothing to end", async () => {
	const thread = asideThread({ file: join(folder, "never.sqlite") });
	await thread.close();
	await expect(thread.read(asked(1))).rejects.toMatchObject({ code: "STORAGE_UNREACHABLE" });
});
