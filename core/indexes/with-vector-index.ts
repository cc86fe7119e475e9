/** A storage whose vectors are searched by way of an index that an operator has listed. Everything else is the storage's. */

import type { Embedders } from "../embedding-spaces/embedders.ts";
import type { Digest } from "../language/fingerprint.ts";
import type { VectorIndex } from "../plugin/contract.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createCollections } from "./collections.ts";
import { feedCollections } from "./feed-collections.ts";
import { indexedSearch } from "./indexed-search.ts";

export interface IndexParts {
	readonly embedders: Pick<Embedders, "ofSpace">;
	readonly digest: Digest;
	readonly world: World;
}

export interface IndexedStorage {
	readonly storage: Storage;
	/** Keeps the index up with the storage until the signal is aborted. */
	readonly feed: (signal: AbortSignal) => Promise<void>;
}

export function withVectorIndex(storage: Storage, index: VectorIndex, parts: IndexParts): IndexedStorage {
	const collections = createCollections(index, parts.digest);
	const { filters } = index;
	const { log } = parts.world;
	return {
		storage: {
			...storage,
			organisation: (organisation) => {
				const tenant = storage.organisation(organisation);
				return {
					...tenant,
					vectors: (space) => {
						const [source, own] = [storage.vectorSource(organisation, space), tenant.vectors(space)];
						return indexedSearch({ organisation, space, filters, collections, source, own, log });
					},
				};
			},
		},
		feed: (signal) => feedCollections({ ...parts, index, storage, collections }, signal),
	};
}
