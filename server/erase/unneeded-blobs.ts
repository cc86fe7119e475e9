/** The blobs that an erasure leaves without a document. Maintenance removes such blobs later, since it cannot tell them from those of documents that are being added. */

import type { OrganisationId } from "../../core/model/id.ts";
import type { Storage } from "../../core/ports/storage.ts";

/** How many blobs one call of the storage asks about. */
const blobsAtOnce = 200;

/** The keys of the blobs that are needed now. */
export async function neededBlobs(storage: Storage, organisation: OrganisationId): Promise<readonly string[]> {
	const keys: string[] = [];
	for await (const blob of storage.listBlobs()) if (blob.organisation === organisation) keys.push(blob.key);
	const needed = await stillNeeded(storage, organisation, keys);
	return keys.filter((key) => needed.has(key));
}

/** Removes those of the blobs that no document has any more. */
export async function removeUnneeded(storage: Storage, organisation: OrganisationId, keys: readonly string[]): Promise<void> {
	const { remove } = storage.organisation(organisation).blobs;
	const needed = await stillNeeded(storage, organisation, keys);
	for (const key of keys) if (!needed.has(key)) await remove(key);
}

async function stillNeeded({ blobsNeeded }: Storage, organisation: OrganisationId, keys: readonly string[]): Promise<ReadonlySet<string>> {
	const needed = new Set<string>();
	for (let from = 0; from < keys.length; from += blobsAtOnce)
		for (const key of await blobsNeeded(organisation, keys.slice(from, from + blobsAtOnce))) needed.add(key);
	return needed;
}
