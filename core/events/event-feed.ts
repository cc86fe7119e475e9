/** One listener's position in the event log: it gets each event once and in order, read when it asks for the next. */

import type { OrganisationId } from "../model/id.ts";
import type { EventLog, StoreEvent } from "../ports/event-log.ts";
import type { World } from "../ports/world.ts";
import { type EventWish, isWanted } from "./event-facts.ts";
import type { EventNotifier } from "./event-notifier.ts";

/** `sequence` is where to continue: every wanted event up to it has been returned. */
export type FeedItem =
	| { readonly kind: "event"; readonly sequence: number; readonly event: StoreEvent }
	/** Events after `after` and before `oldest` are deleted: some may have been missed. */
	| { readonly kind: "gap"; readonly sequence: number; readonly after: number; readonly oldest: number }
	/** No event, but the connection is alive. The first one of every feed comes at once. */
	| { readonly kind: "beat"; readonly sequence: number };

export interface EventFeed {
	/** Waits for the next item. Null when the feed has ended. One call at a time: a listener that does not ask costs nothing. */
	readonly next: () => Promise<FeedItem | null>;
}

export interface FeedParts {
	readonly events: EventLog;
	readonly organisation: OrganisationId;
	readonly notifier: EventNotifier;
	readonly world: World;
}

/** Proxies close a connection on which nothing comes for a minute, some for half of one. */
const beatEveryMs = 15_000;
const batchMax = 100;

/** @param after null begins with new events, 0 with the oldest that is stored */
export async function openFeed(
	{ events, organisation, notifier, world }: FeedParts,
	wish: EventWish,
	after: number | null,
	signal: AbortSignal,
): Promise<EventFeed> {
	const begin = await beginning(events, after);
	let position = begin.sequence;
	let batch: readonly StoreEvent[] = [];
	let heard = 0;
	let beatAt = Number.NEGATIVE_INFINITY;
	let gap = begin.gap;

	/** An event written between the two reads is seen by the next look. */
	async function look(): Promise<boolean> {
		const latest = await events.latest();
		batch = await events.after(position, wish.types, batchMax);
		if (batch.length === 0) position = Math.max(position, latest);
		return batch.length > 0;
	}

	async function rest(): Promise<void> {
		const awake = new AbortController();
		const either = AbortSignal.any([signal, awake.signal]);
		const arriving = notifier.beyond(organisation, heard, either).then((latest) => {
			heard = latest;
		});
		await Promise.race([arriving, world.sleep(beatAt + beatEveryMs - world.elapsedMs(), either)]);
		awake.abort();
		await arriving;
	}

	function nextWanted(): StoreEvent | null {
		for (const [i, event] of batch.entries()) {
			position = event.sequence;
			if (!isWanted(event, wish)) continue;
			batch = batch.slice(i + 1);
			return event;
		}
		batch = [];
		return null;
	}

	return {
		next: async () => {
			while (!signal.aborted) {
				const missed = gap;
				gap = null;
				if (missed !== null) return missed;
				if (world.elapsedMs() - beatAt >= beatEveryMs) {
					beatAt = world.elapsedMs();
					return { kind: "beat", sequence: position };
				}
				const event = nextWanted();
				if (event !== null) return { kind: "event", sequence: position, event };
				if (!(await look())) await rest();
			}
			return null;
		},
	};
}

/**
 * A listener whose last event is no longer stored may have missed others that were deleted with it. One whose position is beyond
 * the log has read another log: the database was restored from a backup, or all events have been deleted.
 */
async function beginning(events: EventLog, after: number | null): Promise<{ readonly sequence: number; readonly gap: FeedItem | null }> {
	const latest = await events.latest();
	if (after === null) return { sequence: latest, gap: null };
	const oldest = await events.oldest();
	const isAhead = after > latest;
	const isBehind = after > 0 && oldest > 0 && after < oldest - 1;
	if (!isAhead && !isBehind) return { sequence: after, gap: null };
	const sequence = isAhead ? latest : oldest - 1;
	return { sequence, gap: { kind: "gap", sequence, after, oldest } };
}
