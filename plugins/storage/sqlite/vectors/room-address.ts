/** Which vectors belong together: of one organisation, one vector space and one kind. They share a matrix and an index file. */

import type { OrganisationId, VectorSpace } from "cairn-memory";

export type VectorKind = "chunk" | "memory";

/** As much of a space as its vectors on disk can tell. */
export type RoomSpace = Pick<VectorSpace, "name" | "dimensions">;

export interface RoomAddress {
	readonly kind: VectorKind;
	readonly organisation: OrganisationId;
	readonly space: RoomSpace;
}

/** One text per room. The length comes first, so that no two names can run together into a third. */
export function addressKey({ kind, organisation, space }: RoomAddress): string {
	return `${kind} ${organisation.length}:${organisation} ${space.dimensions} ${space.name}`;
}

/** The stem of the room's file names: a hash, since the names of spaces may hold anything. */
export function fileStem(address: RoomAddress): string {
	return `${address.kind}-${Bun.hash.xxHash64(addressKey(address)).toString(16).padStart(16, "0")}`;
}
