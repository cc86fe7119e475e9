/** When the write-ahead log is copied into the database: soon while nobody waits, later while writes do, and never not. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { checkpoint } from "../../../../plugins/stores/sqlite/writer/checkpoint.ts";

let folder: string;
const opened: Connection[] = [];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-checkpoint-"));
});

afterAll(async () => {
	for (const { close } of opened) close();
	await rm(folder, { recursive: true, force: true });
});

/** A database whose log holds about so many pages. */
function withLog(pages: number): Connection {
	const connection = openWriter(join(folder, `${opened.length}.sqlite`));
	opened.push(connection);
	connection.db.run("CREATE TABLE things (value BLOB)");
	for (let written = 0; written < pages; written += 100) connection.statement("INSERT INTO things VALUES (zeroblob(?))").run(100 * 8_192);
	return connection;
}

const waiting = ({ statement }: Connection) => {
	const state = statement<{ log: number; checkpointed: number }>("PRAGMA wal_checkpoint(NOOP)").get();
	return state === null ? Number.NaN : state.log - state.checkpointed;
};

test("no commit copies the log by itself", () => {
	expect(waiting(withLog(2_500))).toBeGreaterThan(2_500);
});

test("a short log is left alone", () => {
	const connection = withLog(300);
	checkpoint(connection, true);
	expect(waiting(connection)).toBeGreaterThan(300);
});

test("a log worth it is copied in a quiet moment only", () => {
	const connection = withLog(1_000);
	checkpoint(connection, false);
	expect(waiting(connection)).toBeGreaterThan(1_000);
	checkpoint(connection, true);
	expect(waiting(connection)).toBe(0);
});

test("a long log is copied whoever waits", () => {
	const connection = withLog(2_500);
	checkpoint(connection, false);
	expect(waiting(connection)).toBe(0);
});
