/** Which texts share a word index: the chunks of one organisation, or its memories. Nothing is counted across them. */

import type { OrganisationId } from "cairn-memory";

export type TextKind = "chunk" | "memory";

export interface WordAddress {
	readonly kind: TextKind;
	readonly organisation: OrganisationId;
}

/** One text per index. */
export function wordAddressKey({ kind, organisation }: WordAddress): string {
	return `words of ${kind} ${organisation}`;
}

/** The stem of its file names: a hash, since the names of organisations may hold anything. */
export function wordFileStem(address: WordAddress): string {
	return `${address.kind}-${Bun.hash.xxHash64(wordAddressKey(address)).toString(16).padStart(16, "0")}`;
}
