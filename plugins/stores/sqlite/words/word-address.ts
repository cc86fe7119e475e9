/** Identifies a word index: that of the chunks of one organisation, or of its memories. Indexes do not share term statistics. */

import type { OrganisationId } from "cairn-memory";
import { stemOf } from "../index-files/index-files.ts";

export type TextKind = "chunk" | "memory";

export interface WordAddress {
	readonly kind: TextKind;
	readonly organisation: OrganisationId;
}

/** A unique string for each index. */
export function wordAddressKey({ kind, organisation }: WordAddress): string {
	return `words of ${kind} ${organisation}`;
}

export function wordFileStem(address: WordAddress): string {
	return stemOf(address.kind, wordAddressKey(address));
}
