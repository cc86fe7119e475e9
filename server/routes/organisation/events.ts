/** `GET /v3/events`: what happens to documents and memories, as it happens. */

import { asServiceError } from "../../../core/errors/fail.ts";
import type { EventListener, EventService } from "../../../core/events/event-service.ts";
import { eventStreamType, toStreamLines } from "../../wire/v3/organisation/event-stream.ts";
import { eventsQuery, parseEvents } from "../../wire/v3/organisation/events-request.ts";
import { reads } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

/** Turns off response buffering in proxies. */
const streamHeaders = { "content-type": eventStreamType, "cache-control": "no-store", "x-accel-buffering": "no" };

/** @param revalidate rejects when the key of a request is no longer valid */
export function eventRoutes(events: EventService, revalidate: (request: Request) => Promise<unknown>): readonly Operation[] {
	return [
		operation(
			"GET /v3/events",
			{
				access: reads,
				summary: "Listen to what happens",
				description:
					"Server-sent events of documents and memories, in order. After a broken connection go on with the header `Last-Event-ID`: nothing is lost and nothing told twice. The key travels in a header as everywhere, so use a client based on `fetch`. See docs/events.md.",
				tags: ["Events"],
				operationId: "listenToEvents",
				query: eventsQuery,
				responses: { 200: "EventStream" },
				responseType: "text/event-stream",
				errors: ["INPUT_INVALID", "STREAMS_TOO_MANY"],
			},
			async ({ request, caller }) => {
				const { filter, after } = parseEvents(request);
				// A `HEAD` request would wait for an end that never comes.
				if (request.method === "HEAD") return new Response(null, { headers: streamHeaders });
				const listening = await events.listen(caller, filter, after);
				request.signal.addEventListener("abort", listening.close, { once: true });
				return new Response(
					streamOf(listening, () => mayGoOn(() => revalidate(request))),
					{ headers: streamHeaders },
				);
			},
		),
	];
}

/** Events are read on demand, so a slow client only holds one in memory. */
function streamOf(listening: EventListener, goesOn: () => Promise<boolean>): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream(
		{
			pull: async (controller) => {
				try {
					const item = await listening.next();
					if (item !== null && (item.kind !== "beat" || (await goesOn()))) return controller.enqueue(encoder.encode(toStreamLines(item)));
					listening.close();
					controller.close();
				} catch (thrown) {
					listening.close();
					controller.error(thrown);
				}
			},
			cancel: () => listening.close(),
		},
		{ highWaterMark: 0 },
	);
}

/** A revoked key ends the stream at the next heartbeat. Transient errors do not. */
async function mayGoOn(revalidate: () => Promise<unknown>): Promise<boolean> {
	try {
		await revalidate();
		return true;
	} catch (thrown) {
		return asServiceError(thrown).mayPass;
	}
}
