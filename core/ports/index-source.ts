/** The data that indexes are built from and checked against: the vectors of one organisation in one space, or its texts, and their change log. */

import type { ChunkId, DocumentId, MemoryId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import type { Vector } from "../model/vector.ts";
import type { MemoryFilter } from "./vector-search.ts";

/** The position of a chunk in its document. */
export interface ChunkPlace {
	readonly document: DocumentId;
	readonly position: number;
}

export type Changed<Content> = Content & { readonly id: string; readonly containerTags: readonly string[] };

export interface SourceChanges<Content> {
	/** New texts, and texts whose containers have changed. */
	readonly put: readonly Changed<Content>[];
	/** Ids of deleted texts. */
	readonly gone: readonly string[];
	/** The position after which the next page begins. It is opaque to the caller. */
	readonly position: string;
	/** Whether there are no further changes. */
	readonly isAtEnd: boolean;
}

export interface IndexSource<Content> {
	/**
	 * Those of the chunks that are published, in scope and have this content, in no particular order.
	 * @param known contents that the caller has: they are taken from there and not read.
	 */
	readonly chunksIn: (
		ids: readonly ChunkId[],
		scope: Scope,
		known?: ReadonlyMap<string, Content>,
	) => Promise<readonly (Content & ChunkPlace & { readonly id: ChunkId })[]>;
	/** The same for memories, in the order in which they were saved. */
	readonly memoriesIn: (
		ids: readonly MemoryId[],
		memoryFilter: MemoryFilter,
		known?: ReadonlyMap<string, Content>,
	) => Promise<readonly (Content & { readonly id: MemoryId })[]>;
	/** The ids of all published chunks in scope; null if there are more than `most`. */
	readonly listChunks: (scope: Scope, most: number) => Promise<readonly ChunkId[] | null>;
	readonly listMemories: (memoryFilter: MemoryFilter, most: number) => Promise<readonly MemoryId[] | null>;
	/** Whether the change log has nothing after a position of this store. A quick look, which no writer delays. */
	readonly isUpToDate: (kind: "chunk" | "memory", position: string) => Promise<boolean>;
	/**
	 * The changes to texts of a kind after a position, about `limit` of them. The position null begins with everything that exists. Every
	 * published chunk and every memory is returned at least once after it was written; it may be deleted by now. @returns null if the
	 * change log does not reach back to the position, or the position is from another store. The index must then be rebuilt.
	 */
	readonly changesSince: (kind: "chunk" | "memory", position: string | null, limit: number) => Promise<SourceChanges<Content> | null>;
}

export type VectorSource = IndexSource<{ readonly vector: Vector }>;

/** `text` is the text to index; for a chunk it includes the headings. */
export type TextSource = IndexSource<{ readonly text: string }>;
