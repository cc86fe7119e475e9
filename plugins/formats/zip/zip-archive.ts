/** Opens a ZIP held in memory and inflates the entries that are asked for, never more than a bound, whatever its headers claim. */

import { inflateRawSync, constants as zlib } from "node:zlib";
import { fail } from "cairn-memory";
import { listEntries, recoverEntries, type ZipEntry } from "./zip-entries.ts";

export interface ZipArchive {
	/** As written in the archive. Names only: nothing is ever written to a path. */
	readonly names: readonly string[];
	readonly has: (name: string) => boolean;
	/**
	 * The entry's bytes, null when there is none of that name.
	 * @throws FILE_BROKEN, FILE_ENCRYPTED, or OUTPUT_TOO_LARGE when this or all entries together inflate to too much.
	 */
	readonly read: (name: string) => Uint8Array | null;
	/** Names of truncated entries, which were read in part. */
	readonly cut: ReadonlySet<string>;
}

/** Limits of one entry and of all entries read; even a sheet of a million rows is far below. */
const entryBytesMax = 256 * 1024 * 1024;
const inflatedBytesMax = 512 * 1024 * 1024;

const stored = 0;
const deflated = 8;

/** @throws FILE_BROKEN when not even one entry can be found. */
export function openZip(bytes: Uint8Array): ZipArchive {
	const listed = listEntries(bytes);
	const entries = listed.length > 0 ? listed : recoverEntries(bytes);
	if (entries.length === 0) throw fail("FILE_BROKEN", "it is no ZIP archive, or nothing of it is left");
	const byName = new Map(entries.map((entry) => [keyOf(entry.name), entry]));
	const cut = new Set<string>();
	let left = inflatedBytesMax;
	return {
		names: entries.map(({ name }) => name),
		has: (name) => byName.has(keyOf(name)),
		cut,
		read(name) {
			const entry = byName.get(keyOf(name));
			if (entry === undefined) return null;
			const inflated = inflateEntry(bytes, entry, Math.min(left, entryBytesMax), () => cut.add(entry.name));
			left -= inflated.byteLength;
			return inflated;
		},
	};
}

/** Office programs take `Word\Document.xml` for `word/document.xml`. */
function keyOf(name: string): string {
	return name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();
}

/** @throws FILE_BROKEN, FILE_ENCRYPTED, or OUTPUT_TOO_LARGE when it inflates to more. */
export function inflateEntry(bytes: Uint8Array, entry: ZipEntry, bytesMax: number, noteCut: () => void): Uint8Array {
	if (entry.isEncrypted) throw fail("FILE_ENCRYPTED");
	const packed = bytes.subarray(entry.start, entry.end);
	if (entry.method === stored) {
		if (packed.byteLength > bytesMax) throw tooLarge();
		return packed;
	}
	if (entry.method !== deflated) throw fail("FILE_BROKEN", `${shown(entry)} is packed in a way that is not known`);
	try {
		return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytesMax) });
	} catch (thrown) {
		if (isTooLarge(thrown)) throw tooLarge();
	}
	try {
		// The rest of a truncated entry is missing.
		const part = inflateRawSync(packed, { maxOutputLength: Math.max(1, bytesMax), finishFlush: zlib.Z_SYNC_FLUSH });
		noteCut();
		return part;
	} catch (thrown) {
		if (isTooLarge(thrown)) throw tooLarge();
		throw fail("FILE_BROKEN", `${shown(entry)} cannot be unpacked`).because(thrown);
	}
}

function isTooLarge(thrown: unknown): boolean {
	return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
}

function tooLarge() {
	return fail("OUTPUT_TOO_LARGE", `${entryBytesMax / 2 ** 20} MB`);
}

function shown({ name }: ZipEntry): string {
	return name.replace(/\p{Cc}/gu, "").slice(0, 100);
}
