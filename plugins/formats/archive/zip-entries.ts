/** Reads the files in a ZIP. If several have the same name, all of them are read. */

import { fail } from "cairn-memory";
import { inflateEntry } from "../zip/zip-archive.ts";
import { listEntries, recoverEntries, type ZipEntry } from "../zip/zip-entries.ts";
import { type ArchiveEntry, decompressedBytesMax, type Flaw, isFile } from "./archive-entry.ts";

/** @throws FILE_BROKEN if no entry can be found. */
export function zipEntries(bytes: Uint8Array): readonly ArchiveEntry[] {
	const listedEntries = listEntries(bytes);
	const entries = listedEntries.length > 0 ? listedEntries : recoverEntries(bytes);
	if (entries.length === 0) throw fail("FILE_BROKEN", "it is not a ZIP archive, or none of its entries is left");
	const overlapping = findOverlapping(entries);
	const flawOf = (entry: ZipEntry): Flaw | null => {
		if (overlapping.has(entry)) return "overlapping";
		return entry.isEncrypted ? "encrypted" : null;
	};
	return entries
		.filter(({ name, isLink }) => isFile(name) && !isLink)
		.map((entry) => ({
			path: entry.name,
			flaw: flawOf(entry),
			open: (bytesMax) => inflate(bytes, entry, Math.min(bytesMax, decompressedBytesMax(entry.end - entry.start))),
		}));
}

/** Decompresses a file; a truncated file as far as it goes. */
function inflate(bytes: Uint8Array, entry: ZipEntry, bytesMax: number): Uint8Array {
	let isTruncated = false;
	const inflated = inflateEntry(bytes, entry, bytesMax, () => {
		isTruncated = true;
	});
	if (isTruncated && inflated.byteLength === 0) throw fail("FILE_BROKEN", "none of its bytes are left");
	return inflated;
}

/** Entries whose data begins inside that of another entry. */
function findOverlapping(entries: readonly ZipEntry[]): ReadonlySet<ZipEntry> {
	const found = new Set<ZipEntry>();
	let end = 0;
	for (const entry of entries.toSorted((a, b) => a.start - b.start)) {
		if (entry.start < end) found.add(entry);
		end = Math.max(end, entry.end);
	}
	return found;
}
