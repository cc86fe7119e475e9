/**
 * An incremental backup: a manifest, and each file that it names under its checksum in `objects`, where all backups of the place share it.
 * Only what is not there yet is written, before the manifest. So a backup is there completely or not at all.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { eachOf } from "./each-of.ts";
import type { Manifest } from "./manifest.ts";
import type { PlaceLock } from "./place-lock.ts";
import { type BackupPlace, writeText } from "./places/place.ts";
import type { Source } from "./staging.ts";
import type { ManifestHeader } from "./write-archive.ts";

export const objectsFolder = "objects/";
/** Several requests at once, because for most originals the time of a request is longer than that of sending the bytes. */
export const requestsAtOnce = 4;

export function objectName(sha256: string): string {
	return `${objectsFolder}${sha256.slice(0, 2)}/${sha256}`;
}

/** Sizes by checksum. */
export type StoredObjects = ReadonlyMap<string, number>;

export async function storedObjects(place: BackupPlace): Promise<StoredObjects> {
	const files = await place.list(objectsFolder);
	return new Map(files.flatMap(({ name, bytes }) => (isObject(name) ? [[name.slice(-64), bytes] as const] : [])));
}

/** Any other file in the folder is left over from a write that was interrupted. */
export function isObject(name: string): boolean {
	return /^[0-9a-f]{64}$/.test(name.slice(-64)) && name === objectName(name.slice(-64));
}

export interface ObjectsPlan {
	readonly place: BackupPlace;
	readonly lock: PlaceLock;
	/** The name of the manifest. */
	readonly name: string;
	readonly stored: StoredObjects;
	/** Files that are stored already, and so were not copied. */
	readonly shared: Manifest["files"];
	/** All others. */
	readonly files: readonly Source[];
	readonly header: ManifestHeader;
	readonly onBytes: (bytes: number) => void;
}

/** @returns also how many bytes were not there before */
export async function writeObjects({ place, lock, name, stored, shared, files, header, onBytes }: ObjectsPlan): Promise<{ manifest: Manifest; added: number }> {
	const own: Manifest["files"] = [];
	const missing = new Map<string, Source>();
	for (const file of files) {
		const sha256 = await checksumOf(file.path);
		own.push({ path: file.name, bytes: file.bytes, sha256 });
		if (stored.get(sha256) !== file.bytes) missing.set(sha256, file);
	}
	let added = 0;
	await eachOf(missing, requestsAtOnce, async ([sha256, { path, bytes }]) => {
		await lock.demand();
		await place.write(objectName(sha256), counted(createReadStream(path), onBytes), bytes);
		added += bytes;
	});
	const manifest: Manifest = { format: 1, ...header, files: [...shared, ...own] };
	await lock.confirm();
	await writeText(place, name, JSON.stringify(manifest));
	return { manifest, added };
}

export async function checksumOf(path: string): Promise<string> {
	const hash = createHash("sha256");
	for await (const piece of createReadStream(path)) hash.update(piece);
	return hash.digest("hex");
}

async function* counted(pieces: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
	for await (const piece of pieces) {
		onBytes(piece.byteLength);
		yield piece;
	}
}
