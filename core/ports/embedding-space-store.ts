/** Which embedding space answers searches, which one is being backfilled, and which texts lack a vector in it. Spans organisations. */

import type { OrganisationId } from "../model/id.ts";
import type { EmbeddingSpace, Vector } from "../model/vector.ts";

/** A position in the sequence of all texts, as the storage counts them. Callers hand it back unchanged. */
export interface TextPlace {
	readonly chunk: number;
	readonly memory: number;
}

/** How far the backfill of a space has come. */
export interface SpaceProgress {
	/** All texts before this position have their vector, or never will. */
	readonly reached: TextPlace;
	/** How many vectors were written. */
	readonly written: number;
	/** About how much of all texts that is, from 0 to 1. */
	readonly share: number;
	/** Whether there was nothing after `reached` when it was looked at. */
	readonly isAtEnd: boolean;
}

export interface SpaceState extends SpaceProgress {
	/** Its vectors answer searches; null before the first start. */
	readonly active: string | null;
	/** The space before. Its vectors are kept, so that switching back only needs the texts added since. */
	readonly previous: string | null;
	/** Being made; null for none. The progress is this one's. */
	readonly next: string | null;
}

export interface LackingText {
	readonly kind: "chunk" | "memory";
	readonly organisation: OrganisationId;
	readonly id: string;
	/** What is embedded. */
	readonly text: string;
}

export interface Lacking extends Pick<SpaceProgress, "reached" | "share" | "isAtEnd"> {
	readonly texts: readonly LackingText[];
}

export type MadeVector = Pick<LackingText, "kind" | "organisation" | "id"> & { readonly vector: Vector };

export interface EmbeddingSpaceStore {
	/** Cheap: it is asked several times a second. */
	readonly state: () => Promise<SpaceState>;
	/** Those with a vector at least. */
	readonly names: () => Promise<readonly string[]>;
	/** Those with a vector in this space, up to so many. */
	readonly organisations: (space: string, limit: number) => Promise<readonly OrganisationId[]>;
	/** Stores which space is active and which is next. Progress starts anew with another next space. */
	readonly plan: (active: string, next: string | null) => Promise<void>;
	/** Stores the progress of the next space; ignored when another one is next by now. */
	readonly advance: (space: string, progress: SpaceProgress) => Promise<void>;
	/**
	 * Texts after a place that have no vector in this space, staged ones too, at most so many. It looks at a bounded number of
	 * texts in one call, so there may be none and yet more to come: `isAtEnd` tells. Without texts in between it is quick.
	 */
	readonly lacking: (space: string, after: TextPlace, limit: number) => Promise<Lacking>;
	/** Writes vectors. Those whose text is gone, or already has one, are ignored. */
	readonly backfill: (space: EmbeddingSpace, vectors: readonly MadeVector[]) => Promise<void>;
	/**
	 * Makes the next space the active one, in one durable transaction, if at most so many texts after its `reached` lack a
	 * vector: whatever is written before it is counted, whatever is written after it is written with its outcome known.
	 * @returns whether it did; false as well when this is not the next one.
	 */
	readonly switchTo: (space: string, lackingMax: number) => Promise<boolean>;
	/** Removes up to so many vectors of a space that is neither active nor next. @returns how many. */
	readonly drop: (space: string, limit: number) => Promise<number>;
}
