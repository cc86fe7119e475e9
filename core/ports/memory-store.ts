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

/** The passages of one document that support a memory. */
export interface Ground {
	readonly memory: MemoryId;
	readonly evidence: Memory["evidence"];
}

export type MemoryAmendment = Partial<Pick<Memory, "isInference" | "metadata" | "reviewAfter">>;

export interface ListedMemories {
	readonly memories: readonly Memory[];
	/** The number of all matching memories, on all pages. */
	readonly total: number;
}

export interface MemoryStore {
	/**
	 * Saves memories with their vectors and edges in one durable transaction. The target of an `updates` edge is no longer the latest
	 * version; it may be another memory of the same call. If the target of an `updates` edge is not the latest version any more, or has
	 * moved out of the container of the memory that updates it, nothing is saved.
	 * Evidence in deleted documents is dropped. An extracted memory is not saved if none of its documents is in its container any more, so
	 * that a document which leaves a container while it is processed does not create the container again.
	 * @returns whether the memories were saved. False means that known memories have changed, and the caller should compare again.
	 */
	readonly save: (space: EmbeddingSpace, memories: readonly EmbeddedMemory[], edges: readonly MemoryEdge[]) => Promise<boolean>;
	/** The memories in the order of the ids; missing ones are left out. */
	readonly get: (ids: readonly MemoryId[]) => Promise<readonly Memory[]>;
	/** The containers of those that are in one of these. Of a memory in another one nothing is read, so that it takes as long as a missing one. */
	readonly within: (ids: readonly MemoryId[], containerTags: readonly string[]) => Promise<ReadonlyMap<MemoryId, string>>;
	/** The subjects of these memories; missing memories are left out. It reads a tenth of what `get` reads. */
	readonly subjects: (ids: readonly MemoryId[]) => Promise<ReadonlyMap<MemoryId, string | null>>;
	/** The newest memory of a container with exactly this text that is neither replaced nor forgotten. */
	readonly byText: (containerTag: string, text: string) => Promise<Memory | null>;
	/** All edges from or to one of these memories. */
	readonly edges: (ids: readonly MemoryId[]) => Promise<readonly MemoryEdge[]>;
	/**
	 * The newest edges of each of these memories: for each relation at most `limit` incoming and `limit` outgoing ones, and none from a
	 * memory created after `until`. No other edges are read, since a memory may have thousands.
	 */
	readonly newestEdges: (ids: readonly MemoryId[], limit: number, until: Date | null) => Promise<readonly MemoryEdge[]>;
	/** Adds evidence to an existing memory. @returns false if the memory or the document is gone. */
	readonly support: (id: MemoryId, evidence: Memory["evidence"], now: Date) => Promise<boolean>;
	/**
	 * One page of memories, including forgotten ones.
	 * @param latestOnly leaves out versions that were replaced
	 * @param seen lists only what a search sees, as `MemoryFilter` says: what is current, or was at a moment, whatever `latestOnly` says
	 */
	readonly list: (
		scope: Scope,
		latestOnly: boolean,
		page: Page,
		seen?: Pick<MemoryFilter, "now" | "moment"> & Partial<Pick<MemoryFilter, "includeForgotten">>,
	) => Promise<ListedMemories>;
	/** How many memories match the filter. */
	readonly count: (memoryFilter: MemoryFilter) => Promise<number>;
	/** The memories extracted from a document, newest first. */
	readonly ofDocument: (document: DocumentId) => Promise<readonly Memory[]>;
	/** The memories extracted from any of these documents, each once, newest first. Their evidence names the documents. */
	readonly ofDocuments: (documents: readonly DocumentId[]) => Promise<readonly Memory[]>;
	/**
	 * Updates the evidence in a document that was processed again, in one durable transaction. For each memory that the document still
	 * supports, `grounds` replaces its evidence in this document; nothing else of it changes. The document no longer supports the memories
	 * `gone`: those with another source lose only this one; the others are deleted together with the memories inferred from them (unless the
	 * document itself still supports these), and the versions they had replaced become the latest again.
	 */
	readonly reground: (document: DocumentId, grounds: readonly Ground[], gone: readonly MemoryId[], now: Date) => Promise<void>;
	/**
	 * Forgets memories: they are hidden from searches that do not include forgotten ones. A record of kind `removal` names those that can be
	 * restored until it expires; then `maintain` deletes what a client wrote of them for good. What was set aside with a document by then is
	 * deleted when it comes back. @returns how many were hidden.
	 */
	readonly forget: (ids: readonly MemoryId[], reason: string | null, now: Date) => Promise<number>;
	/**
	 * Reverses `forget`, but not for a memory whose record has expired. A memory that has expired in the meantime no longer expires.
	 * @returns how many memories are visible again.
	 */
	readonly restore: (ids: readonly MemoryId[], now: Date) => Promise<number>;
	/**
	 * Deletes memories for good, forgotten or not, with their vectors, metadata, evidence and edges. The versions before and after one that
	 * is not the last stay linked. @returns how many there were.
	 */
	readonly erase: (ids: readonly MemoryId[], now: Date) => Promise<number>;
	/** Moves up to `limit` memories, current or not, into another container, even if their documents are in the old one. @returns how many were moved. */
	readonly rehome: (from: string, to: string, limit: number, now: Date) => Promise<number>;
	/** Current memories of a container that are due to be checked by a person, the longest overdue first, then by id. */
	readonly due: (containerTag: string, now: Date, limit: number, after: Position | null) => Promise<readonly Memory[]>;
	/** Changes properties of a memory other than its text. @returns false if it is gone. */
	readonly amend: (id: MemoryId, amendment: MemoryAmendment, now: Date) => Promise<boolean>;
}
