/** Memories: facts extracted from documents, with versions and links. */

import type { ChunkId, DocumentId, MemoryId } from "./id.ts";
import type { Metadata } from "./metadata.ts";

export const relations = ["updates", "extends", "derives"] as const;
export type Relation = (typeof relations)[number];

/** The words in a source that support a memory. */
export interface Evidence {
	readonly document: DocumentId;
	readonly chunk: ChunkId;
	/** Character offsets into the chunk's text: begin and end. */
	readonly span: readonly [number, number];
	/** Core's fingerprint of these words. Chunks get new ids when a document is read again; the fingerprint finds the same words. Absent where it was not stored. */
	readonly words?: string;
}

/** What a memory extractor answers. */
export interface MemoryDraft {
	/** A statement with what it needs to be understood. */
	readonly text: string;
	/** What is embedded and indexed in place of the text: with who said it, when and under what heading. Absent where that is the text itself. */
	readonly indexedText?: string;
	/** A lasting trait rather than a passing state. */
	readonly isStatic: boolean;
	/** Inferred from other memories rather than said. */
	readonly isInference: boolean;
	/** 0 to 1. */
	readonly confidence: number;
	/** Who or what it is about, lower case, as far as known. */
	readonly subject: string | null;
	/** When it was or will be true, as far as the text says. */
	readonly eventTime: Date | null;
	/** When it stops being worth knowing, as far as the text says. */
	readonly forgetAfter: Date | null;
	/** At least one: a memory without support is not a memory. */
	readonly evidence: readonly Evidence[];
}

export interface Memory extends MemoryDraft {
	readonly id: MemoryId;
	readonly containerTag: string;
	/** From 1; one more than the memory it replaces. */
	readonly version: number;
	readonly parent: MemoryId | null;
	/** The first of the chain, null for the first itself. */
	readonly root: MemoryId | null;
	readonly isLatest: boolean;
	readonly isForgotten: boolean;
	readonly forgetReason: string | null;
	readonly metadata: Metadata;
	/** The extractor and its version; null when a client wrote the memory. */
	readonly extractor: string | null;
	/** The day that its source names as its own; absent where it names none. */
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

/** What a linker answers about one draft. */
export interface Link {
	readonly relation: Relation;
	readonly target: MemoryId;
}

/** The words that a memory is found by. */
export function indexedTextOf({ text, indexedText }: Pick<MemoryDraft, "text" | "indexedText">): string {
	return indexedText ?? text;
}

/** Names all versions of one memory. */
export function chainOf({ id, root }: Pick<Memory, "id" | "root">): MemoryId {
	return root ?? id;
}

/** Whether a search that asks for current facts may show it. */
export function isCurrent(memory: Memory, now: Date): boolean {
	return memory.isLatest && !memory.isForgotten && (memory.forgetAfter === null || memory.forgetAfter > now);
}

/** Those that a person has decided about, and what they had replaced: it must not come back in their place. */
export function decidedAmong(memories: readonly Memory[], isDecided: (memory: Memory) => boolean): ReadonlySet<MemoryId> {
	const last = new Map<MemoryId, number>();
	for (const memory of memories) if (isDecided(memory)) last.set(chainOf(memory), Math.max(memory.version, last.get(chainOf(memory)) ?? 0));
	return new Set(memories.filter((memory) => memory.version <= (last.get(chainOf(memory)) ?? 0)).map(({ id }) => id));
}

/** And not by its own end: what has expired and is said again is news. */
export function isForgottenByHand({ isForgotten, forgetAfter, updatedAt }: Memory): boolean {
	return isForgotten && (forgetAfter === null || forgetAfter > updatedAt);
}
