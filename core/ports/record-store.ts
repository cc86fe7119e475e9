/** Small values that are stored and never searched: settings, connections, webhooks, model answers. Everything is of one organisation. */

import type { Json } from "../model/json.ts";

/** What a record is about; each has its own ids. */
export const recordKinds = [
	"settings",
	"connection",
	"sync-cursor",
	"webhook",
	"merge",
	"removal",
	"idempotency",
	"review",
	"read-chunks",
	"model-answer",
	"model-usage",
	"consent",
] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface StoredRecord {
	readonly id: string;
	readonly value: Json;
	/** Goes up with every change. */
	readonly version: number;
	/** From this time on the record counts as missing. */
	readonly expiresAt: Date | null;
}

export interface RecordStore {
	readonly get: (kind: RecordKind, id: string, now: Date) => Promise<StoredRecord | null>;
	/** By id, ascending, from the first after `after` on. */
	readonly list: (kind: RecordKind, after: string | null, limit: number, now: Date) => Promise<readonly StoredRecord[]>;
	/**
	 * Durable when it resolves. With an `expected` version it writes only if the record still has it, and 0 means that
	 * there must be none; null writes in any case. @returns the new version, or null when nothing was written.
	 */
	readonly put: (kind: RecordKind, id: string, value: Json, options: PutOptions) => Promise<number | null>;
	readonly remove: (kind: RecordKind, id: string) => Promise<boolean>;
}

export interface PutOptions {
	readonly expected: number | null;
	readonly expiresAt: Date | null;
	readonly now: Date;
}
