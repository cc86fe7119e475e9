/** A write-ahead log whose end is lost: SQLite goes on without a word, so it is noticed before. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { lostWrites } from "../../../../plugins/stores/sqlite/files/lost-writes.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-lost-writes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const frameBytes = 8_192 + 24;

/** As a kill leaves it, after so many rows, each a transaction of its own. @param copied rows that a checkpoint has copied before the others */
let stores = 0;
function killed(rows: number, copied = 0): string {
	const file = join(folder, `store-${++stores}.sqlite`);
	const writer = openWriter(file);
	writer.db.run("CREATE TABLE t (x)");
	for (let i = 0; i < copied + rows; i++) {
		if (i === copied) writer.db.run("PRAGMA wal_checkpoint(PASSIVE)");
		writer.db.run("INSERT INTO t VALUES (?)", [`row ${i}`]);
	}
	if (rows === 0) writer.db.run("PRAGMA wal_checkpoint(PASSIVE)");
	const left = join(folder, `killed-${stores}.sqlite`);
	for (const end of ["", "-wal", "-shm"]) cpSync(`${file}${end}`, `${left}${end}`);
	expect(lostWrites(file)).toBeNull();
	writer.close();
	expect(lostWrites(file)).toBeNull();
	return left;
}

function change(path: string, at: number): void {
	const bytes = readFileSync(path);
	bytes[at] = (bytes[at] ?? 0) ^ 1;
	writeFileSync(path, bytes);
}

function rowsIn(file: string): number {
	const db = new Database(file);
	const { n } = db.query<{ n: number }, []>("SELECT count(*) AS n FROM t").get() ?? { n: -1 };
	db.close();
	return n;
}

test("nothing is lost where nothing was harmed, however much is in the database already", () => {
	for (const [rows, copied] of [
		[5, 0],
		[5, 20],
		[0, 20],
	] as const) {
		const file = killed(rows, copied);
		expect(lostWrites(file)).toBeNull();
		expect(rowsIn(file)).toBe(rows + copied);
	}
	expect(lostWrites(join(folder, "none.sqlite"))).toBeNull();
});

test("a log that is cut, damaged in the middle or at its head, or gone has lost writes", () => {
	const harms: readonly ((log: string) => void)[] = [
		(log) => truncateSync(log, 32 + 4 * frameBytes),
		(log) => truncateSync(log, 10),
		(log) => change(log, 32 + 3 * frameBytes + 4_000),
		(log) => change(log, 20),
		(log) => writeFileSync(log, readFileSync(log).fill(0, 0, frameBytes)),
		(log) => rmSync(log),
	];
	for (const harm of harms) {
		const file = killed(10);
		harm(`${file}-wal`);
		expect(lostWrites(file)).toMatch(/-wal has lost \d+ of the \d+ pages that were written last$/);
	}
});

test("without the index beside it, damage is seen by what follows", () => {
	const file = killed(10);
	rmSync(`${file}-shm`);
	expect(lostWrites(file)).toBeNull();
	change(`${file}-wal`, 32 + 3 * frameBytes + 4_000);
	expect(lostWrites(file)).toContain("has lost");
	const [, lost, all] = /lost (\d+) of the (\d+)/.exec(lostWrites(file) ?? "") ?? [];
	expect(Number(lost)).toBeLessThan(Number(all));
});

test("what is in the database already is not lost with its log", () => {
	const file = killed(0, 20);
	rmSync(`${file}-wal`);
	expect(lostWrites(file)).toBeNull();
	expect(rowsIn(file)).toBe(20);
});
