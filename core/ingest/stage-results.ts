/** The result of each stage. Each result extends the one before, so a call of a stage without what it needs does not compile. */

import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { Extraction } from "../model/extraction.ts";
import type { MediaType } from "../model/media-type.ts";

/** A document before the first stage. */
export interface ReceivedDocument {
	readonly document: Document;
}

export interface ExtractedDocument extends ReceivedDocument {
	readonly mediaType: MediaType;
	readonly extraction: Extraction;
}

export interface ChunkedDocument extends ExtractedDocument {
	readonly chunks: readonly Chunk[];
}

export interface EmbeddedDocument extends ChunkedDocument {
	/** Resolves when all chunks are staged with their vectors; to false if the revision is gone. No search sees them yet. */
	readonly staged: Promise<boolean>;
}

/** A published document: searches find it. */
export interface IndexedDocument extends ChunkedDocument {
	readonly publishedAt: Date;
}

/** What the last stage needs of a document that was published by this attempt or an earlier one. */
export type PublishedDocument = Pick<IndexedDocument, "document" | "chunks">;

export interface RememberedDocument {
	/** How many memories were extracted; null if a separate job extracts them, or if they are not wanted. */
	readonly memories: number | null;
}
