/** Identifies a word index: that of the chunks of one organisation, or of its memories. Indexes do not share term statistics. */

import type { OrganisationId } from "cairn-memory";

export type TextKind = "chunk" | "memory";

export interface WordAddress {
	readonly kind: TextKind;
	readonly organisation: OrganisationId;
}

/** A unique string for each index. */
export function wordAddressKey({ kind, organisation }: WordAddress): string {
	return `words of ${kind} ${organisation}`;
}

/** The common beginning of the index's file names. It is a hash, because organisation ids may have any character. */
export function wordFileStem(address: WordAddress): string {
	return `${address.kind}-${Bun.hash.xxHash64(wordAddressKey(address)).toString(16).padStart(16, "0")}`;
}
