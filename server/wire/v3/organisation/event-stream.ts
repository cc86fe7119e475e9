/** Converts items of the event feed to server-sent events. */

import { Type } from "@sinclair/typebox";
import { eventPayload } from "../../../../core/events/event-payload.ts";
import type { ListenedItem } from "../../../../core/events/event-service.ts";

export const eventStreamSchema = Type.String({
	$id: "EventStream",
	description: "Blocks of `id:`, `event:` and `data:` lines. The data is JSON on one line: `{ type, at, id, containerTags, … }`.",
	examples: ['id: 17\nevent: document.done\ndata: {"customId":null,"revision":1,"id":"…","containerTags":["user_123"],"type":"document.done","at":"…"}\n\n'],
});

export const eventStreamType = "text/event-stream;charset=utf-8";

/**
 * A heartbeat is a comment with an id: the client dispatches no event but remembers the id. A client that rarely gets an event
 * can therefore reconnect at a recent position, which is still in the stored log.
 */
export function toStreamLines(item: ListenedItem): string {
	switch (item.kind) {
		case "beat":
			return `: still here\nid: ${item.sequence}\n\n`;
		case "gap":
			return lines(item.sequence, "gap", { type: "gap", after: item.after, oldest: item.oldest });
		case "progress": {
			// Without an id: who reconnects continues after the last event.
			const { id, containerTags, status, progress } = item.step;
			return `event: progress\ndata: ${JSON.stringify({ type: "progress", id, containerTags, status, progress })}\n\n`;
		}
		case "event": {
			const { type, at } = item.event;
			return lines(item.sequence, type, { ...eventPayload(item.event), type, at: at.toISOString() });
		}
	}
}

/** The JSON is on one line: it is not indented, and line breaks in strings are escaped. */
function lines(id: number, event: string, data: object): string {
	return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
