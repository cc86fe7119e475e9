/** The files in a ZIP. Files with the same name are all read. */

import { fail } from "cairn-memory";
import { inflateEntry } from "../zip/zip-archive.ts";
import { listEntries, recoverEntries, type ZipEntry } from "../zip/zip-entries.ts";
import { type ArchiveEntry, type Flaw, isFile } from "./archive-entry.ts";

/** Compression ratio above which a large file is a decompression bomb; small harmless files may exceed it. */
const honestRatio = 200;
const smallBytes = 16 * 1024 * 1024;

/** @throws FILE_BROKEN when no entry can be found. */
export function zipEntries(bytes: Uint8Array): readonly ArchiveEntry[] {
	const listed = listEntries(bytes);
	const entries = listed.length > 0 ? listed : recoverEntries(bytes);
	if (entries.length === 0) throw fail("FILE_BROKEN", "it is no ZIP archive, or nothing of it is left");
	const overlapping = overlappingOf(entries);
	const flawOf = (entry: ZipEntry): Flaw | null => {
		if (overlapping.has(entry)) return "overlapping";
		return entry.isEncrypted ? "encrypted" : null;
	};
	return entries
		.filter(({ name, isLink }) => isFile(name) && !isLink)
		.map((entry) => ({
			path: entry.name,
			flaw: flawOf(entry),
			open: (bytesMax) => inflate(bytes, entry, Math.min(bytesMax, Math.max(smallBytes, (entry.end - entry.start) * honestRatio))),
		}));
}

/** A truncated file is read in part. */
function inflate(bytes: Uint8Array, entry: ZipEntry, bytesMax: number): Uint8Array {
	let isCut = false;
	const inflated = inflateEntry(bytes, entry, bytesMax, () => {
		isCut = true;
	});
	if (isCut && inflated.byteLength === 0) throw fail("FILE_BROKEN", "it is cut off where it begins");
	return inflated;
}

/** Entries whose data begins inside of another's. */
function overlappingOf(entries: readonly ZipEntry[]): ReadonlySet<ZipEntry> {
	const found = new Set<ZipEntry>();
	let end = 0;
	for (const entry of entries.toSorted((a, b) => a.start - b.start)) {
		if (entry.start < end) found.add(entry);
		end = Math.max(end, entry.end);
	}
	return found;
}
