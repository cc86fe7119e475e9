/** A full backup: one tar archive with a copy of the store, the server's secrets, and last a manifest with the checksum of each file. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import type { Manifest } from "./manifest.ts";
import { manifestName } from "./manifest.ts";
import type { BackupPlace } from "./places/place.ts";
import type { Source } from "./staging.ts";

export type ManifestHeader = Pick<Manifest, "version" | "createdAt" | "storage">;

/** An upper limit for the headers of a file and its line in the manifest. */
const extraBytesPerFile = 4_096;

export interface ArchivePlan {
	readonly place: BackupPlace;
	readonly name: string;
	readonly files: readonly Source[];
	readonly header: ManifestHeader;
	readonly onBytes: (bytes: number) => void;
}

export async function writeArchive({ place, name, files, header, onBytes }: ArchivePlan): Promise<Manifest> {
	const tar = pack();
	const appended = appendAll(tar, files, header, onBytes);
	// If reading fails, writing is ended too.
	appended.catch((thrown: unknown) => tar.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
	const bytesMax = files.reduce((sum, { bytes, name: path }) => sum + bytes + path.length * 4 + extraBytesPerFile, extraBytesPerFile);
	const written = place.write(name, tar as AsyncIterable<Uint8Array>, bytesMax);
	// If writing fails, reading is ended too.
	written.catch(() => tar.destroy());
	const [reading, writing] = await Promise.allSettled([appended, written]);
	// Each failure ends the other side; the first one of writing is the reason if reading was only cut off.
	if (writing.status === "rejected") throw writing.reason;
	if (reading.status === "rejected") throw reading.reason;
	return reading.value;
}

async function appendAll(tar: Pack, files: readonly Source[], header: ManifestHeader, onBytes: (bytes: number) => void): Promise<Manifest> {
	const listed: Manifest["files"] = [];
	for (const source of files) listed.push({ path: source.name, bytes: source.bytes, sha256: await append(tar, source, onBytes) });
	const manifest: Manifest = { format: 1, ...header, files: listed };
	tar.entry({ name: manifestName, mode: 0o600 }, JSON.stringify(manifest));
	tar.finalize();
	return manifest;
}

/** @returns the SHA-256 checksum of the archived bytes, in hex */
async function append(tar: Pack, { name, path, bytes }: Source, onBytes: (bytes: number) => void): Promise<string> {
	const hash = createHash("sha256");
	const entry = tar.entry({ name, size: bytes, mode: 0o600 });
	await pipeline(
		createReadStream(path),
		async function* (pieces: AsyncIterable<Uint8Array>) {
			for await (const piece of pieces) {
				hash.update(piece);
				onBytes(piece.byteLength);
				yield piece;
			}
		},
		entry,
	);
	return hash.digest("hex");
}
