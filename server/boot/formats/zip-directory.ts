/** Reads the entry names of a ZIP and the content of small entries. If the central directory is missing, names come from the local headers at the beginning. */

import { inflateRawSync } from "node:zlib";

export interface ZipDirectory {
	readonly names: readonly string[];
	/** The content of an entry as Latin-1; null if it does not exist, is longer than `bytesMax`, or cannot be decompressed. */
	readonly read: (name: string, bytesMax: number) => string | null;
}

interface Entry {
	readonly name: string;
	/** Offset of its local header. */
	readonly offset: number;
}

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const commentLengthMax = 0xffff;
/** The most entries that are read; further ones would not change the detected type. */
const entriesMax = 5_000;
/** Without the central directory, only this many bytes are searched: later headers may belong to a ZIP inside this one. */
const headBytes = 8_192;

const latin1 = new TextDecoder("latin1");

export function zipDirectory(bytes: Uint8Array): ZipDirectory {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const directoryEntries = readDirectoryEntries(bytes, view);
	const entries = directoryEntries.length > 0 ? directoryEntries : findLocalEntries(bytes, view);
	return {
		names: entries.map(({ name }) => name),
		read: (name, bytesMax) => {
			const entry = entries.find((candidate) => candidate.name === name);
			return entry === undefined ? null : contentOf(bytes, view, entry, bytesMax);
		},
	};
}

function readDirectoryEntries(bytes: Uint8Array, view: DataView): readonly Entry[] {
	const end = findEnd(view);
	if (end < 0) return [];
	// Bytes before the archive shift all offsets, and ZIP64 has a record after the directory, so both positions are tried.
	const starts = [view.getUint32(end + 16, true), end - view.getUint32(end + 12, true)];
	const start =
		starts.find((offset) => offset >= 0 && offset + 46 <= view.byteLength && view.getUint32(offset, true) === directorySignature) ?? view.byteLength;
	const entries: Entry[] = [];
	for (let offset = start; offset + 46 <= view.byteLength && entries.length < entriesMax && view.getUint32(offset, true) === directorySignature; ) {
		const length = view.getUint16(offset + 28, true);
		entries.push({ name: latin1.decode(bytes.subarray(offset + 46, offset + 46 + length)), offset: view.getUint32(offset + 42, true) });
		offset += 46 + length + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
	}
	return entries;
}

function findEnd(view: DataView): number {
	const last = view.byteLength - endLength;
	for (let offset = last; offset >= Math.max(0, last - commentLengthMax); offset--) if (view.getUint32(offset, true) === endSignature) return offset;
	return -1;
}

function findLocalEntries(bytes: Uint8Array, view: DataView): readonly Entry[] {
	const entries: Entry[] = [];
	for (let offset = 0; offset + 30 <= Math.min(headBytes, view.byteLength); offset++) {
		if (view.getUint32(offset, true) !== localSignature) continue;
		entries.push({ name: latin1.decode(bytes.subarray(offset + 30, offset + 30 + view.getUint16(offset + 26, true))), offset });
	}
	return entries;
}

function contentOf(bytes: Uint8Array, view: DataView, { offset }: Entry, bytesMax: number): string | null {
	if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== localSignature) return null;
	const method = view.getUint16(offset + 8, true);
	const length = view.getUint32(offset + 18, true);
	const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
	if (method === 0) return length > bytesMax ? null : latin1.decode(bytes.subarray(start, start + length));
	try {
		// Some writers store the length only after the data; decompression stops at the end of the data anyway.
		return method === 8 ? latin1.decode(inflateRawSync(bytes.subarray(start, start + bytesMax * 2), { maxOutputLength: bytesMax })) : null;
	} catch {
		return null;
	}
}
