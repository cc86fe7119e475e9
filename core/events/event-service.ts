/** The event service of the server: it opens event feeds and limits their number. */

import { authorize } from "../access/authorize.ts";
import { fail } from "../errors/fail.ts";
import type { Caller } from "../model/caller.ts";
import type { OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import { type EventFeed, openFeed } from "./event-feed.ts";
import { createEventNotifier } from "./event-notifier.ts";
import type { EventFilter } from "./event-payload.ts";

export interface EventListener extends EventFeed {
	/** Ends the feed: a pending `next` resolves to null. */
	readonly close: () => void;
}

export interface EventService {
	/** Opens a feed, which must be closed. Throws `STREAMS_TOO_MANY`. */
	readonly listen: (caller: Caller, filter: EventFilter, after: number | null) => Promise<EventListener>;
	/** Ends all feeds. Feeds that are opened later end at once. */
	readonly stop: () => void;
}

export function createEventService({ storage, world }: Pick<Parts, "storage" | "world">): EventService {
	const notifier = createEventNotifier(storage, world);
	const open = new Map<AbortController, OrganisationId>();
	let isStopped = false;
	return {
		listen: async (caller, filter, after) => {
			const { organisation } = caller;
			const openCount = [...open.values()].filter((owner) => owner === organisation).length;
			if (openCount >= limits.eventStreamsMax) throw fail("STREAMS_TOO_MANY", limits.eventStreamsMax);
			const stopFeed = new AbortController();
			open.set(stopFeed, organisation);
			const close = () => {
				open.delete(stopFeed);
				stopFeed.abort();
			};
			try {
				const feed = await openFeed({ events: authorize(storage, caller).events, organisation, notifier, world }, filter, after, stopFeed.signal);
				if (isStopped) close();
				return { ...feed, close };
			} catch (thrown) {
				close();
				throw thrown;
			}
		},
		stop: () => {
			isStopped = true;
			for (const stopFeed of open.keys()) stopFeed.abort();
		},
	};
}
