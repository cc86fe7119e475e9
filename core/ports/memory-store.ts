/** Memories with their versions and edges. Everything is of one organisation. */

import type { DocumentId, MemoryId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { EmbeddingSpace, Vector } from "../model/vector.ts";
import type { Page, Position } from "./document-store.ts";
import type { MemoryFilter } from "./vector-search.ts";

export interface EmbeddedMemory {
	readonly memory: Memory;
	readonly vector: Vector;
}

/** The words in one document that a memory rests on. */
export interface Ground {
	readonly memory: MemoryId;
	readonly evidence: Memory["evidence"];
}

export type MemoryAmendment = Partial<Pick<Memory, "isInference" | "metadata" | "reviewAfter">>;

export interface ListedMemories {
	readonly memories: readonly Memory[];
	/** How many there are in all, on this page, before and after it. */
	readonly total: number;
}

export interface MemoryStore {
	/**
	 * Saves memories with their vectors and edges in one durable transaction. Whatever an `updates` edge points to is no
	 * longer the latest. An `updates` edge whose target is not the latest any more makes the whole call do nothing; the
	 * target may be another memory of the same call.
	 * Evidence in documents that are gone is dropped, and an extracted memory that none of its documents holds in its container is
	 * not saved: what reads a document that leaves a container meanwhile does not bring the container back.
	 * @returns whether it was saved; false means the neighbours have changed and the caller should look again.
	 */
	readonly save: (space: EmbeddingSpace, memories: readonly EmbeddedMemory[], edges: readonly MemoryEdge[]) => Promise<boolean>;
	/** In the order of the ids; what is gone is left out. */
	readonly get: (ids: readonly MemoryId[]) => Promise<readonly Memory[]>;
	/** The newest memory of a container with this very text that is neither replaced nor forgotten. */
	readonly byText: (containerTag: string, text: string) => Promise<Memory | null>;
	/** Every edge that begins or ends at one of these. */
	readonly edges: (ids: readonly MemoryId[]) => Promise<readonly MemoryEdge[]>;
	/**
	 * The newest edges of each of these, at most `limit` of a relation at either end, and none from a memory that was made after
	 * `until`. No more than these are read: a memory may have thousands.
	 */
	readonly newestEdges: (ids: readonly MemoryId[], limit: number, until: Date | null) => Promise<readonly MemoryEdge[]>;
	/** A further source for a memory that is already known. @returns false when memory or document is gone. */
	readonly support: (id: MemoryId, evidence: Memory["evidence"], now: Date) => Promise<boolean>;
	/** Page by page; `latestOnly` leaves out what was replaced. Forgotten ones are listed too. */
	readonly list: (scope: Scope, latestOnly: boolean, page: Page) => Promise<ListedMemories>;
	/** How many a search with this filter could show. */
	readonly count: (memoryFilter: MemoryFilter) => Promise<number>;
	/** The memories extracted from a document, newest first. */
	readonly ofDocument: (document: DocumentId) => Promise<readonly Memory[]>;
	/** The memories extracted from any of these documents, each once, newest first. Their evidence names the documents. */
	readonly ofDocuments: (documents: readonly DocumentId[]) => Promise<readonly Memory[]>;
	/**
	 * A document has been read anew: what it still says rests on `grounds` now, in place of any words of it before, and is
	 * otherwise as it was; `gone` it does not say any more. A memory with another source only loses this one, the others go, and
	 * what they had replaced is the latest again. What was inferred from them goes along, unless the document still says it
	 * itself. All in one durable transaction.
	 */
	readonly reground: (document: DocumentId, grounds: readonly Ground[], gone: readonly MemoryId[], now: Date) => Promise<void>;
	/** Hides memories from every search that does not ask for them. @returns how many were hidden. */
	readonly forget: (ids: readonly MemoryId[], reason: string | null, now: Date) => Promise<number>;
	/** Takes `forget` back; what has expired meanwhile stays from now on. @returns how many are shown again. */
	readonly restore: (ids: readonly MemoryId[], now: Date) => Promise<number>;
	/** Moves up to `limit` memories, current or not, into another container, whatever holds them where they are. @returns how many. */
	readonly rehome: (from: string, to: string, limit: number, now: Date) => Promise<number>;
	/** Current memories of a container that a person should check, the one that has waited longest first, then by id. */
	readonly due: (containerTag: string, now: Date, limit: number, after: Position | null) => Promise<readonly Memory[]>;
	/** Changes facts about a memory, not its text. @returns false when it is gone. */
	readonly amend: (id: MemoryId, amendment: MemoryAmendment, now: Date) => Promise<boolean>;
}
