/** Words looked up by another thread: its answers, its faults, its end. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrganisationId } from "cairn-memory";
import { wholeOrganisation } from "cairn-memory/stores";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { wordsThread } from "../../../../plugins/stores/sqlite/words/words-thread.ts";
import { sampleOrganisation } from "../../../contract/samples.ts";
import { otherOrganisation } from "../../../contract/storage/ground.ts";

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-words-thread-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (file: string) => wordsThread({ file, folder: `${file}.folder`, canRemove: true }, () => undefined);
const ask = async (thread: ReturnType<typeof wordsThread>, word: string) =>
	(await thread.index(sampleOrganisation).matchChunks([word], wholeOrganisation, 10)).hits;

test("a fault is told with its code, and the next question is answered", async () => {
	const file = join(folder, "late.sqlite");
	const thread = open(file);
	await expect(ask(thread, "early")).rejects.toMatchObject({ code: "STORAGE_UNREACHABLE" });
	const connection = openWriter(file);
	migrate(connection, migrations);
	expect(await ask(thread, "late")).toEqual([]);
	await thread.close();
	connection.close();
});

test("questions asked before the end are answered, those after it are refused", async () => {
	const file = join(folder, "closing.sqlite");
	const connection = openWriter(file);
	migrate(connection, migrations);
	const thread = open(file);
	const before = Array.from({ length: 20 }, (_, i) => ask(thread, `word${i}`));
	await thread.close();
	expect(await Promise.all(before)).toEqual(Array(20).fill([]));
	await expect(ask(thread, "after")).rejects.toMatchObject({ code: "STORAGE_UNREACHABLE" });
	connection.close();
});

test("while one organisation is read for many, another is answered", async () => {
	const file = join(folder, "two.sqlite");
	const connection = openWriter(file);
	migrate(connection, migrations);
	const sql = "INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES (?, 'c' || ?, 'd', 1, 1, ?, 'walnut', '{}')";
	const insert = (organisation: string, position: number) => connection.statement(sql).run(organisation, position, position);
	connection.db.transaction(() => {
		for (let i = 0; i < 3_000; i++) insert(sampleOrganisation, i);
		for (let i = 0; i < 50; i++) insert(otherOrganisation, i);
	})();
	const thread = open(file);
	// It is open and known.
	const within = (organisation: OrganisationId, waitMs: number) => thread.index(organisation).matchChunks(["walnut"], wholeOrganisation, 10, waitMs);
	expect((await within(otherOrganisation, 60_000)).isWhole).toBe(true);
	const answered: string[] = [];
	const many = Array.from({ length: 50 }, () => ask(thread, "walnut").then(() => answered.push("many")));
	const inNoTime = within(sampleOrganisation, 0);
	const few = thread
		.index(otherOrganisation)
		.matchChunks(["walnut"], wholeOrganisation, 10)
		.then(() => answered.push("few"));
	expect(await inNoTime).toEqual({ hits: [], isWhole: false });
	await Promise.all([few, ...many]);
	expect([answered[0], answered.length]).toEqual(["few", 51]);
	expect((await within(sampleOrganisation, 60_000)).isWhole).toBe(true);
	await thread.close();
	connection.close();
});

test("nothing to look for starts nothing", async () => {
	const thread = open(join(folder, "never.sqlite"));
	expect(await thread.index(sampleOrganisation).matchChunks([], wholeOrganisation, 10)).toEqual({ hits: [], isWhole: true });
	await thread.close();
});
