/** Small values that are stored and never searched, such as settings, connections and webhooks. Everything is of one organisation. */

import type { Json } from "../model/json.ts";

/** The kinds of records. An id is unique within its kind. */
export const recordKinds = [
	"settings",
	"connection",
	"connection-claim",
	"sync-cursor",
	"sign-in",
	"webhook",
	"merge",
	"removal",
	"idempotency",
	"review",
	"read-chunks",
	"model-answer",
	"model-usage",
	"consent",
	"lock",
	"blob-owner",
] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface StoredRecord {
	readonly id: string;
	readonly value: Json;
	/** Increases with every change. */
	readonly version: number;
	/** From this time on, the record is treated as missing; null if it does not expire. */
	readonly expiresAt: Date | null;
}

export interface RecordStore {
	readonly get: (kind: RecordKind, id: string, now: Date) => Promise<StoredRecord | null>;
	/** Sorted by id, ascending, beginning after `after`. */
	readonly list: (kind: RecordKind, after: string | null, limit: number, now: Date) => Promise<readonly StoredRecord[]>;
	/**
	 * Writes a record, durably when the promise resolves. With an `expected` version it writes only if the record has that version; 0 means
	 * that the record must not exist, and null writes in any case. @returns the new version, or null if nothing was written.
	 */
	readonly put: (kind: RecordKind, id: string, value: Json, options: PutOptions) => Promise<number | null>;
	readonly remove: (kind: RecordKind, id: string) => Promise<boolean>;
}

export interface PutOptions {
	readonly expected: number | null;
	readonly expiresAt: Date | null;
	readonly now: Date;
}
