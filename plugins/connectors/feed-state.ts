/** How far a connection has followed the feeds of a service: all of it is in the cursor. */

import type { Cursor } from "cairn-memory";
import { z } from "zod";
import { KnownItems, readKnown, writeKnown } from "./known-items.ts";

/** By feed, then by the item's id. */
type Places = Map<string, Map<string, string>>;

export interface FeedState {
	/** What was chosen when it was listed; null if nothing was listed yet. Another choice is listed anew. */
	scope: string | null;
	/** Versions by item key. `?` before a version stands for an item that is still to be read. */
	readonly known: KnownItems;
	/** Where each feed goes on. */
	readonly cursors: Map<string, string>;
	/**
	 * Where items are: the id of a folder, or a path. What is nowhere when all feeds are read is gone. A feed has none, not even an empty list, until
	 * it has told of an item since it was last listed from its beginning.
	 */
	readonly places: Places;
	/** The folder of each folder, for services that tell no more of a folder's move. */
	readonly folders: Places;
	/** Whether there were more items than the connection may have. */
	isPartial: boolean;
	/** Whether a change concerns more items than it names, so that everything has to be listed again. */
	isStale: boolean;
}

const places = z.record(z.string(), z.record(z.string(), z.string()));
const cursorSchema = z.object({
	version: z.literal(1),
	scope: z.string(),
	cursors: z.record(z.string(), z.string()),
	places,
	folders: places,
	isPartial: z.boolean(),
	isStale: z.boolean(),
});

export function readFeedState(cursor: Cursor | null): FeedState {
	const { data } = cursorSchema.safeParse(cursor);
	return {
		scope: data?.scope ?? null,
		known: data === undefined ? new KnownItems() : readKnown(cursor),
		cursors: new Map(Object.entries(data?.cursors ?? {})),
		places: mapsOf(data?.places),
		folders: mapsOf(data?.folders),
		isPartial: data?.isPartial ?? false,
		isStale: data?.isStale ?? false,
	};
}

export function writeFeedState({ scope, known, cursors, places, folders, isPartial, isStale }: FeedState): Cursor {
	const rest = { cursors: Object.fromEntries(cursors), places: objectsOf(places), folders: objectsOf(folders), isPartial, isStale };
	return { ...writeKnown(known), ...rest, scope: scope ?? "" };
}

/** The items or folders of one feed. */
export function ofFeed(places: Places, feed: string): Map<string, string> {
	const known = places.get(feed) ?? new Map<string, string>();
	places.set(feed, known);
	return known;
}

const pendingMark = "?";

export function pendingVersion(version: string): string {
	return `${pendingMark}${version}`;
}

/** The version of an item that is still to be read; null for one that was read. */
export function versionPending(version: string): string | null {
	return version.startsWith(pendingMark) ? version.slice(pendingMark.length) : null;
}

function mapsOf(given: z.infer<typeof places> = {}): Places {
	return new Map(Object.entries(given).map(([feed, items]) => [feed, new Map(Object.entries(items))]));
}

function objectsOf(given: Places): z.infer<typeof places> {
	return Object.fromEntries([...given].map(([feed, items]) => [feed, Object.fromEntries(items)]));
}
