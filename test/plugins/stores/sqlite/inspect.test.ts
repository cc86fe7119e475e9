/** Reading a data folder without its server: a server may start meanwhile, and nothing is left behind. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { openForInspection } from "../../../../plugins/stores/sqlite/files/inspect.ts";
import sqlite from "../../../../plugins/stores/sqlite/index.ts";
import { openSqlite } from "./open-sqlite.ts";

/** A folder whose server has stopped, with rows on many pages. */
async function stopped() {
	const opened = await openSqlite();
	await opened.storage.migrate();
	await opened.storage.close();
	const file = join(opened.folder, "cairn.sqlite");
	const db = new Database(file);
	db.run("CREATE TABLE filler (number INTEGER PRIMARY KEY, value TEXT)");
	db.run("INSERT INTO filler SELECT key, 'before' || hex(zeroblob(2000)) FROM json_each('[' || substr(replace(hex(zeroblob(1000)), '0', ',1'), 2) || ']')");
	db.run("PRAGMA wal_checkpoint(TRUNCATE)");
	db.close();
	return { ...opened, file };
}

test("what a server writes that starts meanwhile is not seen, and no page changes under the reader", async () => {
	const { file, dispose } = await stopped();
	const reader = openForInspection(file);
	// Small, so that pages are read from the file when they are wanted.
	reader.db.run("PRAGMA cache_size = 1");
	const rows = reader.statement<{ value: string }>("SELECT value FROM filler ORDER BY number").iterate();
	expect(rows.next().value?.value).toStartWith("before");
	const server = new Database(file);
	server.run("PRAGMA journal_mode = WAL");
	server.run("UPDATE filler SET value = 'after' || substr(value, 7)");
	server.run("PRAGMA wal_checkpoint(PASSIVE)");
	server.close();
	expect([...rows].every(({ value }) => value.startsWith("before"))).toBe(true);
	reader.close();
	await dispose();
});

test("nothing is changed, and nothing is left beside the database", async () => {
	const { folder, file, dispose } = await stopped();
	const before = [(await readdir(folder)).toSorted(), await readFile(file)];
	const tools = sqlite().folder;
	await tools?.inspect(folder);
	expect([...(tools?.blobsNeeded(folder) ?? [])]).toEqual([]);
	const into = `${folder}-copy`;
	await mkdir(into);
	await tools?.copy(folder, into);
	expect(await readdir(into)).toEqual(["cairn.sqlite"]);
	await rm(into, { recursive: true });
	expect([(await readdir(folder)).toSorted(), await readFile(file)]).toEqual(before);
	await dispose();
});

test("a copy is not the owner of original files that are elsewhere", async () => {
	const { folder, storage, dispose } = await openSqlite();
	await storage.migrate();
	await storage.maintain(new AbortController().signal);
	const ownersIn = (of: string) => {
		const opened = openForInspection(join(of, "cairn.sqlite"));
		const found = opened.statement<{ count: number }>("SELECT count(*) AS count FROM records WHERE kind = 'blob-owner'").get()?.count;
		opened.close();
		return found;
	};
	const into = `${folder}-disowned`;
	await mkdir(into);
	await sqlite().folder?.copy(folder, into);
	expect([ownersIn(folder), ownersIn(into)]).toEqual([1, 0]);
	await rm(into, { recursive: true });
	await dispose();
});
