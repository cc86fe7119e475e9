/** Searches every file below a folder, of any format, and the names of the files for traces; and everything that is stored elsewhere. */

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Storage } from "../../core/ports/storage.ts";
import { overlapBytes, type Traces } from "./traces.ts";

export interface Searched {
	/** The path of a file relative to the folder, or the name of a table or blob. */
	readonly name: string;
	readonly bytes: number;
	/** The number of matches. */
	readonly matches: number;
	/** The byte offset and the kind of the first match; null if there is none. */
	readonly firstMatch: { readonly at: number; readonly kind: "stretch" | "word" | "name" } | null;
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
	return { ...(await searchPieces(name, readOverlapping(path), traces)), bytes: (await stat(path)).size };
}

/** Searches all tables of a database, and all blobs wherever they are. */
export async function* searchOutside({ outside, listBlobs, organisation }: Storage, traces: Traces): AsyncGenerator<Searched> {
	for await (const { name, values } of outside?.read() ?? []) yield searchPieces(`table ${name}`, consecutive(values), traces);
	for await (const { organisation: owner, key } of listBlobs()) {
		const bytes = await organisation(owner).blobs.get(key);
		if (bytes !== null) yield searchPieces(`blob ${key}`, consecutive([bytes]), traces);
	}
}

interface Piece {
	readonly bytes: Uint8Array;
	readonly at: number;
}

async function searchPieces(name: string, pieces: AsyncIterable<Piece>, traces: Traces): Promise<Searched> {
	let [bytesRead, matches] = [0, 0];
	let firstMatch: Searched["firstMatch"] = null;
	traces.find(new TextEncoder().encode(name), () => {
		matches += 1;
		firstMatch = { at: 0, kind: "name" };
	});
	for await (const { bytes, at } of pieces) {
		bytesRead = at + bytes.length;
		traces.find(bytes, (needle, offset) => {
			matches += 1;
			firstMatch ??= { at: at + offset, kind: needle.kind };
		});
	}
	return { name, bytes: bytesRead, matches, firstMatch };
}

/** Values that do not overlap: no needle goes from one to the next. */
async function* consecutive(values: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Piece> {
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
		for await (const { bytes } of readOverlapping(join(entry.parentPath, entry.name))) traces.markAsShared(bytes);
}

/** The content of a file in pieces that overlap, so that every needle is complete in one of them. */
async function* readOverlapping(path: string): AsyncGenerator<Piece> {
	let overlap: Uint8Array = new Uint8Array();
	let offset = 0;
	for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
		const bytes = Buffer.concat([overlap, piece as Uint8Array]);
		yield { bytes, at: offset - overlap.length };
		offset += (piece as Uint8Array).length;
		overlap = bytes.subarray(Math.max(0, bytes.length - overlapBytes + 1));
	}
}
