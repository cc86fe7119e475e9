/** What is known after each stage. Each hand-off extends the one before, so a stage given too little does not compile. */

import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { Extraction } from "../model/extraction.ts";
import type { MediaType } from "../model/media-type.ts";

/** A document whose processing begins. */
export interface Received {
	readonly document: Document;
}

export interface Extracted extends Received {
	readonly mediaType: MediaType;
	readonly extraction: Extraction;
}

export interface Chunked extends Extracted {
	readonly chunks: readonly Chunk[];
}

export interface Embedded extends Chunked {
	/** Resolves when all chunks are staged with their vectors, and to false when the revision is gone. No search sees them yet. */
	readonly staged: Promise<boolean>;
}

/** Published: a search finds it. */
export interface Indexed extends Chunked {
	readonly publishedAt: Date;
}

/** All that remembering needs of a document that was indexed, now or by an earlier try. */
export type Published = Pick<Indexed, "document" | "chunks">;

export interface Remembered {
	/** How many memories were extracted; null when they are left to a job of their own, or not wanted. */
	readonly memories: number | null;
}
