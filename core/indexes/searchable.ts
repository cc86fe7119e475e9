/** Joins a record store with a blob store and with searches: the store's own, or searches that read every text in scope. */

import type { OrganisationId } from "../model/id.ts";
import type { BlobStorePlugin } from "../ports/blob-store.ts";
import type { Storage, StoragePlugin } from "../ports/storage.ts";
import type { WordSearch } from "../ports/word-search.ts";
import type { World } from "../ports/world.ts";
import { endRemovals } from "../runtime/end-removals.ts";
import { blobSweeper } from "../runtime/sweep-blobs.ts";
import { countedTexts } from "./counted-texts.ts";
import { directVectors, directWords } from "./direct-search.ts";

export function searchable(storage: StoragePlugin, blobs: BlobStorePlugin, world: Pick<World, "now" | "log">): Storage {
	const { search, statistics } = storage;
	const cachedCounts = countedTexts();
	const sweeper = blobSweeper(storage, blobs, world);
	const wordsOf = (organisation: OrganisationId): WordSearch =>
		search?.words(organisation) ?? directWords(storage.textSource(organisation), cachedCounts(organisation));
	return {
		...storage,
		listBlobs: blobs.list,
		organisation: (organisation, job) => ({
			...storage.organisation(organisation, job),
			blobs: blobs.organisation(organisation),
			words: wordsOf(organisation),
			vectors: (space) => search?.vectors(organisation, space) ?? directVectors(storage.vectorSource(organisation, space)),
		}),
		...(statistics !== undefined && {
			statistics: async (now: Date) => ({ ...(await statistics(now)), blobBytes: sweeper.listedBytes() }),
		}),
		maintain: async (signal) => {
			await storage.maintain(signal);
			await sweeper.sweep(signal);
			await endRemovals({ storage, blobs, world }, signal);
		},
	};
}
