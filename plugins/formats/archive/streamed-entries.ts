/**
 * Reads the files in 7z and RAR. There one file follows the other, and often all are compressed as one, so a file is only reached by
 * decompressing those before it: each call goes through the archive once and keeps the files that it hands over.
 */

import { fail, limits } from "cairn-memory";
import { type ArchiveEntry, decompressedBytesMax, type Flaw, isFile } from "./archive-entry.ts";
import { isAboutPassword, isAboutSolidRar, LibarchiveError, openReader, type ReadEntry } from "./libarchive.ts";

export interface StreamedFiles {
	readonly entries: readonly ArchiveEntry[];
	/** Whether files are missing at the end, because of damage or a limit. */
	readonly isTruncated: boolean;
	/** Whether they are missing because it is a solid RAR from before RAR5. */
	readonly isSolid: boolean;
}

/** An archive may consist of names only, so their number is limited. */
const entriesMax = 100_000;
/**
 * What is left out may have to be decompressed as well, to reach what comes after it, so there is an end. It lies far behind what can be taken
 * out, so that one file that is too large does not hide all behind it.
 */
const passedBytesMax = 4 * limits.attachmentBytesMax;

/**
 * @param from index of the first file whose bytes are kept
 * @param keptBytesMax files are kept until so many bytes are reached; those after them cannot be opened
 * @throws FILE_BROKEN or FILE_ENCRYPTED if not even a name can be read
 */
export function streamedEntries(bytes: Uint8Array, from: number, keptBytesMax: number): StreamedFiles {
	const entries: ArchiveEntry[] = [];
	let keptBytes = 0;
	let passedBytes = 0;
	try {
		using reader = openReader(bytes);
		for (let entry = reader.next(); entry !== null; entry = reader.next()) {
			passedBytes += entry.size;
			if (entry.isPlainFile && isFile(entry.path)) {
				const isKept = entries.length >= from && keptBytes < keptBytesMax;
				const content = isKept ? contentOf(entry, bytes.byteLength) : new Uint8Array();
				if (typeof content !== "string") keptBytes += content.byteLength;
				entries.push(typeof content === "string" ? { path: entry.path, flaw: content, open: nothing } : { path: entry.path, flaw: null, open: () => content });
			}
			if (passedBytes > passedBytesMax || entries.length === entriesMax) return { entries, isTruncated: true, isSolid: false };
		}
		return { entries, isTruncated: false, isSolid: false };
	} catch (thrown) {
		if (!(thrown instanceof LibarchiveError)) throw thrown;
		const isSolid = isAboutSolidRar(thrown.message);
		if (entries.length > 0 || isSolid) return { entries, isTruncated: true, isSolid };
		throw isAboutPassword(thrown.message) ? fail("FILE_ENCRYPTED") : fail("FILE_BROKEN", "it cannot be decompressed").because(thrown);
	}
}

const nothing = () => new Uint8Array();

function contentOf(entry: ReadEntry, archiveBytes: number): Uint8Array | Flaw {
	if (entry.isEncrypted) return "encrypted";
	if (entry.size > Math.min(limits.fileBytesMax, decompressedBytesMax(archiveBytes))) return "large";
	try {
		return entry.read();
	} catch (thrown) {
		if (!(thrown instanceof LibarchiveError)) throw thrown;
		return isAboutPassword(thrown.message) ? "encrypted" : "broken";
	}
}
