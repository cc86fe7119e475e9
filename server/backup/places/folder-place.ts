/** Keeps backups in a folder. A file gets its name when it is on the disk with all its bytes. */

import { constants, createReadStream, existsSync } from "node:fs";
import { copyFile, type FileHandle, link, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { lockStaging, removeStaged, stagingLockName } from "../staging-lock.ts";
import { makeFolder, syncPath } from "../sync-files.ts";
import type { BackupPlace, PlacedFile } from "./place.ts";

/** A part of the names of files and folders that are being written. A killed process leaves them. */
export const unfinishedMark = ".unfinished-";
const unfinishedBackup = /^(cairn-[\dT-]+Z\.(tar|json)|lock)\.unfinished-\w+$/;
const unfinishedIncremental = /^cairn-[\dT-]+Z\.json\.unfinished-\w+$/;

export function folderPlace(folder: string): BackupPlace {
	const at = (name: string) => join(folder, name);
	return {
		address: folder,
		folder,
		list: (below) => filesIn(at(below), folder, below !== ""),
		read: async (name) => ((await stat(at(name)).catch(nullIfMissing)) === null ? null : createReadStream(at(name))),
		write: (name, pieces) => writeWhole(at(name), pieces),
		create: (name, text) => createWhole(at(name), text),
		remove: (name) => rm(at(name), { force: true }),
		removeUnfinished: async (before, isLocked) => {
			const names = ((await readdir(folder).catch(nullIfMissing)) ?? []).filter((each) => unfinishedBackup.test(each));
			const taken = new Set(names.filter((name) => lockState(at(name)) === "taken").map(backupOf));
			for (const name of names.filter((each) => !taken.has(backupOf(each)))) {
				const isLeft = (isLocked && unfinishedIncremental.test(name)) || lockState(at(name)) === "free";
				if (isLeft || ((await stat(at(name)).catch(nullIfMissing))?.mtime ?? before) < before) await removeStaged(at(name));
			}
		},
	};
}

/** The backup that an unfinished file or folder is for. */
function backupOf(name: string): string {
	return name.slice(0, name.lastIndexOf(unfinishedMark));
}

/** Whether a process lives that makes the copy in this folder, which may be another one than the caller's. Null if no lock tells. */
function lockState(path: string): "taken" | "free" | null {
	if (!existsSync(join(path, stagingLockName))) return null;
	const lock = lockStaging(path);
	if (typeof lock === "string") return lock === "taken" ? lock : null;
	lock[Symbol.dispose]();
	return "free";
}

async function filesIn(start: string, root: string, isRecursive: boolean): Promise<readonly PlacedFile[]> {
	const entries = await readdir(start, { recursive: isRecursive, withFileTypes: true }).catch(nullIfMissing);
	const paths = (entries ?? []).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	const files = await Promise.all(
		paths.map(async (path) => ({ name: relative(root, path).replaceAll(sep, "/"), bytes: (await stat(path).catch(nullIfMissing))?.size ?? null })),
	);
	return files.flatMap(({ name, bytes }) => (bytes === null ? [] : [{ name, bytes }]));
}

async function writeWhole(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
	await makeFolder(dirname(path));
	const unfinished = `${path}${unfinishedMark}${crypto.randomUUID().slice(0, 8)}`;
	try {
		const file = await open(unfinished, "wx", 0o600);
		try {
			for await (const piece of pieces) await writeAll(file, piece);
			await file.sync();
		} finally {
			await file.close();
		}
		await rename(unfinished, path);
		await syncPath(dirname(path));
	} catch (thrown) {
		await rm(unfinished, { force: true });
		throw thrown;
	}
}

/** Creates a file with its whole text in one step, unless it exists: another process may do the same. */
async function createWhole(path: string, text: string): Promise<boolean> {
	await makeFolder(dirname(path));
	const unfinished = `${path}${unfinishedMark}${crypto.randomUUID().slice(0, 8)}`;
	try {
		await writeFile(unfinished, text, { mode: 0o600, flag: "wx" });
		// Some file systems have no links.
		await link(unfinished, path).catch((thrown: unknown) =>
			codeOf(thrown) === "EEXIST" ? Promise.reject(thrown) : copyFile(unfinished, path, constants.COPYFILE_EXCL),
		);
		return true;
	} catch (thrown) {
		if (codeOf(thrown) === "EEXIST") return false;
		throw thrown;
	} finally {
		await rm(unfinished, { force: true });
	}
}

/** Calls `write` until everything is written, since one call may write only a part. */
export async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
	for (let written = 0; written < piece.byteLength; ) written += (await file.write(piece, written, piece.byteLength - written)).bytesWritten;
}

function nullIfMissing(thrown: unknown): null {
	if (codeOf(thrown) === "ENOENT") return null;
	throw thrown;
}

function codeOf(thrown: unknown): string | null {
	return thrown instanceof Error && "code" in thrown ? String(thrown.code) : null;
}
