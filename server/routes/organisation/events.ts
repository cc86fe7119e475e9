/** `GET /v3/events`: a live stream of events of documents and memories. */

import { asServiceError } from "../../../core/errors/fail.ts";
import type { EventListener, EventService } from "../../../core/events/event-service.ts";
import { eventStreamType, toStreamLines } from "../../wire/v3/organisation/event-stream.ts";
import { eventsQuery, parseEvents } from "../../wire/v3/organisation/events-request.ts";
import { readAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Events");

/** Turns off response buffering in proxies. */
const streamHeaders = { "content-type": eventStreamType, "cache-control": "no-store", "x-accel-buffering": "no" };

/** @param revalidate rejects if the key of a request is no longer valid */
export function eventRoutes(events: EventService, revalidate: (request: Request) => Promise<unknown>): readonly Operation[] {
	return [
		operation(
			"GET /v3/events",
			{
				access: readAccess,
				summary: "Listen to events",
				description:
					"Server-sent events of documents and memories, in order. After a broken connection, continue with the header `Last-Event-ID`: no event is lost or repeated. The API key is sent in a header as for all routes, so use a client based on `fetch`. See docs/events.md.",
				operationId: "listenToEvents",
				query: eventsQuery,
				responses: { 200: "EventStream" },
				responseType: "text/event-stream",
				errors: ["INPUT_INVALID", "STREAMS_TOO_MANY"],
			},
			async ({ request, caller }) => {
				const { filter, after, progress } = parseEvents(request);
				// A `HEAD` request would wait for an end that never comes.
				if (request.method === "HEAD") return new Response(null, { headers: streamHeaders });
				const listener = await events.listen(caller, filter, after, progress);
				request.signal.addEventListener("abort", listener.close, { once: true });
				return new Response(
					eventStream(listener, () => isKeyStillValid(() => revalidate(request))),
					{ headers: streamHeaders },
				);
			},
		),
	];
}

/** Events are read on demand, so at most one event per slow client is in memory. */
function eventStream(listener: EventListener, isStillAllowed: () => Promise<boolean>): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream(
		{
			pull: async (controller) => {
				try {
					const item = await listener.next();
					if (item !== null && (item.kind !== "beat" || (await isStillAllowed()))) return controller.enqueue(encoder.encode(toStreamLines(item)));
					listener.close();
					controller.close();
				} catch (thrown) {
					listener.close();
					controller.error(thrown);
				}
			},
			cancel: () => listener.close(),
		},
		{ highWaterMark: 0 },
	);
}

/** A revoked key ends the stream at the next heartbeat. Transient errors do not. */
async function isKeyStillValid(revalidate: () => Promise<unknown>): Promise<boolean> {
	try {
		await revalidate();
		return true;
	} catch (thrown) {
		return asServiceError(thrown).mayPass;
	}
}
