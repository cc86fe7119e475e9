/**
 * libarchive in WebAssembly, as far as it is needed here. The functions are called directly: the JavaScript of `archive-wasm` takes fields of
 * an entry for error numbers, and so refuses many sound archives.
 */

import { wasm } from "archive-wasm/src/wasm/libarchive.mjs";

/** An archive that is read from its beginning to its end. */
export interface ArchiveReader extends Disposable {
	/**
	 * The next entry; null at the end.
	 * @throws LibarchiveError
	 */
	readonly next: () => ReadEntry | null;
}

export interface ReadEntry {
	/** Empty if it has no name. */
	readonly path: string;
	/** Whether it is a file with bytes of its own: no folder and no link. */
	readonly isPlainFile: boolean;
	readonly isEncrypted: boolean;
	/** As it is declared: no more bytes are read. */
	readonly size: number;
	/**
	 * Only possible until the next entry is read.
	 * @throws LibarchiveError
	 */
	readonly read: () => Uint8Array;
}

export class LibarchiveError extends Error {}

const fileTypeBits = 0o170000;
const regularFile = 0o100000;

const malloc = wasm.cwrap("malloc", "number", ["number"]);
const free = wasm.cwrap("free", null, ["number"]);
const openArchive = wasm.cwrap("open_archive", "number", ["number", "number", "string", "boolean"]);
const closeArchive = wasm.cwrap("archive_read_free", "number", ["number"]);
const nextEntry = wasm.cwrap("get_next_entry", "number", ["number"]);
const fileData = wasm.cwrap("get_filedata", "number", ["number", "number"]);
const errorNumber = wasm.cwrap("archive_errno", "number", ["number"]);
const errorText = wasm.cwrap("archive_error_string", "string", ["number"]);
const clearError = wasm.cwrap("archive_clear_error", null, ["number"]);
const entrySize = wasm.cwrap("archive_entry_size", "number", ["number"]);
const entryMode = wasm.cwrap("archive_entry_mode", "number", ["number"]);
const pathUtf8 = wasm.cwrap("archive_entry_pathname_utf8", "string", ["number"]);
const pathAsStored = wasm.cwrap("archive_entry_pathname", "string", ["number"]);
const hardLink = wasm.cwrap("archive_entry_hardlink", "number", ["number"]);

/** @throws LibarchiveError */
export function openReader(bytes: Uint8Array): ArchiveReader {
	const copy = checked(malloc(bytes.byteLength));
	wasm.HEAP8.set(bytes, copy);
	const archive = Number(openArchive(copy, bytes.byteLength, "", false));
	const close = () => {
		if (archive !== 0) closeArchive(archive);
		free(copy);
	};
	try {
		throwError(checked(archive));
	} catch (thrown) {
		close();
		throw thrown;
	}
	return {
		next: () => {
			const entry = Number(nextEntry(archive));
			if (entry !== 0) return readEntry(archive, entry, warningOf(archive));
			throwError(archive);
			return null;
		},
		[Symbol.dispose]: close,
	};
}

function readEntry(archive: number, entry: number, warning: string): ReadEntry {
	const size = Number(entrySize(entry));
	return {
		path: pathUtf8(entry) || pathAsStored(entry) || "",
		isPlainFile: (Number(entryMode(entry)) & fileTypeBits) === regularFile && Number(hardLink(entry)) === 0,
		isEncrypted: isAboutPassword(warning),
		size,
		read: () => (size === 0 ? new Uint8Array() : dataOf(archive, size)),
	};
}

function dataOf(archive: number, size: number): Uint8Array {
	const data = Number(fileData(archive, size));
	try {
		// Where all went well, the text of the error is the number of bytes that were read.
		const length = Number(errorText(archive));
		throwError(archive);
		// Of a file that goes on in another volume nothing is read.
		if (length !== size) throw new LibarchiveError(`${size} bytes are declared, and ${length} are there`);
		return new Uint8Array(wasm.HEAP8.buffer.slice(checked(data), data + length));
	} finally {
		clearError(archive);
		free(data);
	}
}

/** What comes with an entry is no error, such as that its name is in an unknown encoding. */
function warningOf(archive: number): string {
	const warning = errorText(archive) || "";
	clearError(archive);
	return warning;
}

/** libarchive has no number for it. */
export function isAboutPassword(message: string): boolean {
	return /encrypt|passphrase/i.test(message);
}

/** libarchive does not decompress a RAR from before RAR5 in which a file goes on with what those before it have. */
export function isAboutSolidRar(message: string): boolean {
	return /RAR solid archive/i.test(message);
}

function throwError(archive: number): void {
	if (Number(errorNumber(archive)) === 0) return;
	const message = errorText(archive);
	clearError(archive);
	throw new LibarchiveError(message || "the archive cannot be read");
}

function checked(pointer: number | bigint): number {
	if (Number(pointer) === 0) throw new LibarchiveError("there is no memory for it");
	return Number(pointer);
}
