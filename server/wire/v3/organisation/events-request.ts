/** Parses the query of `GET /v3/events` and the header `Last-Event-ID`: which events to send, and from where on. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import type { EventFilter } from "../../../../core/events/event-payload.ts";
import { limits } from "../../../../core/model/limits.ts";
import { type ClientEventType, clientEventTypes } from "../../../../core/ports/event-log.ts";
import { containerTag, containerTags, mergeTags } from "../../requests/fields.ts";
import { bodyFromQuery } from "../../requests/query-string.ts";
import { reader } from "../../requests/reader.ts";

export const eventTypes = Type.Array(Type.Union(clientEventTypes.map((name) => Type.Literal(name))), {
	minItems: 1,
	maxItems: limits.eventTypesMax,
	description: "Only these events; all when absent.",
	examples: [["document.done", "document.failed"]],
});

export const eventsQuery = Type.Object({
	types: Type.Optional(eventTypes),
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(containerTags),
	progress: Type.Boolean({
		default: false,
		description:
			"Also send `progress` each time that a document being processed comes to another stage or gets further in it: `{ type, id, containerTags, status, progress }`. These have no id and are not sent again after a broken connection; the present state is sent at its begin.",
	}),
	after: Type.Optional(
		Type.Integer({
			minimum: 0,
			maximum: Number.MAX_SAFE_INTEGER,
			description:
				"Continue after the event with this number; 0 begins with the oldest stored event. The header `Last-Event-ID` means the same and takes precedence. Without either, the stream begins with the next event.",
		}),
	),
});

const read = reader(eventsQuery);

/** @throws ServiceError of kind `invalid` */
export function parseEvents(request: Request): { readonly filter: EventFilter; readonly after: number | null; readonly progress: boolean } {
	const { types, containerTag: one, containerTags: several, after, progress } = read(bodyFromQuery(new URL(request.url), eventsQuery));
	return { filter: toEventFilter(types, mergeTags(one, several)), after: lastEventId(request.headers) ?? after ?? null, progress };
}

/** An empty list of containers means all of them. */
export function toEventFilter(types: readonly string[] | undefined, tags: readonly string[]): EventFilter {
	return { types: types === undefined ? null : (types as readonly ClientEventType[]), containerTags: tags.length === 0 ? null : tags };
}

function lastEventId(headers: Headers): number | null {
	const value = headers.get("last-event-id")?.trim() ?? "";
	if (value === "") return null;
	if (!/^\d{1,15}$/.test(value)) throw fail("INPUT_INVALID", "the header last-event-id should be the id of an event, a whole number");
	return Number(value);
}
