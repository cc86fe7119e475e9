/** Memory extractors propose memories; linkers say how these relate to known ones. */

import type { Chunk } from "../../model/chunk.ts";
import type { Document } from "../../model/document.ts";
import type { Link, Memory, MemoryDraft } from "../../model/memory.ts";
import type { Step } from "./step.ts";

/** What a memory extractor reads: the chunks of one document, and what is already known nearby. */
export interface MemoryInput {
	readonly document: Pick<Document, "id" | "containerTags" | "metadata" | "createdAt"> & { readonly title: string | null };
	readonly chunks: readonly Chunk[];
	/** Who or what the document's containers are about, in a client's words; null when it was not stated. */
	readonly entityContext: string | null;
	/** What the organisation wants remembered, in its own words; absent when it has not said. */
	readonly guidance?: string;
}

/** Extracts memories from chunks. Every draft names the chunks and spans that support it. */
export interface MemoryExtractor {
	readonly name: string;
	/** To be raised when its results change: documents read by another version are then read again in the background. */
	readonly version?: string;
	/**
	 * It uses `step.model`. With a model it gets documents piece by piece in place of the other extractors, which read what it
	 * could not; it must not catch errors of the client. Without a model it is not called.
	 */
	readonly asksModel?: true;
	readonly extract: (input: MemoryInput, step: Step) => Promise<readonly MemoryDraft[]>;
}

/** A known memory near a new one. */
export interface Neighbour {
	readonly memory: Memory;
	/** 0 for unrelated texts, 1 for the same words: see `relevance`. */
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
