/** Memory extractors, which propose memories, and linkers, which relate them to known memories. */

import type { Chunk } from "../../model/chunk.ts";
import type { Document } from "../../model/document.ts";
import type { MemoryId } from "../../model/id.ts";
import type { Link, Memory, MemoryDraft } from "../../model/memory.ts";
import type { Step } from "./step.ts";

/** The input of a memory extractor: the chunks of one document, and similar memories that are already known. */
export interface MemoryInput {
	readonly document: Pick<Document, "id" | "containerTags" | "metadata" | "createdAt"> & {
		/** The name of the file if nothing else says how it is called. */
		readonly title: string | null;
		/** Absent if it is no file, or a file without a name. */
		readonly fileName?: string;
		/** The day that `today` refers to in its text; null if it is not known, as for most files. */
		readonly referenceDate: Date | null;
	};
	readonly chunks: readonly Chunk[];
	/** Who or what the document's containers are about, in a client's words; null if no client has stated it. */
	readonly entityContext: string | null;
	/** What the organisation wants remembered, in its own words; absent if it has not stated it. */
	readonly guidance?: string;
	/**
	 * The text directly before these chunks, as context. Absent at the beginning of a document, and if the extractor gets the whole
	 * document.
	 */
	readonly before?: string;
	/** The most similar memories of other documents in the same containers, most similar first. Only for an extractor that uses a model. */
	readonly known?: readonly KnownMemory[];
}

export interface KnownMemory {
	readonly id: MemoryId;
	readonly text: string;
	/** The date that its source states, otherwise the date on which it was stored. */
	readonly on: Date;
}

/** A memory that an extractor proposes. */
export interface ExtractedDraft extends MemoryDraft {
	/** Which of the `known` memories are no longer true because of this one. No other memory among `known` is replaced by it. */
	readonly replaces?: readonly MemoryId[];
}

/** Extracts memories from chunks. Every draft names the chunks and spans that support it. */
export interface MemoryExtractor {
	readonly name: string;
	/** Change it when the results change: memories are then extracted again, in the background, from documents read by another version. */
	readonly version?: string;
	/**
	 * Set if it uses `step.model`. If a model is configured, it gets documents piece by piece instead of the other extractors, which read
	 * the pieces that it could not; it must not catch errors of the client. Without a model it is not called.
	 */
	readonly asksModel?: true;
	readonly extract: (input: MemoryInput, step: Step) => Promise<readonly ExtractedDraft[]>;
}

/** A known memory near a new one. */
export interface Neighbour {
	readonly memory: Memory;
	/** 0 for unrelated texts, 1 for the same words, see `relevance`. */
	readonly affinity: number;
}

/** Decides how a new memory relates to its nearest neighbours. A duplicate is merged into its neighbour, which gains a source. */
export interface MemoryLinker {
	readonly name: string;
	/** @param neighbours nearest first; equally near ones in the order in which they were saved, which the same texts have whatever their ids are */
	readonly link: (draft: MemoryDraft, neighbours: readonly Neighbour[], step: Step) => Promise<Linking>;
}

export interface Linking {
	readonly links: readonly Link[];
	/** The neighbour that states the same; `links` is then empty. Null if there is none. */
	readonly duplicateOf: Memory["id"] | null;
}
