/** Finds the entries of a ZIP: by its directory at the end or, when that is lost, by the header before each entry. */

import { isUtf8 } from "node:buffer";
import { fail } from "cairn-memory";
import iconv from "iconv-lite";

export interface ZipEntry {
	readonly name: string;
	readonly method: number;
	readonly isEncrypted: boolean;
	/** A symbolic link. */
	readonly isLink: boolean;
	/** Offset of the compressed data. */
	readonly start: number;
	readonly end: number;
}

/** Office files have some hundred; longer lists are attacks. */
const entriesMax = 100_000;

const endMark = 0x06054b50;
const wideEndMark = 0x06064b50;
const wideLocatorMark = 0x07064b50;
const directoryMark = 0x02014b50;
const localMark = 0x04034b50;

const endLength = 22;
const commentLengthMax = 0xffff;
/** This value in a 32-bit field refers to the ZIP64 extra field. */
const wide = 0xffffffff;
const wideExtra = 1;
/** Host system and file type. */
const unix = 3;
const fileKinds = 0xf000;
const linkKind = 0xa000;

/** Empty when there is no directory, or it points nowhere. */
export function listEntries(bytes: Uint8Array): readonly ZipEntry[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const end = findEnd(view);
	if (end < 0) return [];
	const entries: ZipEntry[] = [];
	for (let at = directoryStart(view, end); at >= 0 && at + 46 <= view.byteLength && view.getUint32(at, true) === directoryMark; ) {
		const entry = readListed(bytes, view, at);
		if (entry !== null) entries.push(entry);
		if (entries.length > entriesMax) throw fail("FILE_BROKEN", `it lists more than ${entriesMax} entries`);
		at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
	}
	return entries;
}

/** One pass over the bytes. An entry reaches to the next header: inflating stops where it is done. */
export function recoverEntries(bytes: Uint8Array): readonly ZipEntry[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const starts: number[] = [];
	for (let at = buffer.indexOf("PK\x03\x04", 0, "latin1"); at >= 0 && starts.length <= entriesMax; at = buffer.indexOf("PK\x03\x04", at + 4, "latin1"))
		starts.push(at);
	return starts.flatMap((at, index) => {
		const start = dataStart(view, at);
		if (start === null) return [];
		const claimed = view.getUint32(at + 18, true);
		const next = starts[index + 1] ?? view.byteLength;
		const end = claimed > 0 && start + claimed <= next ? start + claimed : next;
		const nameLength = view.getUint16(at + 26, true);
		return [entryOf(bytes.subarray(at + 30, at + 30 + nameLength), view.getUint16(at + 6, true), view.getUint16(at + 8, true), start, end)];
	});
}

function findEnd(view: DataView): number {
	const last = view.byteLength - endLength;
	for (let at = last; at >= Math.max(0, last - commentLengthMax); at--) if (view.getUint32(at, true) === endMark) return at;
	return -1;
}

function directoryStart(view: DataView, end: number): number {
	const start = view.getUint32(end + 16, true);
	const locator = end - 20;
	if (start !== wide || locator < 0 || view.getUint32(locator, true) !== wideLocatorMark) return start;
	const record = Number(view.getBigUint64(locator + 8, true));
	if (record + 56 > view.byteLength || view.getUint32(record, true) !== wideEndMark) return -1;
	return Number(view.getBigUint64(record + 48, true));
}

function readListed(bytes: Uint8Array, view: DataView, at: number): ZipEntry | null {
	const nameLength = view.getUint16(at + 28, true);
	const extraStart = at + 46 + nameLength;
	const wideNumbers = readWide(view, extraStart, view.getUint16(at + 30, true), [
		view.getUint32(at + 24, true), // the uncompressed size, which is not used but comes first
		view.getUint32(at + 20, true),
		view.getUint32(at + 42, true),
	]);
	const [, packed = 0, local = 0] = wideNumbers;
	const start = dataStart(view, local);
	if (start === null) return null;
	const end = Math.min(start + packed, view.byteLength);
	const madeOnUnix = view.getUint8(at + 5) === unix;
	const isLink = madeOnUnix && ((view.getUint32(at + 38, true) >>> 16) & fileKinds) === linkKind;
	return { ...entryOf(bytes.subarray(at + 46, at + 46 + nameLength), view.getUint16(at + 8, true), view.getUint16(at + 10, true), start, end), isLink };
}

/** Replaces each saturated 32-bit field by the next number from the ZIP64 extra field. */
function readWide(view: DataView, start: number, length: number, numbers: readonly number[]): readonly number[] {
	if (!numbers.includes(wide)) return numbers;
	for (let at = start; at + 4 <= Math.min(start + length, view.byteLength); at += 4 + view.getUint16(at + 2, true)) {
		if (view.getUint16(at, true) !== wideExtra) continue;
		let next = at + 4;
		return numbers.map((number) => {
			if (number !== wide || next + 8 > view.byteLength) return number;
			next += 8;
			return Number(view.getBigUint64(next - 8, true));
		});
	}
	return numbers;
}

function dataStart(view: DataView, local: number): number | null {
	if (!(local >= 0 && local + 30 <= view.byteLength) || view.getUint32(local, true) !== localMark) return null;
	const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
	return start <= view.byteLength ? start : null;
}

/** Names are UTF-8 or, in old archives, what DOS wrote. */
function entryOf(name: Uint8Array, flags: number, method: number, start: number, end: number): ZipEntry {
	return { name: isUtf8(name) ? Buffer.from(name).toString() : iconv.decode(name, "cp437"), method, isEncrypted: (flags & 1) === 1, isLink: false, start, end };
}
