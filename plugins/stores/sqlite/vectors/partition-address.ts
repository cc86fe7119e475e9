/** Identifies a partition: the vectors of one organisation, embedding space and kind, which share a matrix and an index file. */

import type { EmbeddingSpace, OrganisationId } from "cairn-memory";
import { stemOf } from "../index-files/index-files.ts";

export type VectorKind = "chunk" | "memory";

/** The properties of a space that are known from its stored vectors. */
export type PartitionSpace = Pick<EmbeddingSpace, "name" | "dimensions">;

export interface PartitionAddress {
	readonly kind: VectorKind;
	readonly organisation: OrganisationId;
	readonly space: PartitionSpace;
}

/** A unique string for each partition. The length of the organisation comes first, so that two different addresses never make the same string. */
export function addressKey({ kind, organisation, space }: PartitionAddress): string {
	return `${kind} ${organisation.length}:${organisation} ${space.dimensions} ${space.name}`;
}

export function fileStem(address: PartitionAddress): string {
	return stemOf(address.kind, addressKey(address));
}
