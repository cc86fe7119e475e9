/** Decides which files are which documents: a file under another name is the same document if it has the same content. */

import { createHash } from "node:crypto";
import type { Step } from "cairn-memory";
import { itemKey, mayBeginWith } from "../item-key.ts";
import { pathFilter } from "../path-filter.ts";
import type { Listing } from "../sync-listing.ts";
import type { FolderConfig } from "./config.ts";
import { type FoundFile, listFiles } from "./list-files.ts";
import { type Root, readInside } from "./open-root.ts";

export interface Entry extends FoundFile {
	readonly key: string;
	readonly path: string;
	/** Of the content that the document has, or will have; empty before the file was read. */
	hash: string;
}

/** `modified:size:hash`, and `:path` if the file had another name when its document got its key. */
export function versionOf({ key, path, modifiedMs, size, hash }: Entry): string {
	return `${modifiedMs}:${size}:${hash}${key === itemKey(path) ? "" : `:${path}`}`;
}

export function hashOf(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
}

/** With longer paths the cursor would grow too long; such a file is a new document when it is renamed. */
const renamedCharactersMax = 250;

export async function survey(config: FolderConfig, root: Root, known: ReadonlyMap<string, string>, step: Step): Promise<Listing<Entry>> {
	const { files, unread, untold, isEmpty } = await listFiles(root, pathFilter(config), step);
	const documents = new Map([...known].map(([key, version]) => [key, documentOf(key, version)] as const));
	const keyOf = keysByPath(documents);
	const entries = new Map<string, Entry>();
	const fresh: string[] = [];
	for (const [path, file] of files) {
		const key = keyOf(path);
		if (key === null) fresh.push(path);
		else entries.set(key, entryOf(key, path, file, documents.get(key)));
	}
	const staying = new Set(untold.map(itemKey));
	const isGone = (key: string) => {
		const path = documents.get(key)?.path ?? key;
		return !staying.has(itemKey(path)) && !unread.some((folder) => mayBeginWith(path, folder));
	};
	const missing = new Map([...documents].filter(([key]) => !entries.has(key) && isGone(key)));
	const taken = new Set([...documents.keys(), ...fresh.map(itemKey)]);
	for (const path of fresh) {
		const file = files.get(path);
		if (file === undefined) continue;
		const renamed = await renamedFrom(path, file, missing, root, step);
		if (renamed !== null) missing.delete(renamed.key);
		const entry = renamed ?? entryOf(documents.has(itemKey(path)) ? freeKey(path, taken) : itemKey(path), path, file, undefined);
		entries.set(entry.key, entry);
	}
	return { wanted: entries, isEmpty, isGone };
}

interface Known {
	/** The name of a long path's key is cut; then this is its beginning. */
	readonly path: string;
	readonly isRenamed: boolean;
	readonly modified: string;
	readonly size: string;
	readonly hash: string;
}

function documentOf(key: string, version: string): Known {
	const [modified = "", size = "", hash = "", ...path] = version.split(":");
	return { path: path.length > 0 ? path.join(":") : key, isRenamed: path.length > 0, modified, size, hash };
}

/** The key of the document that a path has; null if it has none. */
function keysByPath(documents: ReadonlyMap<string, Known>): (path: string) => string | null {
	const renamed = new Map([...documents].filter(([, { isRenamed }]) => isRenamed).map(([key, { path }]) => [path, key] as const));
	return (path) => {
		const usual = itemKey(path);
		return renamed.get(path) ?? (documents.get(usual)?.isRenamed === false ? usual : null);
	};
}

function entryOf(key: string, path: string, file: FoundFile, before: Known | undefined): Entry {
	const isSame = before?.modified === String(file.modifiedMs) && before.size === String(file.size);
	return { key, path, ...file, hash: isSame ? before.hash : "" };
}

/** The document of a file that is missing and had the same content. Files are read only where one of their size is missing. */
async function renamedFrom(path: string, file: FoundFile, missing: ReadonlyMap<string, Known>, root: Root, step: Step): Promise<Entry | null> {
	const candidates = [...missing].filter(([, { size, hash }]) => size === String(file.size) && hash !== "");
	if (candidates.length === 0 || path.length > renamedCharactersMax) return null;
	step.signal.throwIfAborted();
	const bytes = await readInside(root, path).catch(() => null);
	const hash = bytes === null ? null : hashOf(bytes);
	const found = candidates.find(([, one]) => one.hash === hash);
	return found === undefined ? null : { key: found[0], path, ...file, hash: found[1].hash };
}

/** Where the usual key of a path belongs to a document whose file was renamed. */
function freeKey(path: string, taken: Set<string>): string {
	for (let number = 2; ; number++) {
		const key = itemKey(`${path}#${number}`);
		if (taken.has(key)) continue;
		taken.add(key);
		return key;
	}
}
