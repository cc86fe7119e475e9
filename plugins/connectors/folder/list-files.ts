/** Lists the files of a folder and of those in it. Symbolic links are not followed, and what is hidden is left out. */

import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fail, limits, type Step } from "cairn-memory";
import { provider } from "./config.ts";
import type { Root } from "./open-root.ts";

export interface FoundFile {
	/** In milliseconds, with what the file system has of fractions. */
	readonly modifiedMs: number;
	readonly size: number;
}

export interface FoundFiles {
	/** By path relative to the folder, with slashes; in the order of their names. */
	readonly files: ReadonlyMap<string, FoundFile>;
	/** How the paths of what could not be listed begin. */
	readonly unread: readonly string[];
	/** Paths of files that are named, and of which the system says neither what they are nor that they are gone. */
	readonly untold: readonly string[];
	/** Whether there is nothing at all, not even what is left out. */
	readonly isEmpty: boolean;
}

/** Files and folders. A walk of so many takes about ten seconds. */
const entriesMax = 500_000;
const depthMax = 64;

/** @param isWanted of a path with a slash before it. @throws ServiceError if there are too many entries */
export async function listFiles(root: Root, isWanted: (path: string) => boolean, step: Step): Promise<FoundFiles> {
	const files = new Map<string, FoundFile>();
	const unread: string[] = [];
	const untold: string[] = [];
	const skipped = { links: 0, large: 0 };
	let entries = 0;

	async function visit(folder: string, depth: number): Promise<void> {
		step.signal.throwIfAborted();
		const found = await entriesOf(join(root.path, folder));
		if (found === null || depth > depthMax) return void unread.push(folder);
		entries += found.length;
		if (entries > entriesMax) throw fail("CONNECTION_INVALID", provider, "path", `it has more than ${entriesMax} files and folders; choose one below it`);
		step.progress({ done: files.size, total: files.size, unit: "file" });
		for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
			const path = `${folder}${entry.name}`;
			if (entry.name.startsWith(".") || join(root.path, path) === root.hidden) continue;
			if (entry.isSymbolicLink()) skipped.links++;
			else if (entry.isDirectory()) await visit(`${path}/`, depth + 1);
			else if (entry.isFile() && isWanted(`/${path}`)) await add(path);
		}
	}

	async function add(path: string): Promise<void> {
		const facts = await factsOf(join(root.path, path));
		if (facts === "untold") untold.push(path);
		if (facts === "untold" || facts === null || !facts.isFile() || facts.size === 0) return;
		if (facts.size > limits.fileBytesMax) skipped.large++;
		else files.set(path, { modifiedMs: facts.mtimeMs, size: facts.size });
	}

	await visit("", 0);
	if (skipped.links > 0) step.warn("FOLDER_LINKS_SKIPPED", `${skipped.links} symbolic links were not followed`);
	if (skipped.large > 0) step.warn("FOLDER_FILES_SKIPPED", `${skipped.large} files are too large`);
	for (const folder of unread) step.warn("FOLDER_UNREADABLE", `the folder /${folder} could not be listed; its documents stay as they are`);
	if (untold.length > 0) step.warn("FOLDER_UNREADABLE", `${untold.length} files could not be looked at, /${untold[0]} say; their documents stay as they are`);
	return { files, unread, untold, isEmpty: entries === 0 && unread.length === 0 };
}

/** Null if it cannot be listed, or is gone. */
async function entriesOf(folder: string): Promise<readonly Dirent[] | null> {
	return readdir(folder, { withFileTypes: true }).catch(() => null);
}

/** Null if it is gone. What a right, a disk or a server in between keeps from being looked at may well be there. */
async function factsOf(path: string): Promise<Stats | "untold" | null> {
	return lstat(path).catch((thrown: unknown) => {
		const code = thrown instanceof Error && "code" in thrown ? thrown.code : null;
		return code === "ENOENT" || code === "ENOTDIR" ? null : "untold";
	});
}
