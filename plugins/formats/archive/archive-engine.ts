/** Extracts the files of an archive, some with each call; the last call returns the list of contents. Runs in the sandbox. */

import { type Attachment, type Engine, fail, limits, ServiceError } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { type ArchiveEntry, type Flaw, flawWords } from "./archive-entry.ts";
import { bunzip, gunzip, nameInBzip, nameInGzip } from "./decompress.ts";
import { isTar, tarEntries } from "./tar-entries.ts";
import { zipEntries } from "./zip-entries.ts";

export interface ArchiveInput {
	readonly bytes: Uint8Array;
	readonly format: "zip" | "tar" | "gzip" | "bzip2" | "7z" | "rar";
	readonly fileName: string | null;
	readonly state: ArchiveState;
}

/** The position in the archive, passed from call to call. */
export interface ArchiveState {
	/** Index of the next entry. */
	readonly nextEntry: number;
	readonly extractedCount: number;
	/** Bytes extracted so far. */
	readonly bytes: number;
	/** Files that were left out, with the reason. */
	readonly omitted: readonly { readonly flaw: Flaw; readonly path: string }[];
}

export interface ArchivePart {
	readonly attachments: readonly Attachment[];
	readonly state: ArchiveState;
	readonly total: number;
	/** The list of contents; null except with the last part. */
	readonly reading: SandboxResult | null;
}

interface OpenedArchive {
	readonly entries: readonly ArchiveEntry[];
	readonly isTruncated: boolean;
	/** Whether the rest is missing because it is a solid RAR from before RAR5. */
	readonly isSolid?: boolean;
}

/** The bytes returned by one call, which may be exceeded by one file. */
const partBytesMax = 32 * 1024 * 1024;
const partAttachmentsMax = 200;
const solidWords = "the archive is a solid RAR from before RAR5, of which only the first file can be unpacked";
/** How many names are listed in the extraction. */
const namesMax = 10_000;

const engine: Engine<ArchiveInput, ArchivePart> = async ({ bytes, format, fileName, state }) => {
	const opened = await entriesOf(bytes, format, fileName, state.nextEntry);
	const { entries } = opened;
	const attachments: Attachment[] = [];
	const omitted = [...state.omitted];
	let { nextEntry, extractedCount, bytes: totalBytes } = state;
	let partBytes = 0;
	for (; nextEntry < entries.length && partBytes < partBytesMax && attachments.length < partAttachmentsMax; nextEntry++) {
		const entry = entries[nextEntry] as ArchiveEntry;
		const content = extractedCount < limits.attachmentsMax ? readEntry(entry, Math.min(limits.fileBytesMax, limits.attachmentBytesMax - totalBytes)) : "many";
		if (typeof content === "string") {
			omitted.push({ flaw: content, path: entry.path.slice(0, 200) });
			continue;
		}
		if (content.byteLength === 0) continue;
		// The bytes are copied, since a view would send the whole archive to the server process.
		attachments.push({ path: entry.path, bytes: content.slice(), claimedMediaType: null });
		partBytes += content.byteLength;
		totalBytes += content.byteLength;
		extractedCount++;
	}
	const newState = { nextEntry, extractedCount, bytes: totalBytes, omitted };
	return {
		attachments,
		state: newState,
		total: entries.length,
		reading: nextEntry < entries.length ? null : createListing(opened, newState, fileName),
	};
};
export default engine;

async function entriesOf(bytes: Uint8Array, format: ArchiveInput["format"], fileName: string | null, from: number): Promise<OpenedArchive> {
	if (format === "zip") return { entries: zipEntries(bytes), isTruncated: false };
	if (format === "tar") return tarEntries(bytes);
	// Only loaded for these, because it takes a twentieth of a second.
	if (format === "7z" || format === "rar") return (await import("./streamed-entries.ts")).streamedEntries(bytes, from, partBytesMax);
	const decompressed = format === "bzip2" ? bunzip(bytes, limits.attachmentBytesMax) : await gunzip(bytes, limits.attachmentBytesMax);
	if (isTar(decompressed.bytes)) {
		const { entries, isTruncated } = tarEntries(decompressed.bytes);
		return { entries, isTruncated: isTruncated || decompressed.isCut };
	}
	const flaw = decompressed.isCut && decompressed.bytes.byteLength === limits.attachmentBytesMax ? "large" : null;
	const path = format === "bzip2" ? nameInBzip(fileName) : nameInGzip(bytes, fileName);
	return { entries: [{ path, flaw, open: () => decompressed.bytes }], isTruncated: decompressed.isCut };
}

function readEntry(entry: ArchiveEntry, bytesMax: number): Uint8Array | Flaw {
	if (entry.flaw !== null) return entry.flaw;
	try {
		const bytes = entry.open(bytesMax);
		return bytes.byteLength > bytesMax ? "large" : bytes;
	} catch (thrown) {
		if (!(thrown instanceof ServiceError)) throw thrown;
		return thrown.code === "OUTPUT_TOO_LARGE" ? "large" : "broken";
	}
}

function createListing(
	{ entries, isTruncated, isSolid = false }: OpenedArchive,
	{ extractedCount, omitted }: ArchiveState,
	fileName: string | null,
): SandboxResult {
	if (extractedCount === 0) throw isSolid ? fail("ARCHIVE_UNREADABLE", solidWords) : nothingExtractedError(omitted, isTruncated);
	const outline = createOutline();
	for (const { path } of entries.slice(0, namesMax)) outline.item(0, path.replace(/\p{Cc}+/gu, " "));
	return {
		extraction: completeExtraction({ blocks: outline.blocks, titles: [fileName], type: "text" }),
		warnings: [
			...[...Map.groupBy(omitted, ({ flaw }) => flaw)].map(([flaw, group]) => ({
				code: "MEMBERS_UNREAD",
				message: `${group.length} of ${entries.length} files were left out, ${flawWords[flaw]}: ${namesOf(group)}`.slice(0, 1_000),
			})),
			...(isSolid ? [{ code: "ARCHIVE_SOLID", message: `only its beginning was read: ${solidWords}` }] : []),
			...(isTruncated && !isSolid ? [{ code: "ARCHIVE_CUT", message: "the archive is damaged or too large, so only its beginning was read" }] : []),
		],
	};
}

function namesOf(group: ArchiveState["omitted"]): string {
	const names = group.slice(0, 10).map(({ path }) => path);
	return `${names.join(", ")}${group.length > names.length ? ", …" : ""}`;
}

/** The error for an archive from which no file can be extracted. */
function nothingExtractedError(omitted: ArchiveState["omitted"], isTruncated: boolean): ServiceError {
	const [first] = omitted;
	if (first === undefined) return isTruncated ? fail("FILE_BROKEN", "none of its files can be read") : fail("CONTENT_EMPTY");
	if (omitted.every(({ flaw }) => flaw === "encrypted")) return fail("FILE_ENCRYPTED");
	if (omitted.every(({ flaw }) => flaw === "broken")) return fail("FILE_BROKEN", "none of the files in it can be unpacked");
	return fail("ARCHIVE_UNREADABLE", [...new Set(omitted.map(({ flaw }) => flawWords[flaw]))].join("; "));
}
