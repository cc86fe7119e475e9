/**
 * Finds out whether the end of the write-ahead log is lost. This must happen before SQLite opens the database: it reads the log up to the
 * first damage, reports nothing, and overwrites the rest. The formats are those of https://sqlite.org/fileformat2.html#walformat and walformat.html.
 */

import { closeSync, openSync, readSync, statSync } from "node:fs";

const headerBytes = 32;
const frameHeaderBytes = 24;
/** The signature of a log with checksums over little-endian words. With big-endian words it is the next number. */
const littleEndianMagic = 0x377f0682;
/** The part of the index that is read: two copies of a header of 48 bytes, then the progress of the last checkpoint. */
const indexBytes = 100;

/** @returns a sentence about what is lost; null if nothing is */
export function lostWrites(file: string): string | null {
	// The index is read first: while a server runs, the log then has at least the frames that the index counts.
	const index = readIndex(`${file}-shm`);
	const log = readLog(`${file}-wal`);
	// The index is of an earlier log, which was copied into the database.
	const isStale = index === null || (log !== null && log.salt !== index.salt);
	const expected = isStale ? (log?.lastFrame ?? 0) : index.frames;
	const readable = log?.committed ?? 0;
	const safe = isStale ? readable : Math.max(readable, index.copied);
	return expected > safe ? `${file}-wal has lost ${expected - safe} of the ${expected} pages that were written last` : null;
}

interface LogIndex {
	readonly salt: string;
	/** How many frames are committed. */
	readonly frames: number;
	/** How many frames are copied into the database. */
	readonly copied: number;
}

/** Reads the index of the log, a file in shared memory that stays when the process ends. Its numbers have the byte order of the machine. */
function readIndex(path: string): LogIndex | null {
	const bytes = readStart(path, indexBytes);
	if (bytes === null || Buffer.compare(bytes.subarray(0, 48), bytes.subarray(48, 96)) !== 0) return null;
	const numbers = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + indexBytes));
	if (bytes[12] !== 1) return null;
	return { salt: bytes.subarray(32, 40).toString("hex"), frames: numbers[4] ?? 0, copied: numbers[24] ?? 0 };
}

interface LogEnd {
	readonly salt: string;
	/** How many frames are undamaged, up to the end of a transaction. */
	readonly committed: number;
	/** The last frame that belongs to this log, even if frames before it are damaged. */
	readonly lastFrame: number;
}

/** @returns null without a log, or if its header is damaged */
function readLog(path: string): LogEnd | null {
	const header = readStart(path, headerBytes);
	if (header === null) return null;
	const isLittleEndian = header.readUInt32BE(0) === littleEndianMagic;
	let sums = checksum([0, 0], header.subarray(0, 24), isLittleEndian);
	if (sums[0] !== header.readUInt32BE(24) || sums[1] !== header.readUInt32BE(28)) return null;
	const salt = header.subarray(16, 24);
	const frame = Buffer.alloc(frameHeaderBytes + header.readUInt32BE(8));
	let [committed, lastFrame, isWhole] = [0, 0, true];
	const log = openSync(path, "r");
	try {
		for (let number = 1; readSync(log, frame, 0, frame.length, headerBytes + (number - 1) * frame.length) === frame.length; number++) {
			// The frames after it are remains of an earlier log.
			const isOurs = frame.compare(salt, 0, 8, 8, 16) === 0;
			if (isOurs) lastFrame = number;
			if (isWhole) {
				sums = checksum(checksum(sums, frame.subarray(0, 8), isLittleEndian), frame.subarray(frameHeaderBytes), isLittleEndian);
				isWhole = isOurs && sums[0] === frame.readUInt32BE(16) && sums[1] === frame.readUInt32BE(20);
				if (isWhole && frame.readUInt32BE(4) !== 0) committed = number;
			}
		}
	} finally {
		closeSync(log);
	}
	return { salt: salt.toString("hex"), committed, lastFrame };
}

function checksum([first, second]: readonly [number, number], bytes: Buffer, isLittleEndian: boolean): readonly [number, number] {
	let [a, b] = [first, second];
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	for (let at = 0; at < bytes.length; at += 8) {
		a = (a + view.getUint32(at, isLittleEndian) + b) >>> 0;
		b = (b + view.getUint32(at + 4, isLittleEndian) + a) >>> 0;
	}
	return [a, b];
}

/** @returns null if the file is missing or shorter */
function readStart(path: string, length: number): Buffer | null {
	if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
	const bytes = Buffer.alloc(length);
	const file = openSync(path, "r");
	try {
		return readSync(file, bytes) === length ? bytes : null;
	} finally {
		closeSync(file);
	}
}
