/** Extracts the files of an archive, some with each call; the last call returns the list of contents. Runs in the sandbox. */

import { type Attachment, completeExtraction, type Engine, fail, limits, ServiceError } from "cairn-memory";
import type { SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { type ArchiveEntry, type Flaw, flawWords } from "./archive-entry.ts";
import { gunzip, nameInGzip } from "./gunzip.ts";
import { isTar, tarEntries } from "./tar-entries.ts";
import { zipEntries } from "./zip-entries.ts";

export interface ArchiveInput {
	readonly bytes: Uint8Array;
	readonly form: "zip" | "tar" | "gzip";
	readonly fileName: string | null;
	readonly state: ArchiveState;
}

/** The position between two calls. */
export interface ArchiveState {
	/** Index of the next entry. */
	readonly next: number;
	readonly taken: number;
	/** Bytes extracted so far. */
	readonly bytes: number;
	/** Files left out, with the reason. */
	readonly left: readonly { readonly flaw: Flaw; readonly path: string }[];
}

export interface ArchivePart {
	readonly attachments: readonly Attachment[];
	readonly state: ArchiveState;
	readonly total: number;
	/** Returned with the last part. */
	readonly reading: SandboxResult | null;
}

interface Opened {
	readonly entries: readonly ArchiveEntry[];
	readonly isCut: boolean;
}

/** Bytes of a part; it may exceed this by one file. */
const partBytesMax = 32 * 1024 * 1024;
const partAttachmentsMax = 200;
/** How many names are listed in the text. */
const namesMax = 10_000;

const engine: Engine<ArchiveInput, ArchivePart> = async ({ bytes, form, fileName, state }) => {
	const { entries, isCut } = await entriesOf(bytes, form, fileName);
	const attachments: Attachment[] = [];
	const left = [...state.left];
	let { next, taken, bytes: sum } = state;
	let partBytes = 0;
	for (; next < entries.length && partBytes < partBytesMax && attachments.length < partAttachmentsMax; next++) {
		const entry = entries[next] as ArchiveEntry;
		const opened = taken < limits.attachmentsMax ? open(entry, Math.min(limits.fileBytesMax, limits.attachmentBytesMax - sum)) : "many";
		if (typeof opened === "string") {
			left.push({ flaw: opened, path: entry.path.slice(0, 200) });
			continue;
		}
		if (opened.byteLength === 0) continue;
		// A copy: a view would send the whole archive over the pipe.
		attachments.push({ path: entry.path, bytes: opened.slice(), claimedMediaType: null });
		partBytes += opened.byteLength;
		sum += opened.byteLength;
		taken++;
	}
	const reached = { next, taken, bytes: sum, left };
	return { attachments, state: reached, total: entries.length, reading: next < entries.length ? null : tell(entries, reached, isCut, fileName) };
};
export default engine;

async function entriesOf(bytes: Uint8Array, form: ArchiveInput["form"], fileName: string | null): Promise<Opened> {
	if (form === "zip") return { entries: zipEntries(bytes), isCut: false };
	if (form === "tar") return tarEntries(bytes);
	const unpacked = await gunzip(bytes, limits.attachmentBytesMax);
	if (isTar(unpacked.bytes)) {
		const { entries, isCut } = tarEntries(unpacked.bytes);
		return { entries, isCut: isCut || unpacked.isCut };
	}
	const flaw = unpacked.isCut && unpacked.bytes.byteLength === limits.attachmentBytesMax ? "large" : null;
	return { entries: [{ path: nameInGzip(bytes, fileName), flaw, open: () => unpacked.bytes }], isCut: unpacked.isCut };
}

function open(entry: ArchiveEntry, bytesMax: number): Uint8Array | Flaw {
	if (entry.flaw !== null) return entry.flaw;
	try {
		const bytes = entry.open(bytesMax);
		return bytes.byteLength > bytesMax ? "large" : bytes;
	} catch (thrown) {
		if (!(thrown instanceof ServiceError)) throw thrown;
		return thrown.code === "OUTPUT_TOO_LARGE" ? "large" : "broken";
	}
}

function tell(entries: readonly ArchiveEntry[], { taken, left }: ArchiveState, isCut: boolean, fileName: string | null): SandboxResult {
	if (taken === 0) throw nothingTaken(left, isCut);
	const outline = createOutline();
	for (const { path } of entries.slice(0, namesMax)) outline.item(0, path.replace(/\p{Cc}+/gu, " "));
	return {
		extraction: completeExtraction({ blocks: outline.blocks, titles: [fileName], type: "text" }),
		warnings: [
			...[...Map.groupBy(left, ({ flaw }) => flaw)].map(([flaw, group]) => ({
				code: "MEMBERS_UNREAD",
				message: `${group.length} of ${entries.length} files were left out, ${flawWords[flaw]}: ${namesOf(group)}`.slice(0, 1_000),
			})),
			...(isCut ? [{ code: "ARCHIVE_CUT", message: "the archive is damaged or too large: what comes after its beginning is missing" }] : []),
		],
	};
}

function namesOf(group: ArchiveState["left"]): string {
	const names = group.slice(0, 10).map(({ path }) => path);
	return `${names.join(", ")}${group.length > names.length ? ", …" : ""}`;
}

/** The error for an archive from which no file can be extracted. */
function nothingTaken(left: ArchiveState["left"], isCut: boolean): ServiceError {
	const [first] = left;
	if (first === undefined) return isCut ? fail("FILE_BROKEN", "nothing of it is left") : fail("CONTENT_EMPTY");
	if (left.every(({ flaw }) => flaw === "encrypted")) return fail("FILE_ENCRYPTED");
	if (left.every(({ flaw }) => flaw === "broken")) return fail("FILE_BROKEN", "none of the files in it can be unpacked");
	return fail("ARCHIVE_UNREADABLE", [...new Set(left.map(({ flaw }) => flawWords[flaw]))].join("; "));
}
