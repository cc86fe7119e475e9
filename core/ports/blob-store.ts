/** Original bytes and stored extractions, by key. */

import type { OrganisationId } from "../model/id.ts";

/** The blobs of one organisation. */
export interface BlobStore {
	/**
	 * Stores the bytes atomically; durable when this resolves. Stops reading and rejects with `FILE_TOO_LARGE` after `bytesMax`; the
	 * previous bytes of the key are then kept. A key is letters, digits, `.`, `_` and `-`; anything else is refused.
	 */
	readonly put: (key: string, bytes: AsyncIterable<Uint8Array>, bytesMax: number) => Promise<{ readonly byteLength: number; readonly sha256: string }>;
	readonly get: (key: string) => Promise<Uint8Array | null>;
	/** Does nothing when there is no such key. */
	readonly remove: (key: string) => Promise<void>;
}

export interface BlobName {
	readonly organisation: OrganisationId;
	readonly key: string;
}

export interface HeldBlob extends BlobName {
	/** When its bytes were written. */
	readonly writtenAt: Date;
	/** When they came to this place: later than `writtenAt` where they were brought back from elsewhere. */
	readonly placedAt: Date;
}

/** What a plugin of kind `blobStore` offers. It knows no documents: which blobs are needed is asked of the storage. */
export interface BlobStorePlugin {
	readonly name: string;
	/** Cheap: may be called for every request. */
	readonly organisation: (id: OrganisationId) => BlobStore;
	/** All blobs of all organisations, in no order. One that is put or removed meanwhile may be there or not. */
	readonly list: () => AsyncIterable<HeldBlob>;
	/** Removes what broken-off calls of `put` have left. Safe to call at any time. */
	readonly maintain?: (signal: AbortSignal) => Promise<void>;
}
