/** Which embedding space searches use, which one is being backfilled, and which texts lack a vector in it. For all organisations together. */

import type { OrganisationId } from "../model/id.ts";
import type { EmbeddingSpace, Vector } from "../model/vector.ts";

/** A position in the sequence of all texts, as the storage counts them. Callers hand it back unchanged. */
export interface TextPlace {
	readonly chunk: number;
	readonly memory: number;
}

/** How far the backfill of a space has come. */
export interface SpaceProgress {
	/** All texts before this position have their vector, or cannot have one. */
	readonly reached: TextPlace;
	/** The number of vectors written. */
	readonly written: number;
	/** An estimate of the share of all texts that are before `reached`, from 0 to 1. */
	readonly share: number;
	/** Whether there were no texts after `reached` at the last look. */
	readonly isAtEnd: boolean;
}

export interface SpaceState extends SpaceProgress {
	/** The space whose vectors searches use; null before the first start. */
	readonly active: string | null;
	/** The space that was active before. Its vectors are kept, so that after switching back only newer texts need vectors. */
	readonly previous: string | null;
	/** The space that is being backfilled, to which the progress belongs; null if there is none. */
	readonly next: string | null;
}

export interface LackingText {
	readonly kind: "chunk" | "memory";
	readonly organisation: OrganisationId;
	readonly id: string;
	/** The text to embed. */
	readonly text: string;
}

export interface Lacking extends Pick<SpaceProgress, "reached" | "share" | "isAtEnd"> {
	readonly texts: readonly LackingText[];
}

export type MadeVector = Pick<LackingText, "kind" | "organisation" | "id"> & { readonly vector: Vector };

export interface EmbeddingSpaceStore {
	/** Cheap; it is called several times a second. */
	readonly state: () => Promise<SpaceState>;
	/** The names of the spaces that have at least one vector. */
	readonly names: () => Promise<readonly string[]>;
	/**
	 * How many numbers an organisation's vectors of this space have, as they are stored; null if it has none. A damaged vector among them does
	 * not matter. Another organisation's may have more or fewer, from an embedder that calls its space the same.
	 */
	readonly dimensionsOf: (space: string, organisation: OrganisationId) => Promise<number | null>;
	/** The organisations that have a vector in this space, at most `limit`. */
	readonly organisations: (space: string, limit: number) => Promise<readonly OrganisationId[]>;
	/** Stores which space is active and which is next. If the next space changes, the progress starts over. */
	readonly plan: (active: string, next: string | null) => Promise<void>;
	/** Stores the progress of the next space. Does nothing if another space is next by now. */
	readonly advance: (space: string, progress: SpaceProgress) => Promise<void>;
	/**
	 * Texts after a position that have no vector in this space, including staged texts, at most `limit`. One call looks at a limited number
	 * of texts, so the result may be empty although there are more: see `isAtEnd`.
	 */
	readonly lacking: (space: string, after: TextPlace, limit: number) => Promise<Lacking>;
	/** Writes vectors. A vector is ignored if its text is gone or already has one. */
	readonly backfill: (space: EmbeddingSpace, vectors: readonly MadeVector[]) => Promise<void>;
	/**
	 * Makes the next space the active one, in one durable transaction, if at most `lackingMax` texts after its `reached` lack a vector. Texts
	 * written before the transaction are counted; texts written after it get their vectors in the new space.
	 * @returns whether it did; false also if this is not the next space.
	 */
	readonly switchTo: (space: string, lackingMax: number) => Promise<boolean>;
	/** Removes at most `limit` vectors of a space that is neither active nor next. @returns how many were removed. */
	readonly drop: (space: string, limit: number) => Promise<number>;
}
