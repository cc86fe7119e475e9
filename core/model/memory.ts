/** Memories: facts extracted from documents, with versions and links. */

import type { ChunkId, DocumentId, MemoryId } from "./id.ts";
import type { Metadata } from "./metadata.ts";

export const relations = ["updates", "extends", "derives"] as const;
export type Relation = (typeof relations)[number];

/** The passage of a source that supports a memory. */
export interface Evidence {
	readonly document: DocumentId;
	readonly chunk: ChunkId;
	/** Begin and end, as character offsets in the chunk's text. */
	readonly span: readonly [number, number];
	/**
	 * The fingerprint of the passage, computed by core, and of each sentence it touches unless the passage is a whole sentence. They are
	 * parted by blanks; a dash stands for a sentence that says too little. Chunks get new ids when a document is processed again, so the
	 * same passage is found by its fingerprint. Absent if it was not stored.
	 */
	readonly words?: string;
}

/** A memory as a memory extractor returns it. */
export interface MemoryDraft {
	/** A statement that can be understood without its source. */
	readonly text: string;
	/** The text to embed and index instead of `text`: with the speaker, the date and the headings. Absent if it is the same as `text`. */
	readonly indexedText?: string;
	/** Whether it is a lasting trait rather than a temporary state. */
	readonly isStatic: boolean;
	/** Whether it was inferred from other memories rather than stated. */
	readonly isInference: boolean;
	/** 0 to 1. */
	readonly confidence: number;
	/** Who or what it is about, in lower case; null if unknown. */
	readonly subject: string | null;
	/** When it was or will be true, if the text says so. */
	readonly eventTime: Date | null;
	/** When it expires, if the text says so. */
	readonly forgetAfter: Date | null;
	/** At least one passage. */
	readonly evidence: readonly Evidence[];
}

export interface Memory extends MemoryDraft {
	readonly id: MemoryId;
	readonly containerTag: string;
	/** From 1; one higher than the version of the memory it replaces. */
	readonly version: number;
	readonly parent: MemoryId | null;
	/** The first version of this memory; null for the first version itself. */
	readonly root: MemoryId | null;
	readonly isLatest: boolean;
	readonly isForgotten: boolean;
	readonly forgetReason: string | null;
	readonly metadata: Metadata;
	/** The extractor and its version; null if a client wrote the memory. */
	readonly extractor: string | null;
	/** The date that its source states for itself; absent if it states none. */
	readonly saidAt?: Date;
	/** When a person should check it; absent for facts that do not age. */
	readonly reviewAfter?: Date;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/** How `from`, the newer, relates to `to`, the older. */
export interface MemoryEdge {
	readonly from: MemoryId;
	readonly to: MemoryId;
	readonly relation: Relation;
}

/** An edge from a draft to a known memory, as a linker returns it. */
export interface Link {
	readonly relation: Relation;
	readonly target: MemoryId;
}

/** The text that is embedded and indexed for a memory. */
export function indexedTextOf({ text, indexedText }: Pick<MemoryDraft, "text" | "indexedText">): string {
	return indexedText ?? text;
}

/** The id that all versions of a memory have in common: that of the first version. */
export function rootIdOf({ id, root }: Pick<Memory, "id" | "root">): MemoryId {
	return root ?? id;
}

/** Whether a search for current facts may return it. */
export function isCurrent(memory: Memory, now: Date): boolean {
	return memory.isLatest && !memory.isForgotten && (memory.forgetAfter === null || memory.forgetAfter > now);
}

/** The ids of the memories that a person has decided about, and of the versions these replaced, which must not become current again. */
export function idsDecidedByHand(memories: readonly Memory[], isDecided: (memory: Memory) => boolean): ReadonlySet<MemoryId> {
	const lastDecidedVersion = new Map<MemoryId, number>();
	for (const memory of memories)
		if (isDecided(memory)) lastDecidedVersion.set(rootIdOf(memory), Math.max(memory.version, lastDecidedVersion.get(rootIdOf(memory)) ?? 0));
	return new Set(memories.filter((memory) => memory.version <= (lastDecidedVersion.get(rootIdOf(memory)) ?? 0)).map(({ id }) => id));
}

/** Whether it was forgotten by a person or client, and not because it expired. An expired fact that is stated again counts as new. */
export function wasForgottenByHand({ isForgotten, forgetAfter, updatedAt }: Memory): boolean {
	return isForgotten && (forgetAfter === null || forgetAfter > updatedAt);
}
