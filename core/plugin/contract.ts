/** The interfaces a plugin author implements; types only. Functions are properties, so that a narrowed parameter does not compile. */

import type { Chunk, ChunkDraft } from "../model/chunk.ts";
import type { Document, Progress } from "../model/document.ts";
import type { About, DocumentType, Extraction, Place } from "../model/extraction.ts";
import type { Json } from "../model/json.ts";
import type { MediaType } from "../model/media-type.ts";
import type { Link, Memory, MemoryDraft } from "../model/memory.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Vector, VectorSpace } from "../model/vector.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/world.ts";
import type { Fetched } from "./host.ts";

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
	/** The language model, where one is configured and may be asked for this. */
	readonly model?: ModelDoor;
	/** Tells what an embedder's answer cost, where it cost something; it goes to the ledger. */
	readonly spent?: (spent: EmbeddingSpent) => void;
	/**
	 * Hands over what is inside of the document and is to become a document of its own, to extractors only. It is durable when
	 * this resolves; several may be handed over at once. @returns false when it is left out: core has remarked why.
	 */
	readonly member?: (member: Member) => Promise<boolean>;
}

/** A file inside of a document: an entry of an archive, an attachment, an embedded workbook. */
export interface Member {
	/** Where it is inside, with slashes, as far as it is known; the same at every reading. Core tidies it and tells twins apart. */
	readonly path: string;
	readonly bytes: Uint8Array;
	/** What the document says it is; null when it does not say. */
	readonly claimedMediaType: MediaType | null;
}

