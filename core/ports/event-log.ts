/** The log of changes to an organisation's documents, memories and settings, in order. Everything is of one organisation. */

import type { Json } from "../model/json.ts";

/** Written by the store in the transaction of the change itself: each happens once, and none is lost. */
export const storedEventTypes = [
	"document.queued",
	"document.done",
	"document.failed",
	"document.dreamed",
	"document.deleted",
	"memory.created",
	"memory.updated",
	"memory.forgotten",
	"memory.restored",
	"memory.deleted",
] as const;

/** Administrative acts, written by those who do them. They are kept for good. */
export const auditEventTypes = [
	"key.created",
	"key.changed",
	"key.revoked",
	"client.allowed",
	"settings.changed",
	"settings.reset",
	"container.changed",
	"container.deleted",
	"container.merged",
	"connection.created",
	"connection.changed",
	"connection.deleted",
	"webhook.created",
	"webhook.changed",
	"webhook.deleted",
] as const;

export type StoredEventType = (typeof storedEventTypes)[number];
export type AuditEventType = (typeof auditEventTypes)[number];
export type EventType = StoredEventType | AuditEventType;

export interface StoreEvent {
	/** Ascends within the organisation, with gaps. */
	readonly sequence: number;
	readonly type: EventType;
	readonly at: Date;
	/** The id of what it happened to. */
	readonly subject: string;
	/** The containers it happened in; empty for what concerns the whole organisation. */
	readonly containerTags: readonly string[];
	/** A few words on it: no content and no secret. */
	readonly facts: Readonly<Record<string, Json>>;
}

export interface EventLog {
	/** @returns those after the sequence, in order, of these types or of all. */
	readonly after: (sequence: number, types: readonly EventType[] | null, limit: number) => Promise<readonly StoreEvent[]>;
	/** The sequence of the newest; 0 when there is none. */
	readonly latest: () => Promise<number>;
	/** The sequence of the oldest that is still kept: who has read less has missed some; 0 when there is none. */
	readonly oldest: () => Promise<number>;
	readonly append: (event: Omit<StoreEvent, "sequence" | "type"> & { readonly type: AuditEventType }) => Promise<void>;
}
