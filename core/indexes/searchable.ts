/** Joins a record store with a blob store and with searches: the store's own, or searches that read every text in scope. */

import type { OrganisationId } from "../model/id.ts";
import type { BlobName, BlobStorePlugin } from "../ports/blob-store.ts";
import type { Storage, StoragePlugin } from "../ports/storage.ts";
import type { WordSearch } from "../ports/word-search.ts";
import type { World } from "../ports/world.ts";
import { type BlobOwner, createBlobOwner } from "../runtime/blob-owner.ts";
import { endRemovals } from "../runtime/end-removals.ts";
import { blobSweeper } from "../runtime/sweep-blobs.ts";
import { countedTexts } from "./counted-texts.ts";
import { directVectors, directWords } from "./direct-search.ts";

/** @param claim the mark of the blobs if the operator says that they are of this storage from now on */
export function searchable(
	storage: StoragePlugin,
	unguarded: BlobStorePlugin,
	world: Pick<World, "now" | "log" | "randomBytes">,
	claim: string | null = null,
): Storage {
	const { search, statistics } = storage;
	const cachedCounts = countedTexts();
	const owner = createBlobOwner({ storage, blobs: unguarded, world, claim });
	const blobs = guarded(unguarded, owner);
	const sweeper = blobSweeper(storage, unguarded, owner, world);
	const wordsOf = (organisation: OrganisationId): WordSearch =>
		search?.words(organisation) ?? directWords(storage.textSource(organisation), cachedCounts(organisation));
	return {
		...storage,
		listBlobs: blobs.list,
		...(blobs.read !== undefined && { readBlobs: blobs.read }),
		claimBlobs: async () => (await owner.takeTurn()) !== null,
		organisation: (organisation, job) => ({
			...storage.organisation(organisation, job),
			blobs: blobs.organisation(organisation),
			words: wordsOf(organisation),
			vectors: (space) => search?.vectors(organisation, space) ?? directVectors(storage.vectorSource(organisation, space)),
		}),
		...(statistics !== undefined && {
			statistics: async (now: Date) => ({ ...(await statistics(now)), blobBytes: sweeper.listedBytes(), blobsKeptBecause: owner.refusal() }),
		}),
		maintain: async (signal) => {
			await storage.maintain(signal, (gone) => removeEach(gone, blobs));
			await sweeper.sweep(signal);
			await endRemovals({ storage, blobs, world }, signal);
		},
	};
}

/** One that cannot be removed now is found by a later sweep. */
async function removeEach(gone: readonly BlobName[], blobs: BlobStorePlugin): Promise<void> {
	await Promise.allSettled(gone.map(({ organisation, key }) => blobs.organisation(organisation).remove(key)));
}

/** What is not removed because the blobs are of another database is left to the sweeps of that one. */
function guarded(blobs: BlobStorePlugin, { claimIfEmpty, mayRemove }: BlobOwner): BlobStorePlugin {
	return {
		...blobs,
		organisation: (id) => {
			const { put, get, remove } = blobs.organisation(id);
			return {
				get,
				put: async (key, bytes, bytesMax) => {
					await claimIfEmpty();
					return put(key, bytes, bytesMax);
				},
				remove: async (key) => {
					if (await mayRemove()) await remove(key);
				},
			};
		},
	};
}
