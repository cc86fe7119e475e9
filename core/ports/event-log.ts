/** The log of changes to an organisation's documents, memories and settings, in order. Everything is of one organisation. */

import type { Json } from "../model/json.ts";

/** The events that clients can receive. The store writes each in the transaction of the change itself, so none is lost or written twice. */
export const clientEventTypes = [
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

/** Audit events: changes made by admins. The code that makes the change writes them, and they are kept permanently. */
export const auditEventTypes = [
	"key.created",
	"key.changed",
	"key.revoked",
	"client.allowed",
	"client.removed",
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
	"backup.started",
	"organisation.created",
	"organisation.changed",
	"organisation.removed",
] as const;

export type ClientEventType = (typeof clientEventTypes)[number];
export type AuditEventType = (typeof auditEventTypes)[number];
export type EventType = ClientEventType | AuditEventType;

export interface LogEvent {
	/** Increases within the organisation, with gaps. */
	readonly sequence: number;
	readonly type: EventType;
	readonly at: Date;
	/** The id of the document, memory or other object that was changed. */
	readonly subject: string;
	/** The containers it belongs to; empty if it concerns the whole organisation. */
	readonly containerTags: readonly string[];
	/** Details of the event, without content and without secrets. */
	readonly facts: Readonly<Record<string, Json>>;
}

export interface EventLog {
	/** The events after the sequence, in order. @param types null for all types */
	readonly after: (sequence: number, types: readonly EventType[] | null, limit: number) => Promise<readonly LogEvent[]>;
	/** The sequence of the newest event; 0 if there is none. */
	readonly latest: () => Promise<number>;
	/** The sequence of the oldest event that is still stored; 0 if there is none. A listener that has not read up to it has missed events. */
	readonly oldest: () => Promise<number>;
	readonly append: (event: Omit<LogEvent, "sequence" | "type"> & { readonly type: AuditEventType }) => Promise<void>;
}
