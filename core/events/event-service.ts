/** What the server may ask about events: to listen to them. */

import { authorize } from "../access/authorize.ts";
import { fail } from "../errors/fail.ts";
import type { Caller } from "../model/caller.ts";
import type { OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { EventWish } from "./event-facts.ts";
import { type EventFeed, openFeed } from "./event-feed.ts";
import { createEventNotifier } from "./event-notifier.ts";

export interface Listening extends EventFeed {
	/** Ends the feed: a pending `next` is answered null. */
	readonly close: () => void;
}

export interface EventService {
	/** Throws `STREAMS_TOO_MANY`. A feed that is opened has to be closed. */
	readonly listen: (caller: Caller, wish: EventWish, after: number | null) => Promise<Listening>;
	/** Ends all feeds, and those that are opened later at once. */
	readonly stop: () => void;
}

export function createEventService({ storage, world }: Pick<Parts, "storage" | "world">): EventService {
	const notifier = createEventNotifier(storage, world);
	const open = new Map<AbortController, OrganisationId>();
	let isStopped = false;
	return {
		listen: async (caller, wish, after) => {
			const { organisation } = caller;
			const held = [...open.values()].filter((owner) => owner === organisation).length;
			if (held >= limits.eventStreamsMax) throw fail("STREAMS_TOO_MANY", limits.eventStreamsMax);
			const ending = new AbortController();
			open.set(ending, organisation);
			const close = () => {
				open.delete(ending);
				ending.abort();
			};
			try {
				const feed = await openFeed({ events: authorize(storage, caller).events, organisation, notifier, world }, wish, after, ending.signal);
				if (isStopped) close();
				return { ...feed, close };
			} catch (thrown) {
				close();
				throw thrown;
			}
		},
		stop: () => {
			isStopped = true;
			for (const ending of open.keys()) ending.abort();
		},
	};
}
