/**
 * The interfaces that plugins implement, types only. The files in `contract/` are for the stages of processing and search. Functions are
 * declared as properties and not as methods, since the compiler then rejects an implementation that accepts fewer inputs.
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
export type * from "./contract/derived-index.ts";
export type * from "./contract/language-model.ts";
export type * from "./contract/memories.ts";
export type * from "./contract/reading.ts";
export type * from "./contract/search.ts";
export type * from "./contract/step.ts";
export type * from "./contract/vector-index.ts";
export type * from "./contract/word-index.ts";

/** The version of the plugin contract. It changes only with a major release. */
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

/** The implementations that a started plugin provides, and a function that stops the plugin. */
export type Provides = { readonly [K in Kind]?: readonly Kinds[K][] } & { readonly stop?: () => Promise<void> };

/**
 * How implementations are selected if plugins provide several of one kind. `one` and `one or none`: the config names it. `all`: every one
 * is called, and the results are combined in config order. `named`: a client requests it by name. `first`: the one with the most
 * specific media type, then the first in config order; for address readers the first that does not return null; for indexes the first in
 * the config, otherwise the storage's own.
 */
export const selectionByKind = {
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
