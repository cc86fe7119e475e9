/** Reads the files in a TAR: v7, ustar, and long names of pax and GNU. */

import { type ArchiveEntry, isFile } from "./archive-entry.ts";

const blockBytes = 512;
/** An archive may consist of headers only, so their number is limited. */
const entriesMax = 100_000;

const ascii = new TextDecoder("latin1");
const utf8 = new TextDecoder();

/** Whether the first header has a valid checksum. */
export function isTar(bytes: Uint8Array): boolean {
	return bytes.byteLength >= blockBytes && hasValidChecksum(bytes.subarray(0, blockBytes));
}

export interface TarFiles {
	readonly entries: readonly ArchiveEntry[];
	/** Whether a header is damaged, so that a file is missing. */
	readonly isTruncated: boolean;
}

export function tarEntries(bytes: Uint8Array): TarFiles {
	const entries: ArchiveEntry[] = [];
	let isTruncated = false;
	let longName: string | null = null;
	for (let offset = 0; offset + blockBytes <= bytes.byteLength && entries.length < entriesMax; ) {
		const header = bytes.subarray(offset, offset + blockBytes);
		if (!hasValidChecksum(header)) {
			// A block of zeros is the end of the archive. After a damaged header the next valid one is searched for.
			isTruncated ||= header.some((byte) => byte !== 0);
			offset += blockBytes;
			continue;
		}
		const size = sizeOf(header);
		const start = offset + blockBytes;
		const type = ascii.decode(header.subarray(156, 157));
		const body = bytes.subarray(start, Math.min(start + size, bytes.byteLength));
		offset = start + Math.ceil(size / blockBytes) * blockBytes;
		if (type === "L") longName = textUntilNull(body, utf8);
		if (type === "x") longName = paxPath(body) ?? longName;
		if (type === "L" || type === "x" || type === "g" || type === "K") continue;
		const path = longName ?? nameOf(header);
		longName = null;
		if (!"0\x007".includes(type) || !isFile(path)) continue;
		entries.push({ path, flaw: body.byteLength < size ? "broken" : null, open: () => body });
	}
	return { entries, isTruncated };
}

/** Verifies the checksum, which is computed with spaces in the checksum field itself. */
function hasValidChecksum(header: Uint8Array): boolean {
	const storedSum = Number.parseInt(textUntilNull(header.subarray(148, 156), ascii).trim(), 8);
	let sum = 8 * 0x20;
	for (let offset = 0; offset < blockBytes; offset++) if (offset < 148 || offset >= 156) sum += header[offset] ?? 0;
	return sum > 8 * 0x20 && sum === storedSum;
}

/** The size of a file: octal digits, or a binary number for large files. */
function sizeOf(header: Uint8Array): number {
	const field = header.subarray(124, 136);
	if ((field[0] ?? 0) < 0x80) return Number.parseInt(textUntilNull(field, ascii).trim(), 8) || 0;
	return field.subarray(1).reduce((size, byte) => size * 256 + byte, 0);
}

function nameOf(header: Uint8Array): string {
	const name = textUntilNull(header.subarray(0, 100), utf8);
	const isUstar = ascii.decode(header.subarray(257, 262)) === "ustar";
	const prefix = isUstar ? textUntilNull(header.subarray(345, 500), utf8) : "";
	return prefix === "" ? name : `${prefix}/${name}`;
}

/** The path in a pax header, whose lines begin with their length in bytes: `23 path=notes/a.txt`. */
function paxPath(body: Uint8Array): string | null {
	let found: string | null = null;
	for (let offset = 0; offset < body.byteLength; ) {
		const space = body.indexOf(0x20, offset);
		const length = Number.parseInt(ascii.decode(body.subarray(offset, Math.max(offset, space))), 10);
		if (space < 0 || !(length > 0)) break;
		const [, path] = /^path=(.*)\n?$/s.exec(utf8.decode(body.subarray(space + 1, offset + length))) ?? [];
		found = path ?? found;
		offset += length;
	}
	return found;
}

function textUntilNull(field: Uint8Array, decoder: TextDecoder): string {
	const end = field.indexOf(0);
	return decoder.decode(end < 0 ? field : field.subarray(0, end));
}
