/** Original bytes and stored extractions, by key. */

import type { OrganisationId } from "../model/id.ts";

/** The blobs of one organisation. */
export interface BlobStore {
	/**
	 * Stores the bytes atomically; they are durable when the promise resolves. It stops reading and rejects with `FILE_TOO_LARGE` after
	 * `bytesMax`; the previous bytes of the key are then kept. A key consists of letters, digits, `.`, `_` and `-`; other keys are refused.
	 */
	readonly put: (key: string, bytes: AsyncIterable<Uint8Array>, bytesMax: number) => Promise<{ readonly byteLength: number; readonly sha256: string }>;
	readonly get: (key: string) => Promise<Uint8Array | null>;
	/** Does nothing if the key does not exist. */
	readonly remove: (key: string) => Promise<void>;
}

export interface BlobName {
	readonly organisation: OrganisationId;
	readonly key: string;
}

export interface HeldBlob extends BlobName {
	/** When its bytes were written. */
	readonly writtenAt: Date;
	/** When the file was placed in this store: later than `writtenAt` if it was restored from a backup. */
	readonly placedAt: Date;
	/** Absent if the list does not know it. */
	readonly byteLength?: number;
}

/** Anything that is in the place of the blobs. */
export interface HeldObject {
	readonly name: string;
	readonly pieces: AsyncIterable<Uint8Array>;
}

/** What a plugin of kind `blobStore` provides. It knows nothing of documents: the storage knows which blobs are needed. */
export interface BlobStorePlugin {
	readonly name: string;
	/** Cheap; it may be called for every request. */
	readonly organisation: (id: OrganisationId) => BlobStore;
	/** All blobs of all organisations, in no particular order. A blob that is put or removed in the meantime may be listed or not. */
	readonly list: () => AsyncIterable<HeldBlob>;
	/** Everything that is there, also what is no blob. Absent where that is the data folder. */
	readonly read?: () => AsyncIterable<HeldObject>;
	/**
	 * How many milliseconds pass between two searches for blobs that nothing needs. Set by a store on another machine: each list is paid for,
	 * and the times in it are of another clock, so no blob is taken for one of an earlier run.
	 */
	readonly sweepEveryMs?: number;
	/**
	 * The mark of the database whose blobs these are: a text of up to 100 characters beside them, which no list has. Absent where no other
	 * database can reach them.
	 */
	readonly owner?: {
		/** Null if there is none. */
		readonly read: () => Promise<string | null>;
		/** Durable when the promise resolves; there is always the old one or the new one. */
		readonly write: (mark: string) => Promise<void>;
	};
	/** Removes the temporary files of interrupted calls of `put`. It is safe to call at any time. */
	readonly maintain?: (signal: AbortSignal) => Promise<void>;
}
