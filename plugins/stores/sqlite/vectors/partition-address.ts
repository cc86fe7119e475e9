/** Which vectors belong together: of one organisation, one vector space and one kind. They share a matrix and an index file. */

import type { EmbeddingSpace, OrganisationId } from "cairn-memory";

export type VectorKind = "chunk" | "memory";

/** As much of a space as its vectors on disk can tell. */
export type PartitionSpace = Pick<EmbeddingSpace, "name" | "dimensions">;

export interface PartitionAddress {
	readonly kind: VectorKind;
	readonly organisation: OrganisationId;
	readonly space: PartitionSpace;
}

/** One text per partition. The length comes first, so that no two names can run together into a third. */
export function addressKey({ kind, organisation, space }: PartitionAddress): string {
	return `${kind} ${organisation.length}:${organisation} ${space.dimensions} ${space.name}`;
}

/** The stem of the partition's file names: a hash, since the names of spaces may hold anything. */
export function fileStem(address: PartitionAddress): string {
	return `${address.kind}-${Bun.hash.xxHash64(addressKey(address)).toString(16).padStart(16, "0")}`;
}
