/** The entry names of a ZIP, from its central directory or, when that is missing, from the local headers at its beginning; and the content of small entries. */

import { inflateRawSync } from "node:zlib";

export interface ZipDirectory {
	readonly names: readonly string[];
	/** Null when there is no such entry, it is longer, or it cannot be unpacked. */
	readonly read: (name: string, bytesMax: number) => string | null;
}

interface Entry {
	readonly name: string;
	/** Offset of its local header. */
	readonly at: number;
}

const endMark = 0x06054b50;
const directoryMark = 0x02014b50;
const localMark = 0x04034b50;
const endLength = 22;
const commentLengthMax = 0xffff;
/** More names do not change what is detected. */
const entriesMax = 5_000;
/** Without the central directory only so much is searched: later headers may belong to a ZIP inside of this one. */
const headBytes = 8_192;

const latin1 = new TextDecoder("latin1");

export function zipDirectory(bytes: Uint8Array): ZipDirectory {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const listed = listedEntries(bytes, view);
	const entries = listed.length > 0 ? listed : headEntries(bytes, view);
	return {
		names: entries.map(({ name }) => name),
		read: (name, bytesMax) => {
			const entry = entries.find((one) => one.name === name);
			return entry === undefined ? null : contentOf(bytes, view, entry, bytesMax);
		},
	};
}

function listedEntries(bytes: Uint8Array, view: DataView): readonly Entry[] {
	const end = findEnd(view);
	if (end < 0) return [];
	// Bytes before the archive shift all offsets, and ZIP64 puts a record behind the directory: so both places are tried.
	const starts = [view.getUint32(end + 16, true), end - view.getUint32(end + 12, true)];
	const start = starts.find((at) => at >= 0 && at + 46 <= view.byteLength && view.getUint32(at, true) === directoryMark) ?? view.byteLength;
	const entries: Entry[] = [];
	for (let at = start; at + 46 <= view.byteLength && entries.length < entriesMax && view.getUint32(at, true) === directoryMark; ) {
		const length = view.getUint16(at + 28, true);
		entries.push({ name: latin1.decode(bytes.subarray(at + 46, at + 46 + length)), at: view.getUint32(at + 42, true) });
		at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
	}
	return entries;
}

function findEnd(view: DataView): number {
	const last = view.byteLength - endLength;
	for (let at = last; at >= Math.max(0, last - commentLengthMax); at--) if (view.getUint32(at, true) === endMark) return at;
	return -1;
}

function headEntries(bytes: Uint8Array, view: DataView): readonly Entry[] {
	const entries: Entry[] = [];
	for (let at = 0; at + 30 <= Math.min(headBytes, view.byteLength); at++) {
		if (view.getUint32(at, true) !== localMark) continue;
		entries.push({ name: latin1.decode(bytes.subarray(at + 30, at + 30 + view.getUint16(at + 26, true))), at });
	}
	return entries;
}

function contentOf(bytes: Uint8Array, view: DataView, { at }: Entry, bytesMax: number): string | null {
	if (at + 30 > view.byteLength || view.getUint32(at, true) !== localMark) return null;
	const method = view.getUint16(at + 8, true);
	const length = view.getUint32(at + 18, true);
	const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
	if (method === 0) return length > bytesMax ? null : latin1.decode(bytes.subarray(start, start + length));
	try {
		// Some writers give the length only behind the data; inflating stops at its end.
		return method === 8 ? latin1.decode(inflateRawSync(bytes.subarray(start, start + bytesMax * 2), { maxOutputLength: bytesMax })) : null;
	} catch {
		return null;
	}
}
