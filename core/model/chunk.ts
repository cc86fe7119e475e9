/** A chunk: the piece of a document that is embedded, indexed and found. */

import type { Place } from "./extraction.ts";
import type { ChunkId, DocumentId } from "./id.ts";

/** A chunk as a chunker returns it. */
export interface ChunkDraft {
	/** The text that a search returns. */
	readonly text: string;
	/** What is embedded and indexed: the text with its heading path, or a table's rows with their header. */
	readonly indexedText: string;
	readonly place: Place;
}

export interface Chunk extends ChunkDraft {
	readonly id: ChunkId;
	readonly document: DocumentId;
	readonly revision: number;
	/** From 0, in reading order. */
	readonly position: number;
}
