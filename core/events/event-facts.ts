/** An event as clients receive it: the same on a stream and from a webhook. */

import type { Json } from "../model/json.ts";
import { type StoredEventType, type StoreEvent, storedEventTypes } from "../ports/event-log.ts";

/** Which events of an organisation a listener wants. Null means all. */
export interface EventWish {
	readonly types: readonly StoredEventType[] | null;
	/** At least one of them has to be among the event's. */
	readonly containerTags: readonly string[] | null;
}

const stored: ReadonlySet<string> = new Set(storedEventTypes);

/** Administrative acts are not sent: administrators read them in their own list. */
export function isWanted({ type, containerTags }: StoreEvent, wish: EventWish): boolean {
	if (!stored.has(type) || (wish.types !== null && !wish.types.some((wanted) => wanted === type))) return false;
	return wish.containerTags === null || wish.containerTags.some((tag) => containerTags.includes(tag));
}

/** The event without type and time, which a stream and a webhook each send in their own fields. */
export function eventFacts({ subject, containerTags, facts }: StoreEvent): Readonly<Record<string, Json>> {
	return { ...facts, id: subject, containerTags };
}
