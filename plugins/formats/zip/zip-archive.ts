/** Opens a ZIP in memory and inflates entries on request, up to a size limit that does not depend on what its headers declare. */

import { inflateRawSync, constants as zlib } from "node:zlib";
import { fail } from "cairn-memory";
import { listEntries, recoverEntries, type ZipEntry } from "./zip-entries.ts";

export interface ZipArchive {
	/** The names as stored in the archive. They are only names: nothing is ever written to a path. */
	readonly names: readonly string[];
	readonly has: (name: string) => boolean;
	/**
	 * The entry's bytes; null if there is no entry of that name.
	 * @throws FILE_BROKEN, FILE_ENCRYPTED, or OUTPUT_TOO_LARGE when this or all entries together inflate to too much.
	 */
	readonly read: (name: string) => Uint8Array | null;
	/** Names of truncated entries that were read in part. */
	readonly truncated: ReadonlySet<string>;
}

/** The inflated size of one entry, and of all entries read. Even a sheet of a million rows is far smaller. */
const entryBytesMax = 256 * 1024 * 1024;
const inflatedBytesMax = 512 * 1024 * 1024;

const storedMethod = 0;
const deflatedMethod = 8;

/** @throws FILE_BROKEN when not even one entry can be found. */
export function openZip(bytes: Uint8Array): ZipArchive {
	const listedEntries = listEntries(bytes);
	const entries = listedEntries.length > 0 ? listedEntries : recoverEntries(bytes);
	if (entries.length === 0) throw fail("FILE_BROKEN", "it is not a ZIP archive, or none of its entries is left");
	const byName = new Map(entries.map((entry) => [keyOf(entry.name), entry]));
	const truncated = new Set<string>();
	let bytesLeft = inflatedBytesMax;
	return {
		names: entries.map(({ name }) => name),
		has: (name) => byName.has(keyOf(name)),
		truncated,
		read(name) {
			const entry = byName.get(keyOf(name));
			if (entry === undefined) return null;
			const inflated = inflateEntry(bytes, entry, Math.min(bytesLeft, entryBytesMax), () => truncated.add(entry.name));
			bytesLeft -= inflated.byteLength;
			return inflated;
		},
	};
}

/** Normalises a name, since Office programs treat `Word\Document.xml` as `word/document.xml`. */
function keyOf(name: string): string {
	return name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();
}

/** @throws FILE_BROKEN, FILE_ENCRYPTED, or OUTPUT_TOO_LARGE when it inflates to more. */
export function inflateEntry(bytes: Uint8Array, entry: ZipEntry, bytesMax: number, onTruncated: () => void): Uint8Array {
	if (entry.isEncrypted) throw fail("FILE_ENCRYPTED");
	const compressed = bytes.subarray(entry.start, entry.end);
	if (entry.method === storedMethod) {
		if (compressed.byteLength > bytesMax) throw tooLarge();
		return compressed;
	}
	if (entry.method !== deflatedMethod) throw fail("FILE_BROKEN", `${printableName(entry)} uses an unsupported compression method`);
	try {
		return inflateRawSync(compressed, { maxOutputLength: Math.max(1, bytesMax) });
	} catch (thrown) {
		if (isTooLarge(thrown)) throw tooLarge();
	}
	try {
		// Inflates what is there of a truncated entry.
		const partial = inflateRawSync(compressed, { maxOutputLength: Math.max(1, bytesMax), finishFlush: zlib.Z_SYNC_FLUSH });
		onTruncated();
		return partial;
	} catch (thrown) {
		if (isTooLarge(thrown)) throw tooLarge();
		throw fail("FILE_BROKEN", `${printableName(entry)} cannot be decompressed`).because(thrown);
	}
}

function isTooLarge(thrown: unknown): boolean {
	return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
}

function tooLarge() {
	return fail("OUTPUT_TOO_LARGE", `${entryBytesMax / 2 ** 20} MB`);
}

function printableName({ name }: ZipEntry): string {
	return name.replace(/\p{Cc}/gu, "").slice(0, 100);
}
