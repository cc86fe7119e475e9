/** Wraps a storage so that its searches by words and by vectors are observed, each as a leg of the search around it. */

import type { Storage, TenantStore } from "../ports/storage.ts";
import type { VectorSearch } from "../ports/vector-search.ts";
import type { WordSearch } from "../ports/word-search.ts";
import type { World } from "../ports/world.ts";
import { observed } from "../runtime/observed.ts";

/** Without an observer the storage is returned unchanged. */
export function withObservedSearches(storage: Storage, world: Pick<World, "observer">): Storage {
	if (world.observer === undefined) return storage;
	return { ...storage, organisation: (...of) => observedTenant(storage.organisation(...of), world) };
}

function observedTenant(tenant: TenantStore, world: Pick<World, "observer">): TenantStore {
	return { ...tenant, words: observedWords(tenant.words, world), vectors: (space) => observedVectors(tenant.vectors(space), world) };
}

function observedWords(words: WordSearch, world: Pick<World, "observer">): WordSearch {
	return {
		matchChunks: (...args) => observed(world, "leg", "words", () => words.matchChunks(...args)),
		matchMemories: (...args) => observed(world, "leg", "words", () => words.matchMemories(...args)),
	};
}

function observedVectors(vectors: VectorSearch, world: Pick<World, "observer">): VectorSearch {
	return {
		...vectors,
		nearestChunks: (...args) => observed(world, "leg", "vectors", () => vectors.nearestChunks(...args)),
		nearestMemories: (...args) => observed(world, "leg", "vectors", () => vectors.nearestMemories(...args)),
	};
}