export interface EmbeddingSpent {
	/** The embedder's name. */
	readonly embedder: string;
	/** As the service counts them. */
	readonly tokens: number;
	/** By the operator's price; 0 where there is none. */
	readonly cost: number;
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

/**
 * Knows where the words behind an address really stand: a post in a public API, a document behind its export link, speech in
 * captions. What nobody recognizes is fetched as it is.
 */
export interface AddressReader {
	readonly name: string;
	/** By the address alone; nobody is asked. */
	readonly recognizes: (address: URL) => boolean;
	/**
	 * @returns null when the address only looked like one of its own: then the next reader is asked.
	 * @throws ServiceError `ADDRESS_CHANGED` for an answer of another shape, `ADDRESS_PRIVATE`, `ADDRESS_GONE`, and what
	 * `host.fetch` throws; never an empty extraction.
	 */
	readonly read: (address: URL, step: Step) => Promise<AddressReading | null>;
}

export type AddressReading =
	| { readonly kind: "extraction"; readonly extraction: Extraction }
	/** Bytes for the extractors. What is known of them stands in place of what the extractor finds. */
	| {
			readonly kind: "bytes";
			readonly content: Pick<Fetched, "bytes" | "fileName" | "claimedMediaType" | "charset">;
			readonly known: {
				readonly type?: DocumentType;
				readonly title?: string;
				readonly description?: string;
				readonly language?: string;
				readonly about?: About;
			};
	  };

export interface ChunkLimits {
	/** The most characters a chunk's `indexedText` may have. */
	readonly charactersMax: number;
	/** The size that is wished for, as far as it is one: then it takes the place of the chunker's own. */
	readonly charactersWanted?: number;
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
	/** The languages whose meanings its vectors know, as ISO 639-1 has them; absent where nobody knows. A query in another is told so. */
	readonly languages?: readonly string[];
	/** Of each text, whether it is read to its end, by the embedder's own count; what is longer is cut. Absent where every chunk is read whole. */
	readonly fits?: (texts: readonly string[], step: Step) => Promise<readonly boolean[]>;
	readonly embed: (texts: readonly string[], purpose: "document" | "query", step: Step) => Promise<readonly Vector[]>;
}

/** What a memory extractor reads: the chunks of one document, and what is already known nearby. */
export interface Reading {
	readonly document: Pick<Document, "id" | "containerTags" | "metadata" | "createdAt"> & { readonly title: string | null };
	readonly chunks: readonly Chunk[];
	/** Who or what the document's containers are about, as a client has put it; null when nothing was said. */
	readonly entityContext: string | null;
	/** What the organisation wants remembered, in its own words; absent when it has said nothing. */
	readonly guidance?: string;
}

/** Draws memories from chunks. Every draft names the chunks and spans that support it. */
export interface MemoryExtractor {
	readonly name: string;
	/**
	 * It asks `step.model`. Where there is one it is given a document piece by piece in place of the other extractors, which
	 * read what it could not: whatever the door throws it lets through. Without a model it is not called.
	 */
	readonly asksModel?: true;
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

/** A word that is not in the query but means much the same as one that is. */
export interface RelatedWord {
	readonly word: string;
	/** What it counts beside the words of the client, from 0 to 1. */
	readonly weight: number;
}

/** Answers further phrasings. Core always keeps the one the client wrote. */
export interface QueryRewriter {
	readonly name: string;
	/** It asks `step.model`, and is called only where there is one. No search waits long for it: what comes later is for the next time. */
	readonly asksModel?: true;
	readonly rewrite: (query: string, step: Step) => Promise<readonly string[]>;
	/** Words that the word leg looks for beside those of the client's phrasing: they cost no search of their own. */
	readonly related?: (query: string, step: Step) => Promise<readonly RelatedWord[]>;
}

/** One question to a language model. */
export interface Question {
	/** What it is to do: our words and the organisation's, never a document's. */
	readonly system: string;
	/** What it is to do it with. What comes from a document is fenced as data. */
	readonly prompt: string;
	/** JSON Schema of the one object that is wanted. Every member required, no others, null for what there is not: what all providers take. */
	readonly schema: { readonly [key: string]: Json };
	readonly outputTokensMax: number;
}

export interface ModelUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
}

export interface Generated {
	/** Absent when what came is no JSON, even after mending. It was paid for all the same. */
	readonly object?: Json;
	/** As the provider counts; estimated from the lengths where it does not. */
	readonly usage: ModelUsage;
}

/**
 * Answers a question once: it repeats nothing, keeps nothing and waits no longer than the signal.
 * @throws ServiceError `MODEL_UNAVAILABLE` for what passes by itself, `after` as long as the provider asks to wait, 0 when
 * it has too much to do and does not say for how long: that is never held against the question;
 * `MODEL_REFUSED` when it takes nothing from us: a wrong key, an unknown model; `MODEL_DECLINED` when it does not take this.
 */
export interface LanguageModel {
	readonly name: string;
	/** As the provider calls it. Answers of another one are never taken for its own. */
	readonly model: string;
	readonly generate: (question: Question, step: Step) => Promise<Generated>;
}

/** What core lets a part ask: within the budget, in its turn, each question paid once. */
export interface ModelDoor {
	/** For what is drawn with it: provider and model. */
	readonly name: string;
	/**
	 * @param read the value in an answer, or what is wrong with it: then the model is told so and asked once more.
	 * @throws ServiceError `MODEL_DECLINED`, `MODEL_MALFORMED`, `MODEL_REFUSED`, `MODEL_SPENT` when it has to be done without;
	 * `MODEL_UNAVAILABLE` when all of it is to be done later.
	 */
	readonly ask: <Value>(question: Question, read: (object: Json) => AnswerRead<Value>) => Promise<Value>;
}

export type AnswerRead<Value> = { readonly value: Value } | { readonly complaint: string };

/** What a client says about a connection, or what `configure` made of it: both can be kept as JSON. */
export type ConnectorConfig = { readonly [key: string]: Json };

/** Where a sync stands: JSON of the connector's own making, at most `limits.cursorBytesMax` long. */
export type Cursor = { readonly [key: string]: Json };

/** One thing of the far side that becomes a document. */
export interface ConnectorItem {
	/** Its name for good, unique within the connection, at most `limits.connectorKeyCharactersMax` long: the document's `customId` is made of it. */
	readonly key: string;
	readonly content: ItemContent;
	/** As the far side calls it; null where reading the content tells better. */
	readonly title: string | null;
	readonly metadata: Metadata;
	/** Where it goes instead of the connection's container; null for there. */
	readonly containerTag: string | null;
}

export type ItemContent =
	| { readonly kind: "text"; readonly text: string; readonly mediaType: MediaType }
	| { readonly kind: "address"; readonly url: string }
	| {
			readonly kind: "file";
			readonly bytes: Uint8Array;
			readonly fileName: string | null;
			readonly claimedMediaType: MediaType | null;
			/** The character set that came with it; null when none was named. */
			readonly charset: string | null;
			/** Where it was fetched, for links that are relative to it; null when it has no public address. */
			readonly address: string | null;
	  };

/**
 * One step of a sync. `cursor` makes the cursor to keep once the step is done; it is asked for before the next step is, and
 * answers a value that changes no more. The cursor of a `checkpoint` is always kept, so it names what comes next before it
 * comes. Those of the others may be left out: then, after a kill, the same changes come again under the same keys.
 */
export type Change =
	| { readonly kind: "put"; readonly item: ConnectorItem; readonly cursor: () => Cursor }
	/** Gone from the far side. It may never have been put: whoever applies it finds nothing and goes on. */
	| { readonly kind: "remove"; readonly key: string; readonly cursor: () => Cursor }
	| { readonly kind: "checkpoint"; readonly cursor: () => Cursor };

/** What a client may choose among, as the service outside describes it. */
export interface ConnectorResources {
	/** @returns one page, and how many there are in all; null when the service does not say. */
	readonly list: (
		config: ConnectorConfig,
		page: ResourcePage,
		step: Step,
	) => Promise<{ readonly resources: readonly Resource[]; readonly total: number | null }>;
	/** The same configuration with nothing chosen but these. @throws ServiceError of kind `invalid` */
	readonly choose: (config: ConnectorConfig, chosen: readonly Resource[]) => ConnectorConfig;
}

export type Resource = { readonly [key: string]: Json };

export interface ResourcePage {
	/** From 1. */
	readonly page: number;
	readonly perPage: number;
	/** Those inside this one; null for the outermost. */
	readonly parent: string | null;
}

/** Reads a service outside and tells what has changed there. */
export interface Connector {
	/** The provider's name in the address, as in `/v3/connections/web-crawler`. */
	readonly name: string;
	/** Keys of the metadata that are never shown, logged, or copied to a document. */
	readonly secrets: readonly string[];
	/** How long after one sync the next is due. */
	readonly syncEveryMs: number;
	/**
	 * What the client sent → what `sync` needs, complete and checked; given its own answer it answers the same. Keys it does not
	 * know are left out: they are the client's own attributes.
	 * @param documentsMax the most documents that the connection may have at any time.
	 * @throws ServiceError of kind `invalid` that names the key.
	 */
	readonly configure: (metadata: Readonly<Record<string, unknown>>, documentsMax: number) => ConnectorConfig;
	/** Asks the far side once whether it lets us in, when a connection is made. @throws ServiceError that says why not. */
	readonly check?: (config: ConnectorConfig, step: Step) => Promise<void>;
	/** Where there is something to choose from, such as repositories: what there is, and how a choice changes the configuration. */
	readonly resources?: ConnectorResources;
	/**
	 * All changes since the cursor; without one, all there is. Killed anywhere and begun again with the last cursor kept, it
	 * loses nothing and doubles nothing; what changes behind the place of the kill may be left to the sync after that. A cursor
	 * it cannot read counts as none.
	 * @throws ServiceError; one that may pass leaves everything as it stands.
	 */
	readonly sync: (config: ConnectorConfig, cursor: Cursor | null, step: Step) => AsyncIterable<Change>;
}

/** The one list of what can be plugged in. A new kind starts here. */
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
	storage: Storage;
}
export type Kind = keyof Kinds;

/** What a started plugin offers, and how it ends. */
export type Provides = { readonly [K in Kind]?: readonly Kinds[K][] } & { readonly stop?: () => Promise<void> };

/**
 * How the parts of one kind share the work. `one` is named in the config, and so is `one or none`; `first` is the most specific that accepts,
 * then config order, and of address readers the first that does not answer null; the answers of `all` are added up in config order; `named`
 * is asked for by its name.
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
} as const satisfies Record<Kind, "one" | "one or none" | "first" | "all" | "named">;
