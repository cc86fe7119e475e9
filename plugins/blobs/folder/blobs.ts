/** Stores blobs as files: `blobs/<organisation>/<two characters>/<key>`. */

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BlobStore, type BlobStorePlugin, fail, fileError, type OrganisationId } from "cairn-memory";
import { blobPath } from "../blob-path.ts";
import { type FolderMaker, syncFolder } from "./durable-folder.ts";

/** Files are written here and moved to their place when they are complete. What a crash leaves is removed by the maintenance. */
export const unfinishedFolder = "unfinished";

export function blobStore(folder: string, organisation: OrganisationId, makeFolder: FolderMaker): BlobStore {
	const pathOf = (key: string) => join(folder, blobPath({ organisation, key }));

	return {
		// Asynchronous, so that an invalid key rejects.
		put: async (key, bytes, bytesMax) => writeWhole(folder, makeFolder, pathOf(key), bytes, bytesMax),
		get: async (key) => {
			const file = await openNoFollow(pathOf(key));
			if (file === null) return null;
			try {
				return new Uint8Array(await file.readFile());
			} catch (thrown) {
				throw asFileError(thrown);
			} finally {
				await file.close();
			}
		},
		remove: async (key) => {
			const path = pathOf(key);
			await rm(path, { force: true }).catch((thrown: unknown) => Promise.reject(asFileError(thrown)));
		},
	};
}

/** The mark is a file beside the folders of the organisations. */
export function ownerOf(folder: string, makeFolder: FolderMaker): NonNullable<BlobStorePlugin["owner"]> {
	const path = join(folder, "owner");
	async function* once(text: string): AsyncGenerator<Uint8Array> {
		yield new TextEncoder().encode(text);
	}
	return {
		read: async () => {
			const file = await openNoFollow(path);
			try {
				return file === null ? null : await file.readFile("utf8");
			} finally {
				await file?.close();
			}
		},
		write: async (mark) => void (await writeWhole(folder, makeFolder, path, once(mark), mark.length)),
	};
}

/** Another name is used until all bytes are on the disk. */
async function writeWhole(
	folder: string,
	makeFolder: FolderMaker,
	path: string,
	bytes: AsyncIterable<Uint8Array>,
	bytesMax: number,
): ReturnType<typeof writeFile> {
	const unfinished = join(folder, unfinishedFolder, crypto.randomUUID());
	try {
		await makeFolder(join(folder, unfinishedFolder));
		await makeFolder(join(path, ".."));
		const result = await writeFile(unfinished, bytes, bytesMax);
		await rename(unfinished, path);
		await syncFolder(join(path, ".."));
		return result;
	} catch (thrown) {
		await rm(unfinished, { force: true });
		throw asFileError(thrown);
	}
}

async function writeFile(path: string, bytes: AsyncIterable<Uint8Array>, bytesMax: number): Promise<{ readonly byteLength: number; readonly sha256: string }> {
	const hash = createHash("sha256");
	let byteLength = 0;
	const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW, 0o600);
	try {
		for await (const piece of bytes) {
			byteLength += piece.byteLength;
			if (byteLength > bytesMax) throw fail("FILE_TOO_LARGE", bytesMax);
			hash.update(piece);
			await writeAll(file, piece);
		}
		await file.sync();
	} finally {
		await file.close();
	}
	return { byteLength, sha256: hash.digest("hex") };
}

/** Repeats the write until all bytes are written, because one call may write only a part. */
async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
	for (let written = 0; written < piece.byteLength; ) {
		const { bytesWritten } = await file.write(piece, written, piece.byteLength - written);
		written += bytesWritten;
	}
}

/** Null if there is no file, or a symbolic link, which is not followed. */
async function openNoFollow(path: string): Promise<FileHandle | null> {
	try {
		return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	} catch (thrown) {
		const code = codeOf(thrown);
		if (code === "ENOENT" || code === "ELOOP") return null;
		throw asFileError(thrown);
	}
}

/** Gives an error of the file system one of our error codes. */
export function asFileError(thrown: unknown): unknown {
	return fileError(codeOf(thrown))?.because(thrown) ?? thrown;
}

function codeOf(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}
