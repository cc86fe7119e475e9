/**
 * The interfaces a plugin author implements, one file in `contract/` for each part of the work; types only. Functions are
 * properties, so that a narrowed parameter does not compile.
 */

import type { BlobStorePlugin } from "../ports/blob-store.ts";
import type { StoragePlugin } from "../ports/storage.ts";
import type { Connector } from "./contract/connector.ts";
import type { LanguageModel } from "./contract/language-model.ts";
import type { MemoryExtractor, MemoryLinker } from "./contract/memories.ts";
import type { AddressReader, Chunker, Extractor } from "./contract/reading.ts";
import type { Embedder, QueryRewriter, Reranker } from "./contract/search.ts";
import type { VectorIndex } from "./contract/vector-index.ts";
import type { WordIndex } from "./contract/word-index.ts";

export type * from "./contract/connector.ts";
export type * from "./contract/fed-index.ts";
export type * from "./contract/language-model.ts";
export type * from "./contract/memories.ts";
export type * from "./contract/reading.ts";
export type * from "./contract/search.ts";
export type * from "./contract/step.ts";
export type * from "./contract/vector-index.ts";
export type * from "./contract/word-index.ts";

/** The version of the plugin contract. Raised only with a major release. */
export const contractVersion = 1;

/** All plugin kinds. */
export interface Kinds {
	extractor: Extractor;
	addressReader: AddressReader;
	chunker: Chunker;
	embedder: Embedder;
	memoryExtractor: MemoryExtractor;
	memoryLinker: MemoryLinker;
	reranker: Reranker;
	queryRewriter: QueryRewriter;
	connector: Connector;
	languageModel: LanguageModel;
	storage: StoragePlugin;
	blobStore: BlobStorePlugin;
	vectorIndex: VectorIndex;
	wordIndex: WordIndex;
}
export type Kind = keyof Kinds;

/** What a started plugin offers, and how it ends. */
export type Provides = { readonly [K in Kind]?: readonly Kinds[K][] } & { readonly stop?: () => Promise<void> };

/**
 * How several parts of one kind are used. `one` and `one or none` are named in the config. `first` is the most specific part that
 * accepts, then the first in config order; of address readers the first that does not return null, of indexes the first that is
 * listed, else the storage's own. The results of `all` are combined in config order. `named` is requested by name.
 */
export const sharing = {
	extractor: "first",
	addressReader: "first",
	chunker: "first",
	embedder: "one",
	memoryExtractor: "all",
	memoryLinker: "all",
	reranker: "one",
	queryRewriter: "all",
	connector: "named",
	languageModel: "one or none",
	storage: "one",
	blobStore: "one",
	vectorIndex: "first",
	wordIndex: "first",
} as const satisfies Record<Kind, "one" | "one or none" | "first" | "all" | "named">;
