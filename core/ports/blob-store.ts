/** Original bytes and stored extractions, by key. Everything is of one organisation. */

export interface BlobStore {
	/**
	 * Keeps the bytes; durable when this resolves, and never half there. Stops reading and rejects with
	 * `FILE_TOO_LARGE` after `bytesMax`; then what the key held before is still there. A key is letters, digits, `.`, `_`
	 * and `-`; anything else is refused.
	 */
	readonly put: (key: string, bytes: AsyncIterable<Uint8Array>, bytesMax: number) => Promise<{ readonly byteLength: number; readonly sha256: string }>;
	readonly get: (key: string) => Promise<Uint8Array | null>;
	/** Removing what is not there is fine. */
	readonly remove: (key: string) => Promise<void>;
}
