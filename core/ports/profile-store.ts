/** The current memories of a container, as its profile returns them. Everything is of one organisation. */

import type { MemoryId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { Moment } from "../model/moment.ts";

/** `static`: lasting traits. `dynamic`: everything else. `inferred`: inferred memories of both kinds. */
export type ProfilePart = "static" | "dynamic" | "inferred";

/** The buckets of a memory. */
export interface Sorted {
	readonly memory: MemoryId;
	readonly buckets: readonly string[];
}

/** All methods return only memories that are the latest version, not forgotten and not expired, newest first. */
export interface ProfileStore {
	/** @param moment returns the memories that were current then, instead of now */
	readonly recent: (containerTag: string, part: ProfilePart, limit: number, now: Date, moment?: Moment) => Promise<readonly Memory[]>;
	/** The memories that `sort` has put into the bucket under one of these sortings. */
	readonly inBucket: (containerTag: string, sortings: readonly string[], bucket: string, limit: number, now: Date) => Promise<readonly Memory[]>;
	/** The memories that were not sorted under any of these sortings. The name of a sorting depends on everything that determines its result. */
	readonly unsorted: (containerTag: string, sortings: readonly string[], limit: number) => Promise<readonly Memory[]>;
	/** Stores the buckets of memories and replaces their older ones. It need not be durable: memories without an entry are sorted again. */
	readonly sort: (sorting: string, sorted: readonly Sorted[]) => Promise<void>;
}
