/** A listener's feed from the event log. It returns each event once and in order; events are read when the listener asks for the next one. */

import type { OrganisationId } from "../model/id.ts";
import type { EventLog, LogEvent } from "../ports/event-log.ts";
import type { World } from "../ports/world.ts";
import type { EventNotifier } from "./event-notifier.ts";
import { type EventFilter, matchesEventFilter } from "./event-payload.ts";

/** `sequence` is the position from which to resume: every matching event up to it has been returned. */
export type FeedItem =
	| { readonly kind: "event"; readonly sequence: number; readonly event: LogEvent }
	/** Events after `after` and before `oldest` are no longer stored, so the listener may have missed some. */
	| { readonly kind: "gap"; readonly sequence: number; readonly after: number; readonly oldest: number }
	/** A heartbeat: there is no event, but the connection is alive. The first item of every feed is a heartbeat, returned at once. */
	| { readonly kind: "beat"; readonly sequence: number };

export interface EventFeed {
	/** Waits for the next item; null once the feed has ended. Calls must not be concurrent. A listener that does not call it costs nothing. */
	readonly next: () => Promise<FeedItem | null>;
}

export interface FeedParts {
	readonly events: EventLog;
	readonly organisation: OrganisationId;
	readonly notifier: EventNotifier;
	readonly world: World;
}

/** Proxies close a connection after a minute without data, some after half a minute. */
const beatEveryMs = 15_000;
const batchMax = 100;

/** @param after the sequence after which the feed begins: null begins with new events, 0 with the oldest stored event */
export async function openFeed(
	{ events, organisation, notifier, world }: FeedParts,
	filter: EventFilter,
	after: number | null,
	signal: AbortSignal,
): Promise<EventFeed> {
	const start = await startOf(events, after);
	let position = start.sequence;
	let batch: readonly LogEvent[] = [];
	let latestNotified = 0;
	let lastBeatMs = Number.NEGATIVE_INFINITY;
	let gap = start.gap;

	/** Reads the next events. @returns whether there are any. An event written between the two reads is found by the next call. */
	async function readBatch(): Promise<boolean> {
		const latest = await events.latest();
		batch = await events.after(position, filter.types, batchMax);
		if (batch.length === 0) position = Math.max(position, latest);
		return batch.length > 0;
	}

	async function waitForEvents(): Promise<void> {
		const doneWaiting = new AbortController();
		const stopSignal = AbortSignal.any([signal, doneWaiting.signal]);
		const newEvents = notifier.waitForNewer(organisation, latestNotified, stopSignal).then((latest) => {
			latestNotified = latest;
		});
		await Promise.race([newEvents, world.sleep(lastBeatMs + beatEveryMs - world.elapsedMs(), stopSignal)]);
		doneWaiting.abort();
		await newEvents;
	}

	function nextWanted(): LogEvent | null {
		for (const [i, event] of batch.entries()) {
			position = event.sequence;
			if (!matchesEventFilter(event, filter)) continue;
			batch = batch.slice(i + 1);
			return event;
		}
		batch = [];
		return null;
	}

	return {
		next: async () => {
			while (!signal.aborted) {
				const pendingGap = gap;
				gap = null;
				if (pendingGap !== null) return pendingGap;
				if (world.elapsedMs() - lastBeatMs >= beatEveryMs) {
					lastBeatMs = world.elapsedMs();
					return { kind: "beat", sequence: position };
				}
				const event = nextWanted();
				if (event !== null) return { kind: "event", sequence: position, event };
				if (!(await readBatch())) await waitForEvents();
			}
			return null;
		},
	};
}

/**
 * Where a feed begins, and whether the listener may have missed events. It may have if its last event is no longer stored. A position
 * beyond the end of the log comes from another log: the database was restored from a backup, or all events were deleted.
 */
async function startOf(events: EventLog, after: number | null): Promise<{ readonly sequence: number; readonly gap: FeedItem | null }> {
	const latest = await events.latest();
	if (after === null) return { sequence: latest, gap: null };
	const oldest = await events.oldest();
	const isAhead = after > latest;
	const isBehind = after > 0 && oldest > 0 && after < oldest - 1;
	if (!isAhead && !isBehind) return { sequence: after, gap: null };
	const sequence = isAhead ? latest : oldest - 1;
	return { sequence, gap: { kind: "gap", sequence, after, oldest } };
}
