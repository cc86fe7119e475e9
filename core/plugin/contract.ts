/** The interfaces a plugin author implements; types only. Functions are properties, so that a narrowed parameter does not compile. */

import type { Chunk, ChunkDraft } from "../model/chunk.ts";
import type { Document, Progress } from "../model/document.ts";
import type { Extraction, Place } from "../model/extraction.ts";
import type { MediaType } from "../model/media-type.ts";
import type { Link, Memory, MemoryDraft } from "../model/memory.ts";
import type { Vector, VectorSpace } from "../model/vector.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/world.ts";

/** The version of this file. Raised only with a major release. */
export const contractVersion = 1;

/** What core hands to every call: a way to stop, a way to remark, a way to log. */
export interface Step {
	readonly signal: AbortSignal;
	readonly log: Log;
	/** Notes something odd about the document without failing it. */
	readonly remark: (code: string, message: string, place?: Place) => void;
	/** Tells how far a long call has come. Cheap; may be called for every page. */
	readonly progress: (progress: Progress) => void;
}

/** One thing to read. The bytes are fetched only when asked for. */
export interface Source {
	/** What the bytes are, found by looking at them. */
	readonly mediaType: MediaType;
	/** The character set that came with it, lower case; null when none was named. */
	readonly charset: string | null;
	readonly fileName: string | null;
	/** Where it came from, for links that are relative to it. */
	readonly address: URL | null;
	readonly byteLength: number;
	readonly bytes: () => Promise<Uint8Array>;
	/** The content, when it was handed in as text and needs no decoding. */
	readonly text: string | null;
}

/**
 * Turns a source into blocks of text.
 * @throws ServiceError of kind `unreadable` for damaged, empty or protected bytes; never anything else because of the bytes.
 */
export interface Extractor {
	readonly name: string;
	/** Media types it reads; `image/*` is allowed and yields to `image/png`. */
	readonly accepts: readonly MediaType[];
	/** A second look, for when the media type alone does not tell. */
	readonly recognizes?: (source: Source) => boolean;
	readonly extract: (source: Source, step: Step) => Promise<Extraction>;
}

export interface ChunkLimits {
	/** The most characters a chunk's `indexedText` may have. */
	readonly charactersMax: number;
}

/** Cuts an extraction into pieces that fit an embedder. */
export interface Chunker {
	readonly name: string;
	readonly accepts: readonly MediaType[];
	/** A second look, by the shape of what was extracted: a table, a transcript. */
	readonly recognizes?: (extraction: Extraction) => boolean;
	readonly chunk: (extraction: Extraction, limits: ChunkLimits, step: Step) => Promise<readonly ChunkDraft[]>;
}

/** Answers one vector per text, in the order of the texts, of unit length. */
export interface Embedder {
	readonly name: string;
	readonly space: VectorSpace;
	/** The most texts one call takes. */
	readonly batchMax: number;
	readonly embed: (texts: readonly string[], purpose: "document" | "query", step: Step) => Promise<readonly Vector[]>;
}

/** What a memory extractor reads: the chunks of one document, and what is already known nearby. */
export interface Reading {
	readonly document: Pick<Document, "id" | "containerTags" | "metadata" | "createdAt"> & { readonly title: string | null };
	readonly chunks: readonly Chunk[];
}

/** Draws memories from chunks. Every draft names the chunks and spans that support it. */
export interface MemoryExtractor {
	readonly name: string;
	readonly extract: (reading: Reading, step: Step) => Promise<readonly MemoryDraft[]>;
}

/** A known memory near a new one. */
export interface Neighbour {
	readonly memory: Memory;
	/** 0 for strangers, 1 for the same words: see `relevance`. */
	readonly affinity: number;
}

/** Says how a new memory relates to its nearest neighbours. A `duplicate` merges it into the neighbour, which gains a source. */
export interface MemoryLinker {
	readonly name: string;
	readonly link: (draft: MemoryDraft, neighbours: readonly Neighbour[], step: Step) => Promise<Linking>;
}

export interface Linking {
	readonly links: readonly Link[];
	/** The neighbour that already says this. Then there are no links. */
	readonly duplicateOf: Memory["id"] | null;
}

/** Answers one score from 0 to 1 per candidate, in the order of the candidates. Core sorts. */
export interface Reranker {
	readonly name: string;
	readonly candidatesMax: number;
	readonly score: (query: string, candidates: readonly string[], step: Step) => Promise<readonly number[]>;
}

/** Answers further phrasings. Core always keeps the one the client wrote. */
export interface QueryRewriter {
	readonly name: string;
	readonly rewrite: (query: string, step: Step) => Promise<readonly string[]>;
}

/** The one list of what can be plugged in. A new kind starts here. */
export interface Kinds {
	extractor: Extractor;
	chunker: Chunker;
	embedder: Embedder;
	memoryExtractor: MemoryExtractor;
	memoryLinker: MemoryLinker;
	reranker: Reranker;
	queryRewriter: QueryRewriter;
	storage: Storage;
}
export type Kind = keyof Kinds;

/** What a started plugin offers, and how it ends. */
export type Provides = { readonly [K in Kind]?: readonly Kinds[K][] } & { readonly stop?: () => Promise<void> };

/**
 * How the parts of one kind share the work. `one` is named in the config; `first` is the most specific that accepts,
 * then config order; the answers of `all` are added up in config order.
 */
export const sharing = {
	extractor: "first",
	chunker: "first",
	embedder: "one",
	memoryExtractor: "all",
	memoryLinker: "all",
	reranker: "one",
	queryRewriter: "all",
	storage: "one",
} as const satisfies Record<Kind, "one" | "first" | "all">;
