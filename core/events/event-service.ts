/** The event service of the server: it opens event feeds and limits their number. */

import { authorize } from "../access/authorize.ts";
import { fail } from "../errors/fail.ts";
import type { Caller } from "../model/caller.ts";
import type { OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import { type EventFeed, type FeedItem, openFeed } from "./event-feed.ts";
import { createEventNotifier } from "./event-notifier.ts";
import type { EventFilter } from "./event-payload.ts";
import { type DocumentProgress, openProgress, type ProgressFeed } from "./progress-feed.ts";

/** A step of a document is in no log: it has no sequence, and a listener that comes back is told the present one. */
export type ListenedItem = FeedItem | { readonly kind: "progress"; readonly step: DocumentProgress };

export interface EventListener {
	/** Waits for the next item; null once the feed has ended. Calls must not be concurrent. */
	readonly next: () => Promise<ListenedItem | null>;
	/** Ends the feed: a pending `next` resolves to null. */
	readonly close: () => void;
}

export interface EventService {
	/** Opens a feed, which must be closed. Throws `STREAMS_TOO_MANY`. @param withProgress whether it also tells the steps of documents being processed */
	readonly listen: (caller: Caller, filter: EventFilter, after: number | null, withProgress: boolean) => Promise<EventListener>;
	/** Ends all feeds. Feeds that are opened later end at once. */
	readonly stop: () => void;
}

export function createEventService({ storage, world }: Pick<Parts, "storage" | "world">): EventService {
	const notifier = createEventNotifier(storage, world);
	const open = new Map<AbortController, OrganisationId>();
	let isStopped = false;
	return {
		listen: async (caller, filter, after, withProgress) => {
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
				const { events, documents } = authorize(storage, caller);
				const feed = await openFeed({ events, organisation, notifier, world }, filter, after, stopFeed.signal);
				if (isStopped) close();
				if (!withProgress) return { ...feed, close };
				return { next: whicheverComesFirst(feed, openProgress({ documents, storage, world }, filter.containerTags, stopFeed.signal)), close };
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

/** Each feed is asked again only after its last item was taken. */
function whicheverComesFirst(feed: EventFeed, progress: ProgressFeed): EventListener["next"] {
	type Taken = { readonly from: "feed" | "progress"; readonly item: ListenedItem | null };
	let event: Promise<Taken> | null = null;
	let step: Promise<Taken> | null = null;
	return async () => {
		event ??= feed.next().then((item) => ({ from: "feed", item }));
		step ??= progress.next().then((next) => ({ from: "progress", item: next === null ? null : { kind: "progress", step: next } }));
		const { from, item } = await Promise.race([event, step]);
		if (from === "feed") event = null;
		else step = null;
		return item;
	};
}
