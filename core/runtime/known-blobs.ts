/** Asks which of the blobs that are listed the database knows, many at a time, and who else may reach them. */

import type { OrganisationId } from "../model/id.ts";
import type { BlobStorePlugin, HeldBlob } from "../ports/blob-store.ts";
import type { StoragePlugin } from "../ports/storage.ts";

/** How many blobs one call of the storage asks about. */
export const blobsAtOnce = 200;

/** Whether programs with other databases may reach the blobs too, or several programs with this one. */
export function isShared({ supports }: Pick<StoragePlugin, "supports">, { sweepEveryMs }: BlobStorePlugin): boolean {
	return sweepEveryMs !== undefined || supports.manyWriters;
}

export async function isEmpty(blobs: BlobStorePlugin): Promise<boolean> {
	for await (const _ of blobs.list()) return false;
	return true;
}

/** Of blobs from before there were marks: whether the database needs at least half of them. Documents of young ones may be still to come. */
export async function knowsMost({ blobsNeeded }: Pick<StoragePlugin, "blobsNeeded">, blobs: BlobStorePlugin, before: Date): Promise<boolean> {
	let [known, old, all] = [0, 0, 0];
	async function* oldOnes(): AsyncGenerator<HeldBlob> {
		for await (const blob of blobs.list()) {
			all++;
			if (blob.writtenAt <= before) yield blob;
		}
	}
	for await (const { organisation, keys } of grouped(oldOnes())) {
		known += (await blobsNeeded(organisation, keys)).size;
		old += keys.length;
	}
	return all === 0 || (known > 0 && known * 2 >= old);
}

/** Blobs of one organisation, so many as the storage is asked about at once. */
export async function* grouped(blobs: AsyncIterable<HeldBlob>): AsyncGenerator<{ readonly organisation: OrganisationId; readonly keys: readonly string[] }> {
	const waiting = new Map<OrganisationId, string[]>();
	for await (const { organisation, key } of blobs) {
		const keys = waiting.get(organisation) ?? [];
		waiting.set(organisation, keys);
		keys.push(key);
		if (keys.length === blobsAtOnce) yield { organisation, keys: keys.splice(0) };
	}
	for (const [organisation, keys] of waiting) if (keys.length > 0) yield { organisation, keys };
}
