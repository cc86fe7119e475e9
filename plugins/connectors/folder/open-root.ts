/** Opens the folder of a connection if the operator allows it, and reads files that are really inside of it. */

import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fail, limits, type ServiceError } from "cairn-memory";
import { provider } from "./config.ts";

export interface Root {
	/** Without symbolic links. */
	readonly path: string;
	/** Cairn's own data, which is never read; null if it is elsewhere. */
	readonly hidden: string | null;
}

/** What an operator has set. */
export interface Allowed {
	/** Folders below which connections may read, these included. */
	readonly folders: readonly string[];
	/** The data folder of the server. */
	readonly data: string;
}

/** @throws ServiceError if the folder is not below an allowed one, whether it exists or not, or is not there */
export async function openRoot(path: string, { folders, data }: Allowed): Promise<Root> {
	if (folders.length === 0)
		throw fail("CONNECTION_FORBIDDEN", provider, "this server reads no folders; an operator lists those that may be read in CAIRN_FOLDERS");
	const real = await realpath(path).catch(() => null);
	const allowed = (await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)))).filter((folder) => folder !== null);
	// Of a path outside of what is allowed, nobody learns whether it exists.
	if (!(real === null ? folders : allowed).some((folder) => isInside(real ?? path, folder)))
		throw fail("CONNECTION_FORBIDDEN", provider, "the folder is not below one that the operator allows in CAIRN_FOLDERS");
	if (real === null || !(await stat(real)).isDirectory()) throw fail("CONNECTION_SOURCE_MISSING", provider, `there is no folder ${path}`);
	const hidden = await realpath(data).catch(() => null);
	if (hidden !== null && isInside(real, hidden)) throw fail("CONNECTION_FORBIDDEN", provider, "the folder is Cairn's own");
	return { path: real, hidden };
}

export function isInside(path: string, folder: string): boolean {
	const from = relative(folder, path);
	return from === "" || !(from === ".." || from.startsWith(`..${sep}`) || from === path);
}

/**
 * The bytes of a regular file; null if there is none any more.
 * @param path relative to the folder, with slashes.
 * @throws ServiceError if it cannot be read, or if a symbolic link on the way leads elsewhere
 */
export async function readInside({ path: root }: Root, path: string): Promise<Uint8Array | null> {
	const full = join(root, path);
	try {
		// A pipe that has taken the place of a file would be waited for without end.
		const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		try {
			const [opened, real] = [await file.stat(), await realpath(full)];
			// A folder on the way may have been replaced by a link since it was listed.
			if (real !== full || (await stat(real)).ino !== opened.ino) throw unreadable(path, "a symbolic link leads elsewhere");
			if (!opened.isFile()) return null;
			if (opened.size > limits.fileBytesMax) throw unreadable(path, "it is too large");
			return await file.readFile();
		} finally {
			await file.close();
		}
	} catch (thrown) {
		const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
		if (code === "ENOENT" || code === "ENOTDIR") return null;
		if (code === "ELOOP") throw unreadable(path, "it is a symbolic link");
		// Anything else, such as too many open files or a disk that is away, says nothing of this file.
		throw code === "EACCES" || code === "EPERM" ? unreadable(path, `the system says ${code}`).because(thrown) : unavailable(path, code, thrown);
	}
}

function unavailable(path: string, code: string, thrown: unknown): unknown {
	return code.startsWith("E") ? fail("CONNECTION_SOURCE_MISSING", provider, `${path} cannot be read: the system says ${code}`).because(thrown) : thrown;
}

function unreadable(path: string, why: string): ServiceError {
	return fail("ITEM_REFUSED", JSON.stringify(path), why);
}
