/** The current memories of a container as its profile shows them. Everything is of one organisation. */

import type { MemoryId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { Moment } from "../model/moment.ts";

/** Lasting traits, everything else, and what was inferred, of either. */
export type ProfilePart = "static" | "dynamic" | "inferred";

/** The buckets of a memory. */
export interface Sorted {
	readonly memory: MemoryId;
	readonly buckets: readonly string[];
}

/** Only memories that are latest, not forgotten and not expired; the newest first. */
export interface ProfileStore {
	/** With a moment: those that were current then, instead of now. */
	readonly recent: (containerTag: string, part: ProfilePart, limit: number, now: Date, moment?: Moment) => Promise<readonly Memory[]>;
	/** Those that `sort` put into a bucket under one of these very sortings. */
	readonly inBucket: (containerTag: string, sortings: readonly string[], bucket: string, limit: number, now: Date) => Promise<readonly Memory[]>;
	/** Those that were not sorted, or under none of these sortings. A sorting is named after all that decides its outcome. */
	readonly unsorted: (containerTag: string, sortings: readonly string[], limit: number) => Promise<readonly Memory[]>;
	/** Stores the buckets of memories and replaces older ones. Lost entries are sorted again. */
	readonly sort: (sorting: string, sorted: readonly Sorted[]) => Promise<void>;
}
