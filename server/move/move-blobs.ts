/** Copies original files and stored extractions from one blob store to another. What the other has already is left as it is. */

import { createHash } from "node:crypto";
import { fail } from "../../core/errors/fail.ts";
import type { BlobStorePlugin, HeldBlob } from "../../core/ports/blob-store.ts";

export interface MovedBlobs {
	/** How many blobs there are, and how many of them were copied by this call. */
	readonly blobs: number;
	readonly copied: number;
}

/** @throws ServiceError `STORAGE_DAMAGED` if a blob has other bytes after it was written */
export async function moveBlobs(from: BlobStorePlugin, to: BlobStorePlugin, onProgress: (done: number) => void): Promise<MovedBlobs> {
	const there = new Map<string, number | undefined>();
	for await (const held of to.list()) there.set(nameOf(held), held.byteLength);
	let [blobs, copied] = [0, 0];
	for await (const held of from.list()) {
		blobs++;
		const name = nameOf(held);
		if (!there.has(name) || there.get(name) !== held.byteLength) copied += await copyBlob(held, from, to);
		onProgress(blobs);
	}
	return { blobs, copied };
}

export async function countBlobs(blobs: Pick<BlobStorePlugin, "list">): Promise<number> {
	let count = 0;
	for await (const _ of blobs.list()) count++;
	return count;
}

function nameOf({ organisation, key }: HeldBlob): string {
	return `${organisation}/${key}`;
}

/** @returns 0 if it was removed in the meantime */
async function copyBlob(held: HeldBlob, from: BlobStorePlugin, to: BlobStorePlugin): Promise<0 | 1> {
	const bytes = await from.organisation(held.organisation).get(held.key);
	if (bytes === null) return 0;
	const { sha256 } = await to.organisation(held.organisation).put(held.key, once(bytes), bytes.byteLength);
	if (sha256 !== createHash("sha256").update(bytes).digest("hex"))
		throw fail("STORAGE_DAMAGED", `the original file ${nameOf(held)} was not written as it was read`);
	return 1;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
