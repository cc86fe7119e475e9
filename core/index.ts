/** The public interface for plugins and configs, `cairn-memory`. Stores and text tools have doors of their own: `stores.ts`, `words.ts`. */

export type { ErrorCode } from "./errors/catalog.ts";
export { asServiceError, fail, ServiceError } from "./errors/fail.ts";
export { fileError } from "./errors/file-error.ts";
export { searchable } from "./indexes/searchable.ts";
export type { Chunk, ChunkDraft } from "./model/chunk.ts";
export type { Progress } from "./model/document.ts";
export type { About, Block, DocumentType, Extraction, Place, Warning } from "./model/extraction.ts";
export { asId, type MemoryId, type OrganisationId } from "./model/id.ts";
export type { Json } from "./model/json.ts";
export { limits } from "./model/limits.ts";
export { type MediaType, parseMediaType } from "./model/media-type.ts";
export type { Link, Memory, MemoryDraft } from "./model/memory.ts";
export { type Calibration, cosine, cosines, type EmbeddingSpace, type Vector } from "./model/vector.ts";
export { type Config, defineConfig } from "./plugin/config.ts";
export type { Change, Connector, ConnectorConfig, ConnectorItem, Cursor } from "./plugin/contract/connector.ts";
export type { EntryFilter } from "./plugin/contract/derived-index.ts";
export type { BlobFolderTools, DamagedStore, Inspection } from "./plugin/contract/folder-tools.ts";
export type { Generated, LanguageModel, ModelClient, ModelRequest, ParsedAnswer } from "./plugin/contract/language-model.ts";
export type { ExtractedDraft, Linking, MemoryExtractor, MemoryInput, MemoryLinker, Neighbour } from "./plugin/contract/memories.ts";
export type { AddressReader, AddressReading, Chunker, Extractor, ExtractorSource, FileSignature } from "./plugin/contract/reading.ts";
export type { Embedder, QueryRewriter, RelatedWord, Reranker, WordVector } from "./plugin/contract/search.ts";
export type { Attachment, EmbeddingSpent, Step } from "./plugin/contract/step.ts";
export type { VectorCollection, VectorEntry, VectorIndex } from "./plugin/contract/vector-index.ts";
export type { TermGroup, WordCollection, WordEntry, WordIndex } from "./plugin/contract/word-index.ts";
export type { Kind, Kinds, Provides } from "./plugin/contract.ts";
export { definePlugin, type Plugin, type PluginFactory } from "./plugin/define-plugin.ts";
export type {
	ByteConnection,
	Engine,
	EngineBounds,
	Fetched,
	FetchOptions,
	GuardedConnect,
	GuardedFetch,
	Host,
	OwnProcess,
	Sandbox,
	SandboxCall,
} from "./plugin/host.ts";
export type { Configure, GivenOptions, PluginSetting } from "./plugin/plugin-settings.ts";
export { askedPauseMs, refusalWords, withoutSecrets } from "./plugin/refusal-words.ts";
export type { BlobName, BlobStore, BlobStorePlugin, HeldBlob } from "./ports/blob-store.ts";
export type { Log, World } from "./ports/world.ts";
