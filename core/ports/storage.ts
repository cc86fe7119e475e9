/** The storage: all ports of stored data together. It needs no search engine for words or vectors, and stores no blobs. */

import type { OrganisationId } from "../model/id.ts";
import type { DocumentStatus } from "../model/status.ts";
import type { EmbeddingSpace, StoredSpace } from "../model/vector.ts";
import type { AccountStore, RateLimit } from "./account-store.ts";
import type { BlobName, BlobStore, BlobStorePlugin } from "./blob-store.ts";
import type { ContainerStore } from "./container-store.ts";
import type { DocumentStore } from "./document-store.ts";
import type { EmbeddingSpaceStore } from "./embedding-space-store.ts";
import type { EventLog } from "./event-log.ts";
import type { TextSource, VectorSource } from "./index-source.ts";
import type { Job, JobQueue, Task } from "./job-queue.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { RecordStore } from "./record-store.ts";
import type { RemovalStore } from "./removal-store.ts";
import type { VectorSearch } from "./vector-search.ts";
import type { WordSearch } from "./word-search.ts";

/** Removes blobs that no document has any more. */
export type BlobRemover = (blobs: readonly BlobName[]) => Promise<void>;

/** What a plugin of kind `storage` provides: the tables, which are the source of truth. */
export interface StoragePlugin {
	readonly name: string;
	/** What this storage supports. The contract tests check it. */
	readonly supports: {
		/** Several worker processes may write concurrently. If false, the server runs one. */
		readonly manyWriters: boolean;
		/** Data is still there after `close` and a new start. */
		readonly durable: boolean;
	};
	/**
	 * The stores of one organisation. All data of an organisation is reached through them only, so that no query can forget the
	 * organisation. Cheap; it may be called for every request.
	 * @param job whose work the writes are. A storage with many writers rejects a write with `LEASE_LOST` once another worker has the job.
	 */
	readonly organisation: (id: OrganisationId, job?: Job) => TenantRecords;
	/** The data that indexes are fed from, and that searches without an index read. Only for core, since it ignores the grants of API keys. */
	readonly vectorSource: (organisation: OrganisationId, space: StoredSpace) => VectorSource;
	readonly textSource: (organisation: OrganisationId) => TextSource;
	/** The storage's own searches, if its database has a search engine. Without them, searches read every text in scope. */
	readonly search?: OwnSearch;
	readonly jobs: JobQueue;
	readonly accounts: AccountStore;
	readonly spaces: EmbeddingSpaceStore;
	/**
	 * Those of the blobs that must be kept: the file of a document as long as the document exists or can be restored, and a blob named after
	 * a document, such as its stored extraction, as long as the document is not finished.
	 */
	readonly blobsNeeded: (organisation: OrganisationId, keys: readonly string[]) => Promise<ReadonlySet<string>>;
	/**
	 * Brings the schema up to date. Called once, before anything else.
	 * @param beforeUpgrade is awaited before data of an older schema is changed; its argument is the number of that schema. If it rejects, nothing is changed.
	 */
	readonly migrate: (beforeUpgrade?: (schema: number) => Promise<void>) => Promise<void>;
	/** The clock of the database, by which the programs that share it agree on when a lease expires. Absent where one program uses the storage. */
	readonly now?: () => Promise<Date>;
	/** Takes a token from a bucket that all programs share. Absent where each program counts by itself. */
	readonly takeToken?: (organisation: OrganisationId, bucket: string, limit: RateLimit) => Promise<TakenToken>;
	/** Rejects with the reason if the storage does not work. */
	readonly check: () => Promise<void>;
	/** Counts over all organisations. It may take a second, and does not delay other requests. Absent if the storage cannot count. */
	readonly statistics?: (now: Date) => Promise<Statistics>;
	/**
	 * Does slow maintenance in the background: rebuilds index files, removes rows that nothing refers to, and forgets memories whose
	 * `forgetAfter` has passed, with their own `forgetReason` or `expired`. It is safe to call at any time.
	 * @param removeBlobs called with the original files of documents that can no longer be restored, after the commit; never rejects
	 */
	readonly maintain: (signal: AbortSignal, removeBlobs?: BlobRemover) => Promise<void>;
	/**
	 * Calls the listener soon after any thread of the program has changed something; many changes may cause one call. It is a hint for
	 * callers that would otherwise poll often. Absent if the storage cannot report changes. @returns a function that stops it.
	 */
	readonly onWritten?: (listener: () => void) => () => void;
	/** The same after a job was added, by whichever program. Absent where only this program adds jobs. */
	readonly onJobAdded?: (listener: () => void) => () => void;
	/** What is kept outside the data folder. Absent where everything is in the folder. */
	readonly outside?: OutsideTables;
	/** Stops all work and closes every file. Acknowledged writes are safe even without it. */
	readonly close: () => Promise<void>;
	/**
	 * Returns what another thread of the program needs to open the same storage; that thread's plugin gets it as `host.inherited`. Absent if
	 * each thread can simply open the storage by itself.
	 */
	readonly share?: () => Inheritance;
}

/** The tables of a database, as `cairn erase` needs them. */
export interface OutsideTables {
	/** Rewrites all tables, so that nothing of deleted rows is left in their files. Indexes are emptied and made anew later. Other programs wait meanwhile. */
	readonly scrub: () => Promise<void>;
	/** Every row of every table that is there, whoever made it. */
	readonly read: () => AsyncIterable<StoredTable>;
}

export interface StoredTable {
	readonly name: string;
	/** The values of all rows, one after the other. A text is in UTF-8. */
	readonly values: AsyncIterable<Uint8Array>;
}

export interface TakenToken {
	readonly isAllowed: boolean;
	/** What is left in the bucket, in requests; a bucket fills evenly. */
	readonly tokens: number;
}

/** Counts over all organisations, for whoever runs the server. */
export interface Statistics {
	readonly jobs: readonly TaskStatistics[];
	readonly documents: Readonly<Partial<Record<DocumentStatus, number>>>;
	/** Null if unknown. */
	readonly databaseBytes: number | null;
	/** As of the last sweep; null before it, or if unknown. */
	readonly blobBytes: number | null;
	/** Why original files are not removed; null if they are, or before the first sweep. */
	readonly blobsKeptBecause?: string | null;
}

export interface TaskStatistics {
	readonly task: Task;
	readonly waiting: number;
	readonly running: number;
	/** For how long the oldest waiting job has been due; 0 if none is. */
	readonly oldestDueSeconds: number;
}

/** A value that can be posted to another thread, and its transferable objects. */
export interface Inheritance {
	readonly value: unknown;
	readonly transfer: readonly unknown[];
}

/** The functions are cheap; they may be called for every request. */
export interface OwnSearch {
	readonly words: (organisation: OrganisationId) => WordSearch;
	readonly vectors: (organisation: OrganisationId, space: EmbeddingSpace) => VectorSearch;
}

/** The storage as core uses it: with blobs and searches added, whichever plugins provide them. */
export interface Storage extends StoragePlugin {
	readonly listBlobs: BlobStorePlugin["list"];
	readonly readBlobs?: NonNullable<BlobStorePlugin["read"]>;
	/** Makes blobs that are nobody's those of this database, if it knows them. @returns whether they are its own; if not, `remove` leaves them as they are */
	readonly claimBlobs: () => Promise<boolean>;
	readonly organisation: (id: OrganisationId, job?: Job) => TenantStore;
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
