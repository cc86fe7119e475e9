/**
 * Says for every method of a tenant's stores whether it reads or writes. The compiler reports a method that is missing here, and at
 * run time a read-only key may not call it. Stores for keys with grants are written out method by method, see `scoped-tenant.ts`.
 */

import type { TenantStore } from "../ports/storage.ts";
import type { VectorSearch } from "../ports/vector-search.ts";

/** `bookkeeping` writes only data that can be computed again at any time, so a request that only reads may cause it. */
export type Effect = "reads" | "writes" | "bookkeeping";
export type Effects<Store> = { readonly [Method in keyof Required<Store>]: Effect };

/** The stores of an organisation by name. `vectors` stands for the vector search of every embedding space. */
export type Stores = Omit<TenantStore, "vectors"> & { readonly vectors: VectorSearch };

export const methodEffects: { readonly [Kind in keyof Stores]: Effects<Stores[Kind]> } = {
	documents: {
		add: "writes",
		get: "reads",
		getMany: "reads",
		byCustomId: "reads",
		text: "reads",
		byPrefix: "reads",
		descendants: "reads",
		byWriter: "reads",
		tagsOf: "reads",
		within: "reads",
		list: "reads",
		tally: "reads",
		change: "writes",
		move: "writes",
		progress: "writes",
		describe: "writes",
		fail: "writes",
		setDreaming: "writes",
		extractedByOthers: "reads",
		stage: "writes",
		publish: "writes",
		chunks: "reads",
		chunksOf: "reads",
		chunksAt: "reads",
		remove: "writes",
		dreaming: "reads",
	},
	memories: {
		save: "writes",
		get: "reads",
		within: "reads",
		subjects: "reads",
		byText: "reads",
		edges: "reads",
		newestEdges: "reads",
		support: "writes",
		list: "reads",
		count: "reads",
		ofDocument: "reads",
		ofDocuments: "reads",
		reground: "writes",
		forget: "writes",
		restore: "writes",
		erase: "writes",
		rehome: "writes",
		due: "reads",
		amend: "writes",
	},
	words: { matchChunks: "reads", matchMemories: "reads" },
	vectors: {
		nearestChunks: "reads",
		nearestMemories: "reads",
		nearestMemoriesOfEach: "reads",
		chunkCosines: "reads",
		chunkVectors: "reads",
		memoryVectors: "reads",
	},
	blobs: { put: "writes", get: "reads", remove: "writes" },
	containers: { list: "reads", get: "reads", change: "writes", describe: "writes", remove: "writes" },
	profiles: { recent: "reads", inBucket: "reads", unsorted: "reads", sort: "bookkeeping" },
	records: { get: "reads", list: "reads", put: "writes", remove: "writes" },
	removals: { setAside: "writes", list: "reads", bringBack: "writes", expireAll: "writes" },
	events: { after: "reads", latest: "reads", oldest: "reads", append: "writes" },
};
