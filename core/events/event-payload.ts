/** Which events a client receives, and with which payload. Both are the same for a stream and for a webhook. */

import type { Json } from "../model/json.ts";
import { type ClientEventType, clientEventTypes, type LogEvent } from "../ports/event-log.ts";

/** Which events of an organisation a listener wants. Null means no restriction. */
export interface EventFilter {
	readonly types: readonly ClientEventType[] | null;
	/** The event must have at least one of these tags. */
	readonly containerTags: readonly string[] | null;
}

const sentTypes: ReadonlySet<string> = new Set(clientEventTypes);

/** Whether an event is to be sent to a listener. Audit events are never sent; admins read them through the API. */
export function matchesEventFilter({ type, containerTags }: LogEvent, filter: EventFilter): boolean {
	if (!sentTypes.has(type) || (filter.types !== null && !filter.types.some((wantedType) => wantedType === type))) return false;
	return filter.containerTags === null || filter.containerTags.some((tag) => containerTags.includes(tag));
}

/** The event's data without its type and time, for which a stream and a webhook have different fields. */
export function eventPayload({ subject, containerTags, facts }: LogEvent): Readonly<Record<string, Json>> {
	return { ...facts, id: subject, containerTags };
}
