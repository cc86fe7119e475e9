/** The event log in RAM, and the notes that documents and memories make in it. */

import type { Document, EventLog, Json, Memory, StoredEventType, StoreEvent } from "cairn-memory";
import type { Tables } from "./tables.ts";

export function ramEvents({ events }: Tables): EventLog {
	return {
		after: async (sequence, types, limit) =>
			events.filter((event) => event.sequence > sequence && (types === null || types.includes(event.type))).slice(0, limit),
		latest: async () => events.at(-1)?.sequence ?? 0,
		oldest: async () => events[0]?.sequence ?? 0,
		append: async (event) => note(events, event),
	};
}

export function noteDocument({ events }: Tables, type: StoredEventType, document: Document, at: Date, facts: Readonly<Record<string, Json>> = {}): void {
	const { id, containerTags, customId, revision } = document;
	note(events, { type, at, subject: id, containerTags, facts: { customId, revision, ...facts } });
}

export function noteMemory({ events }: Tables, type: StoredEventType, { id, containerTag, version, parent, forgetAfter }: Memory, at: Date): void {
	const isExpired = type === "memory.forgotten" && forgetAfter !== null && forgetAfter <= at;
	note(events, { type, at, subject: id, containerTags: [containerTag], facts: { version, parent, ...(isExpired ? { expired: true } : {}) } });
}

function note(events: StoreEvent[], event: Omit<StoreEvent, "sequence">): void {
	events.push({ ...event, sequence: (events.at(-1)?.sequence ?? 0) + 1 });
}
