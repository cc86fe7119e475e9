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

/** Office files have some hundred entries. Longer lists are attacks. */
const entriesMax = 100_000;

const endSignature = 0x06054b50;
const zip64EndMark = 0x06064b50;
const zip64LocatorMark = 0x07064b50;
const directorySignature = 0x02014b50;
const localSignature = 0x04034b50;

const endLength = 22;
const commentLengthMax = 0xffff;
/** This value in a 32-bit field means that the real one is in the ZIP64 extra field. */
const saturated = 0xffffffff;
const zip64Extra = 1;
/** Host system and Unix file types in the external attributes. */
const unix = 3;
const fileTypeMask = 0xf000;
const linkType = 0xa000;

/** The entries in the directory. Empty if there is no directory, or it points outside of the file. */
export function listEntries(bytes: Uint8Array): readonly ZipEntry[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const end = findEnd(view);
	if (end < 0) return [];
	const entries: ZipEntry[] = [];
	for (let offset = directoryStart(view, end); offset >= 0 && offset + 46 <= view.byteLength && view.getUint32(offset, true) === directorySignature; ) {
		const entry = readDirectoryEntry(bytes, view, offset);
		if (entry !== null) entries.push(entry);
		if (entries.length > entriesMax) throw fail("FILE_BROKEN", `it lists more than ${entriesMax} entries`);
		offset += 46 + view.getUint16(offset + 28, true) + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
	}
	return entries;
}

/** Finds entries by their own headers, in one pass. An entry without a valid length ends at the next header; inflating stops by itself. */
export function recoverEntries(bytes: Uint8Array): readonly ZipEntry[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const starts: number[] = [];
	for (
		let offset = buffer.indexOf("PK\x03\x04", 0, "latin1");
		offset >= 0 && starts.length <= entriesMax;
		offset = buffer.indexOf("PK\x03\x04", offset + 4, "latin1")
	)
		starts.push(offset);
	return starts.flatMap((offset, index) => {
		const start = dataStart(view, offset);
		if (start === null) return [];
		const declaredLength = view.getUint32(offset + 18, true);
		const nextStart = starts[index + 1] ?? view.byteLength;
		const end = declaredLength > 0 && start + declaredLength <= nextStart ? start + declaredLength : nextStart;
		const nameLength = view.getUint16(offset + 26, true);
		return [entryOf(bytes.subarray(offset + 30, offset + 30 + nameLength), view.getUint16(offset + 6, true), view.getUint16(offset + 8, true), start, end)];
	});
}

function findEnd(view: DataView): number {
	const lastOffset = view.byteLength - endLength;
	for (let offset = lastOffset; offset >= Math.max(0, lastOffset - commentLengthMax); offset--)
		if (view.getUint32(offset, true) === endSignature) return offset;
	return -1;
}

function directoryStart(view: DataView, end: number): number {
	const start = view.getUint32(end + 16, true);
	const locator = end - 20;
	if (start !== saturated || locator < 0 || view.getUint32(locator, true) !== zip64LocatorMark) return start;
	const record = Number(view.getBigUint64(locator + 8, true));
	if (record + 56 > view.byteLength || view.getUint32(record, true) !== zip64EndMark) return -1;
	return Number(view.getBigUint64(record + 48, true));
}

function readDirectoryEntry(bytes: Uint8Array, view: DataView, offset: number): ZipEntry | null {
	const nameLength = view.getUint16(offset + 28, true);
	const extraStart = offset + 46 + nameLength;
	const numbers64 = readZip64(view, extraStart, view.getUint16(offset + 30, true), [
		view.getUint32(offset + 24, true), // the uncompressed size, which is not used but comes first
		view.getUint32(offset + 20, true),
		view.getUint32(offset + 42, true),
	]);
	const [, compressedLength = 0, localHeader = 0] = numbers64;
	const start = dataStart(view, localHeader);
	if (start === null) return null;
	const end = Math.min(start + compressedLength, view.byteLength);
	const madeOnUnix = view.getUint8(offset + 5) === unix;
	const isLink = madeOnUnix && ((view.getUint32(offset + 38, true) >>> 16) & fileTypeMask) === linkType;
	return {
		...entryOf(bytes.subarray(offset + 46, offset + 46 + nameLength), view.getUint16(offset + 8, true), view.getUint16(offset + 10, true), start, end),
		isLink,
	};
}

/** Replaces each 32-bit field that has its maximum value by the next number of the ZIP64 extra field. */
function readZip64(view: DataView, start: number, length: number, numbers: readonly number[]): readonly number[] {
	if (!numbers.includes(saturated)) return numbers;
	for (let offset = start; offset + 4 <= Math.min(start + length, view.byteLength); offset += 4 + view.getUint16(offset + 2, true)) {
		if (view.getUint16(offset, true) !== zip64Extra) continue;
		let next = offset + 4;
		return numbers.map((number) => {
			if (number !== saturated || next + 8 > view.byteLength) return number;
			next += 8;
			return Number(view.getBigUint64(next - 8, true));
		});
	}
	return numbers;
}

function dataStart(view: DataView, localHeader: number): number | null {
	if (!(localHeader >= 0 && localHeader + 30 <= view.byteLength) || view.getUint32(localHeader, true) !== localSignature) return null;
	const start = localHeader + 30 + view.getUint16(localHeader + 26, true) + view.getUint16(localHeader + 28, true);
	return start <= view.byteLength ? start : null;
}

/** Decodes the name, which is UTF-8 or, in old archives, in the DOS code page 437. */
function entryOf(name: Uint8Array, flags: number, method: number, start: number, end: number): ZipEntry {
	return { name: isUtf8(name) ? Buffer.from(name).toString() : iconv.decode(name, "cp437"), method, isEncrypted: (flags & 1) === 1, isLink: false, start, end };
}
