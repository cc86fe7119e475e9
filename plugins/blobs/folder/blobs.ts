/** Bytes as files: `blobs/<organisation>/<two characters>/<key>`. */

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BlobName, type BlobStore, fail, fileError, type OrganisationId } from "cairn-memory";
import { makeFolder, syncFolder } from "./durable-folder.ts";

/** Half-written files lie here until they are whole; what a crash leaves is swept. */
export const unfinishedFolder = "unfinished";

/** No separators, nothing that begins with a dot: a key is one name in one folder, on every system. */
const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

export function blobStore(folder: string, organisation: OrganisationId): BlobStore {
	const home = join(folder, safe(organisation));

	return {
		put: async (key, bytes, bytesMax) => {
			const path = blobPath(home, key);
			const unfinished = join(folder, unfinishedFolder, crypto.randomUUID());
			try {
				await makeFolder(join(folder, unfinishedFolder));
				await makeFolder(join(path, ".."));
				const written = await writeWhole(unfinished, bytes, bytesMax);
				await rename(unfinished, path);
				await syncFolder(join(path, ".."));
				return written;
			} catch (thrown) {
				await rm(unfinished, { force: true });
				throw told(thrown);
			}
		},
		get: async (key) => {
			const file = await openNoFollow(blobPath(home, key));
			if (file === null) return null;
			try {
				return new Uint8Array(await file.readFile());
			} catch (thrown) {
				throw told(thrown);
			} finally {
				await file.close();
			}
		},
		remove: async (key) => {
			const path = blobPath(home, key);
			await rm(path, { force: true }).catch((thrown: unknown) => Promise.reject(told(thrown)));
		},
	};
}

async function writeWhole(path: string, bytes: AsyncIterable<Uint8Array>, bytesMax: number): Promise<{ readonly byteLength: number; readonly sha256: string }> {
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

/** One write may take only a part. */
async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
	for (let done = 0; done < piece.byteLength; ) {
		const { bytesWritten } = await file.write(piece, done, piece.byteLength - done);
		done += bytesWritten;
	}
}

async function openNoFollow(path: string): Promise<FileHandle | null> {
	try {
		return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	} catch (thrown) {
		const code = codeOf(thrown);
		if (code === "ENOENT" || code === "ELOOP") return null;
		throw told(thrown);
	}
}

/** What the file system throws leaves this store with a code of ours. */
export function told(thrown: unknown): unknown {
	return fileError(codeOf(thrown))?.because(thrown) ?? thrown;
}

function codeOf(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

export function blobPathIn(folder: string, { organisation, key }: BlobName): string {
	return blobPath(join(folder, safe(organisation)), key);
}

/** Spread by a hash, since keys may begin alike. */
function blobPath(home: string, key: string): string {
	const name = safe(key);
	return join(home, createHash("sha256").update(name).digest("hex").slice(0, 2), name);
}

function safe(name: string): string {
	if (!keyPattern.test(name)) throw fail("INPUT_INVALID", `${JSON.stringify(name)} cannot name a blob`);
	return name;
}
