/** Original bytes and stored extractions, by key. Everything is of one organisation. */

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
