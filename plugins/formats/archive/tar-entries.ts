/** The files in a TAR: v7, ustar, and long names of pax and GNU. */

import { type ArchiveEntry, isFile } from "./archive-entry.ts";

const blockBytes = 512;
/** An archive may consist of headers only, so their number is limited. */
const entriesMax = 100_000;

const ascii = new TextDecoder("latin1");
const utf8 = new TextDecoder();

/** Whether the checksum of the first header is right. */
export function isTar(bytes: Uint8Array): boolean {
	return bytes.byteLength >= blockBytes && addsUp(bytes.subarray(0, blockBytes));
}

export interface TarFiles {
	readonly entries: readonly ArchiveEntry[];
	/** A header is damaged, so a file is missing. */
	readonly isCut: boolean;
}

export function tarEntries(bytes: Uint8Array): TarFiles {
	const entries: ArchiveEntry[] = [];
	let isCut = false;
	let longName: string | null = null;
	for (let at = 0; at + blockBytes <= bytes.byteLength && entries.length < entriesMax; ) {
		const header = bytes.subarray(at, at + blockBytes);
		if (!addsUp(header)) {
			// A block of zeros is the end; after a damaged header the next valid one is searched.
			isCut ||= header.some((byte) => byte !== 0);
			at += blockBytes;
			continue;
		}
		const size = sizeOf(header);
		const start = at + blockBytes;
		const kind = ascii.decode(header.subarray(156, 157));
		const body = bytes.subarray(start, Math.min(start + size, bytes.byteLength));
		at = start + Math.ceil(size / blockBytes) * blockBytes;
		if (kind === "L") longName = untilNul(body, utf8);
		if (kind === "x") longName = paxPath(body) ?? longName;
		if (kind === "L" || kind === "x" || kind === "g" || kind === "K") continue;
		const path = longName ?? nameOf(header);
		longName = null;
		if (!"0\x007".includes(kind) || !isFile(path)) continue;
		entries.push({ path, flaw: body.byteLength < size ? "broken" : null, open: () => body });
	}
	return { entries, isCut };
}

/** Verifies the checksum, which is computed with blanks in its own field. */
function addsUp(header: Uint8Array): boolean {
	const written = Number.parseInt(untilNul(header.subarray(148, 156), ascii).trim(), 8);
	let sum = 8 * 0x20;
	for (let at = 0; at < blockBytes; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0;
	return sum > 8 * 0x20 && sum === written;
}

/** Octal digits, or a binary number for large files. */
function sizeOf(header: Uint8Array): number {
	const field = header.subarray(124, 136);
	if ((field[0] ?? 0) < 0x80) return Number.parseInt(untilNul(field, ascii).trim(), 8) || 0;
	return field.subarray(1).reduce((size, byte) => size * 256 + byte, 0);
}

function nameOf(header: Uint8Array): string {
	const name = untilNul(header.subarray(0, 100), utf8);
	const isUstar = ascii.decode(header.subarray(257, 262)) === "ustar";
	const before = isUstar ? untilNul(header.subarray(345, 500), utf8) : "";
	return before === "" ? name : `${before}/${name}`;
}

/** Lines such as `23 path=notes/a.txt`, the length in bytes first. */
function paxPath(body: Uint8Array): string | null {
	let found: string | null = null;
	for (let at = 0; at < body.byteLength; ) {
		const blank = body.indexOf(0x20, at);
		const length = Number.parseInt(ascii.decode(body.subarray(at, Math.max(at, blank))), 10);
		if (blank < 0 || !(length > 0)) break;
		const [, path] = /^path=(.*)\n?$/s.exec(utf8.decode(body.subarray(blank + 1, at + length))) ?? [];
		found = path ?? found;
		at += length;
	}
	return found;
}

function untilNul(field: Uint8Array, decoder: TextDecoder): string {
	const end = field.indexOf(0);
	return decoder.decode(end < 0 ? field : field.subarray(0, end));
}
