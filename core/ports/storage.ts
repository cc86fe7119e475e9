/** What a storage must do: all ports together, and what it claims beyond the minimum. It needs no engine for words or vectors, and keeps no blobs. */

import type { OrganisationId } from "../model/id.ts";
import type { EmbeddingSpace } from "../model/vector.ts";
import type { AccountStore } from "./account-store.ts";
import type { BlobStore } from "./blob-store.ts";
import type { ContainerStore } from "./container-store.ts";
import type { DocumentStore } from "./document-store.ts";
import type { EmbeddingSpaceStore } from "./embedding-space-store.ts";
import type { EventLog } from "./event-log.ts";
import type { TextSource, VectorSource } from "./index-source.ts";
import type { JobQueue } from "./job-queue.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { RecordStore } from "./record-store.ts";
import type { RemovalStore } from "./removal-store.ts";
import type { VectorSearch } from "./vector-search.ts";
import type { WordSearch } from "./word-search.ts";

/** What a plugin of kind `storage` offers: a record store, which is the truth. */
export interface StoragePlugin {
	readonly name: string;
	/** The contract tests hold a storage to exactly these claims. */
	readonly supports: {
		/** Several worker processes may write at once. When false the server runs one. */
		readonly manyWriters: boolean;
		/** Data outlives `close`. */
		readonly durable: boolean;
	};
	/**
	 * The stores of one organisation. Everything a tenant owns is reached through here and through nothing else, so a
	 * statement that forgets the organisation cannot be written. Cheap: may be called for every request.
	 */
	readonly organisation: (id: OrganisationId) => TenantRecords;
	/** What indexes are fed from, and searches without one. Not among a tenant's stores: it is for core alone, and knows no key's bounds. */
	readonly vectorSource: (organisation: OrganisationId, space: EmbeddingSpace) => VectorSource;
	readonly textSource: (organisation: OrganisationId) => TextSource;
	/** Searches of its own, for a database that has an engine beside its tables. Without them every text in scope is read. */
	readonly search?: OwnSearch;
	readonly jobs: JobQueue;
	readonly accounts: AccountStore;
	readonly spaces: EmbeddingSpaceStore;
	/**
	 * Those of the blobs that must stay: a document's own as long as the document is there or may come back, and what is named
	 * after a document as long as that is not finished.
	 */
	readonly blobsNeeded: (organisation: OrganisationId, keys: readonly string[]) => Promise<ReadonlySet<string>>;
	/** Brings the schema up to date. Called once, before anything else. */
	readonly migrate: () => Promise<void>;
	/** Rejects with the reason when the storage cannot answer. */
	readonly check: () => Promise<void>;
	/**
	 * Does slow upkeep in the background: rebuilds index files, removes rows that nothing points to, and forgets memories whose
	 * `forgetAfter` has passed, with the reason they were given or `expired`. Safe to call at any time.
	 */
	readonly maintain: (signal: AbortSignal) => Promise<void>;
	/**
	 * Calls back soon after something was changed, by whichever thread of the program; many changes may make one call. A hint
	 * for callers that would otherwise poll often. Absent where the storage cannot report. @returns a function that stops it.
	 */
	readonly onWritten?: (listener: () => void) => () => void;
	/** Ends all work and closes every file. Acknowledged writes are safe without it. */
	readonly close: () => Promise<void>;
	/**
	 * A storage that several threads of one program may open says how: the answer is handed to the same plugin in
	 * the other thread as `host.inherited`. Absent when each thread can simply open the storage anew.
	 */
	readonly share?: () => Inheritance;
}

/** A value that can be posted to another thread, and what has to be moved with it. */
export interface Inheritance {
	readonly value: unknown;
	readonly transfer: readonly unknown[];
}

/** Cheap: may be called for every request. */
export interface OwnSearch {
	readonly words: (organisation: OrganisationId) => WordSearch;
	readonly vectors: (organisation: OrganisationId, space: EmbeddingSpace) => VectorSearch;
}

/** What core works with: a storage with its blobs, and searched, by whichever engine. */
export interface Storage extends StoragePlugin {
	readonly organisation: (id: OrganisationId) => TenantStore;
}

export interface TenantRecords {
	readonly documents: DocumentStore;
	readonly memories: MemoryStore;
	readonly containers: ContainerStore;
	readonly profiles: ProfileStore;
	readonly records: RecordStore;
	readonly removals: RemovalStore;
	readonly events: EventLog;
}

export interface TenantStore extends TenantRecords {
	readonly blobs: BlobStore;
	readonly words: WordSearch;
	readonly vectors: (space: EmbeddingSpace) => VectorSearch;
}
