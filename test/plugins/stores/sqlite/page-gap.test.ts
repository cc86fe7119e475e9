/** What deleted rows leave between the rows of pages is overwritten, and nothing else. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGapClearer } from "../../../../plugins/stores/sqlite/files/clear-gaps.ts";
import { clearGap } from "../../../../plugins/stores/sqlite/files/page-gap.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-gaps-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
/** Rows of many lengths that are added in no order and grow, so that pages are shared out; then a quarter of them is deleted. */
function fill(file: string): Database {
	const db = new Database(file);
	for (const pragma of ["page_size = 8192", "journal_mode = WAL", "secure_delete = ON", "wal_autocheckpoint = 0"]) db.run(`PRAGMA ${pragma}`);
	db.run("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID");
	const random = mulberry(3);
	const ids = Array.from({ length: 600 }, (_, i) => `${String(random(1e6)).padStart(6, "0")}-${i}`);
	db.transaction(() => {
		for (const [i, id] of ids.entries()) db.run("INSERT INTO notes VALUES (?, ?)", [id, `${i % 4 === 0 ? "secretword" : "plain"} ${"x".repeat(random(300))}`]);
		for (const id of ids.toSorted((a, b) => a.slice(3).localeCompare(b.slice(3))))
			db.run("UPDATE notes SET text = text || ? WHERE id = ?", ["y".repeat(random(900)), id]);
	})();
	db.run("DELETE FROM notes WHERE text LIKE 'secretword%'");
	return db;
}

/** Whole numbers below a bound, the same in every run. */
function mulberry(seed: number): (bound: number) => number {
	let state = seed;
	return (bound) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
	};
}

const holdsSecret = async (file: string) => (await readFile(file, "latin1")).includes("secretword");

test("copies of deleted rows are gone from the file, the rows are as they were, and another run finds nothing", async () => {
	const file = join(folder, "notes.sqlite");
	const db = fill(file);
	const rows = () => db.query("SELECT * FROM notes ORDER BY id").all();
	const before = rows();
	db.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
	expect(await holdsSecret(file), "SQLite leaves copies").toBe(true);

	const dropCache = async () => db.run("PRAGMA shrink_memory");
	expect(await createGapClearer(file, dropCache)(never)).toBe(false);
	expect(await holdsSecret(file)).toBe(false);
	expect(await createGapClearer(file, dropCache)(never)).toBe(true);
	expect(rows()).toEqual(before);
	expect(db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);

	db.run("INSERT INTO notes VALUES ('after', 'it goes on')");
	expect(rows().length).toBe(before.length + 1);
	db.close();
});

test("rows that are written meanwhile are kept, and a log with changes is no obstacle", async () => {
	const file = join(folder, "busy.sqlite");
	const db = fill(file);
	const clearing = createGapClearer(file, async () => db.run("PRAGMA shrink_memory"))(never);
	let added = 0;
	let isOver = false;
	clearing.finally(() => {
		isOver = true;
	});
	while (!isOver) {
		db.run("INSERT INTO notes VALUES (?, ?)", [`new-${added++}`, "written meanwhile"]);
		await Bun.sleep(1);
	}
	await clearing;
	expect(db.query("SELECT count(*) AS count FROM notes WHERE id LIKE 'new-%'").get()).toEqual({ count: added });
	expect(db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
	db.close();
});

test("pages of other kinds, and damaged ones, are left as they are", () => {
	const page = (bytes: readonly number[]) => Uint8Array.from({ length: 512 }, (_, i) => bytes[i] ?? 7);
	// an overflow page; a leaf whose rows begin beyond its end; a leaf with more pointers than space
	for (const bytes of [page([0, 0, 0, 5]), page([13, 0, 0, 0, 1, 2, 255, 0]), page([13, 0, 0, 1, 255, 1, 0, 0])]) {
		const before = bytes.slice();
		expect(clearGap(bytes, 9)).toBe(false);
		expect(bytes).toEqual(before);
	}
	const leaf = page([13, 0, 0, 0, 1, 1, 0, 0]);
	expect(clearGap(leaf, 9)).toBe(true);
	expect([...leaf.subarray(8, 10), ...leaf.subarray(10, 256), leaf[256]]).toEqual([7, 7, ...new Array(246).fill(0), 7]);
});
