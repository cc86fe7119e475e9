/** Searches every file below a folder, of any format, and the names of the files for traces; and everything that is stored elsewhere. */

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Storage, StoredTable } from "../../core/ports/storage.ts";
import type { Needle } from "./byte-table.ts";
import { overlapBytes, type Traces } from "./traces.ts";

export interface Searched {
	/** The path of a file relative to the folder, or the name of a table or blob. */
	readonly name: string;
	readonly bytes: number;
	/** The number of matches. */
	readonly matches: number;
	/** The byte offset and the kind of the first match; null if there is none. */
	readonly firstMatch: { readonly at: number; readonly kind: Needle["kind"] | "name" } | null;
	/** The given texts that were found. */
	readonly texts: readonly string[];
}

/** @param skippedFolders top-level folders that are skipped because they contain no user data */
export async function* searchFolder(folder: string, traces: Traces, skippedFolders: readonly string[]): AsyncGenerator<Searched> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	for (const path of paths.toSorted()) {
		const name = relative(folder, path);
		if (skippedFolders.some((folderName) => name.startsWith(`${folderName}/`))) continue;
		yield searchFile(path, name, traces);
	}
}

async function searchFile(path: string, name: string, traces: Traces): Promise<Searched> {
	return { ...(await searchPieces(name, overlapping(piecesOf(path)), traces)), bytes: (await stat(path)).size };
}

export async function* searchTables(tables: AsyncIterable<StoredTable>, traces: Traces): AsyncGenerator<Searched> {
	for await (const { name, values } of tables) yield searchPieces(`table ${name}`, consecutive(values), traces);
}

/** Searches all tables of a database, and everything that is where the blobs are. */
export async function* searchOutside({ outside, readBlobs, listBlobs, organisation }: Storage, traces: Traces): AsyncGenerator<Searched> {
	if (outside !== undefined) yield* searchTables(outside.read(), traces);
	if (readBlobs !== undefined) for await (const { name, pieces } of readBlobs()) yield searchPieces(`blob ${name}`, overlapping(pieces), traces);
	else
		for await (const { organisation: owner, key } of listBlobs()) {
			const bytes = await organisation(owner).blobs.get(key);
			if (bytes !== null) yield searchPieces(`blob ${key}`, overlapping([bytes]), traces);
		}
}

interface Piece {
	readonly bytes: Uint8Array;
	readonly at: number;
}

async function searchPieces(name: string, pieces: AsyncIterable<Piece>, traces: Traces): Promise<Searched> {
	let [bytesRead, matches] = [0, 0];
	let firstMatch: Searched["firstMatch"] = null;
	const texts = new Set<string>();
	const count = ({ labels }: Needle, match: NonNullable<Searched["firstMatch"]>) => {
		matches += 1;
		firstMatch ??= match;
		for (const label of labels) texts.add(label);
	};
	traces.find(new TextEncoder().encode(name), (needle) => count(needle, { at: 0, kind: "name" }));
	for await (const { bytes, at } of pieces) {
		bytesRead = at + bytes.length;
		traces.find(bytes, (needle, offset) => count(needle, { at: at + offset, kind: needle.kind }));
	}
	return { name, bytes: bytesRead, matches, firstMatch, texts: [...texts] };
}

/** Values that do not overlap: no needle goes from one to the next. */
async function* consecutive(values: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
	let at = 0;
	for await (const bytes of values) {
		yield { bytes, at };
		at += bytes.length;
	}
}

/** Marks all traces that occur in the files of a folder as shared, so that they are not reported. */
export async function markFolderAsShared(folder: string, traces: Traces): Promise<void> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	for (const entry of entries.filter((one) => one.isFile()))
		for await (const { bytes } of overlapping(piecesOf(join(entry.parentPath, entry.name)))) traces.markAsShared(bytes);
}

function piecesOf(path: string): AsyncIterable<Uint8Array> {
	return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

/** Content in pieces that overlap, so that every needle is complete in one of them. */
async function* overlapping(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Piece> {
	let overlap: Uint8Array = new Uint8Array();
	let offset = 0;
	for await (const piece of pieces) {
		const bytes = Buffer.concat([overlap, piece]);
		yield { bytes, at: offset - overlap.length };
		offset += piece.length;
		overlap = bytes.subarray(Math.max(0, bytes.length - overlapBytes + 1));
	}
}
