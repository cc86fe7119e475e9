/** Looks for traces in every file below a folder, whatever it is, and in the names of the files. */

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { overlapBytes, type Traces } from "./traces.ts";

export interface SearchedFile {
	/** Below the folder. */
	readonly name: string;
	readonly bytes: number;
	readonly found: number;
	/** Where the first is, and what; null for none. */
	readonly first: { readonly at: number; readonly kind: "stretch" | "word" | "name" } | null;
}

/** @param passedOver folders at the top that hold nothing of a user's */
export async function* searchFolder(folder: string, traces: Traces, passedOver: readonly string[]): AsyncGenerator<SearchedFile> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	for (const path of paths.toSorted()) {
		const name = relative(folder, path);
		if (passedOver.some((top) => name.startsWith(`${top}/`))) continue;
		yield searchFile(path, name, traces);
	}
}

async function searchFile(path: string, name: string, traces: Traces): Promise<SearchedFile> {
	let found = 0;
	let first: SearchedFile["first"] = null;
	traces.find(new TextEncoder().encode(name), () => {
		found += 1;
		first = { at: 0, kind: "name" };
	});
	for await (const { bytes, at } of overlapping(path))
		traces.find(bytes, (needle, offset) => {
			found += 1;
			first ??= { at: at + offset, kind: needle.kind };
		});
	return { name, bytes: (await stat(path)).size, found, first };
}

/** Marks all that is in a folder as what proves nothing. */
export async function shareFolder(folder: string, traces: Traces): Promise<void> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	for (const entry of entries.filter((one) => one.isFile())) for await (const { bytes } of overlapping(join(entry.parentPath, entry.name))) traces.share(bytes);
}

async function* overlapping(path: string): AsyncGenerator<{ readonly bytes: Uint8Array; readonly at: number }> {
	let rest: Uint8Array = new Uint8Array();
	let at = 0;
	for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
		const bytes = Buffer.concat([rest, piece as Uint8Array]);
		yield { bytes, at: at - rest.length };
		at += (piece as Uint8Array).length;
		rest = bytes.subarray(Math.max(0, bytes.length - overlapBytes + 1));
	}
}
