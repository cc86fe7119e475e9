/**
 * The process that overwrites remains between the rows of all pages, while the server runs. It is a process of its own, because closing any
 * file handle of a database releases all locks of the process. It prints on how many pages it has found remains.
 *
 * It leaves the processor to others by pauses and not by a low priority: on a busy machine a process of low priority may not run for
 * seconds, and the server could not write as long as it has the lock.
 */

import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { clearGap } from "./page-gap.ts";

/** Pages for which the database is locked at a time: a few milliseconds. */
const lockedPages = 64;
const piecePages = 128;
/** After a piece it pauses this many times as long as the piece took. */
const restShare = 3;
/** How often the lock is tried, because the server may be writing. */
const tries = 100;
const pauseMs = 20;

const [file = ""] = process.argv.slice(2);
const db = new Database(file, { readwrite: true, create: false });
db.run("PRAGMA busy_timeout = 5000");
const { page_size: pageBytes } = db.query<{ page_size: number }, []>("PRAGMA page_size").get() ?? { page_size: 0 };
const handle = openSync(file, "r+");
let cleared = 0;
if (db.query<{ auto_vacuum: number }, []>("PRAGMA auto_vacuum").get()?.auto_vacuum === 0) {
	const found = await pagesWithGaps();
	for (let i = 0; i < found.length; i += lockedPages) cleared += await clear(found.slice(i, i + lockedPages));
}
process.stdout.write(String(cleared));
// The database is closed first, because closing the other handle of the file releases its locks.
db.close();
closeSync(handle);

/** The numbers of pages with remains between their rows. They may change before the database is locked. */
async function pagesWithGaps(): Promise<readonly number[]> {
	const numbers: number[] = [];
	const piece = new Uint8Array(piecePages * pageBytes);
	for (let from = 0, length = 0; ; from += length) {
		const began = performance.now();
		const read = readSync(handle, piece, 0, piece.byteLength, from);
		// A read may end within a page; only whole pages are used.
		length = read - (read % pageBytes);
		if (length === 0) return numbers;
		for (let at = 0; at + pageBytes <= length; at += pageBytes) {
			const number = (from + at) / pageBytes + 1;
			if (clearGap(piece.subarray(at, at + pageBytes), number)) numbers.push(number);
		}
		await Bun.sleep(restShare * (performance.now() - began));
	}
}

/**
 * Clears the pages under the lock of a writer and with an empty log: then nothing else writes to the file, and nothing can be copied into it
 * from the log. Readers are not locked out, since they never read a gap.
 */
async function clear(numbers: readonly number[]): Promise<number> {
	for (let i = 0; i < tries; i++) {
		db.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
		db.run("BEGIN IMMEDIATE");
		try {
			if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return clearLocked(numbers);
		} finally {
			db.run("ROLLBACK");
		}
		await Bun.sleep(pauseMs);
	}
	return numbers.length;
}

function clearLocked(numbers: readonly number[]): number {
	let count = 0;
	const page = new Uint8Array(pageBytes);
	for (const number of numbers) {
		const at = (number - 1) * pageBytes;
		if (readSync(handle, page, 0, pageBytes, at) < pageBytes || !clearGap(page, number)) continue;
		writeSync(handle, page, 0, pageBytes, at);
		count += 1;
	}
	fsyncSync(handle);
	return count;
}
