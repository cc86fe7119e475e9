/** Connects feeds, RSS and Atom: every entry is a document, which is read again when the feed says something else of it, and stays when it leaves the feed. */

import { type Change, type Connector, type Cursor, definePlugin, type Host, type Json, type Step } from "cairn-memory";
import { z } from "zod";
import { readKnown } from "../known-items.ts";
import { retryPausesMs } from "../retry-failed.ts";
import { configure, type FeedConfig, provider, readFeedConfig } from "./config.ts";
import type { Feed } from "./feed.ts";
import { readFeed, unvalidated, type Validators } from "./read-feed.ts";
import { readOlder, type Walk, walkPages } from "./walk-pages.ts";

const syncEveryMs = 60 * 60_000;

export default definePlugin({
	name: "connector-rss",
	contract: 1,
	start(_options, host) {
		const connector: Connector = {
			name: provider,
			secrets: [],
			syncEveryMs,
			configure,
			check: async (config, step) => void (await readFeed(readFeedConfig(config).feedUrl, unvalidated, host, step)),
			sync: (config, cursor, step) => sync(readFeedConfig(config), cursor, host, step),
		};
		return { connector: [connector] };
	},
});

async function* sync(config: FeedConfig, from: Cursor | null, host: Host, step: Step): AsyncGenerator<Change> {
	const walk: Walk = { config, host, step, cursor: from, isWhole: true, failed: new Set(), pausesLeft: [...retryPausesMs] };
	const place = placeOf(from, config.feedUrl);
	yield* place === null ? readAll(walk) : goOn(place, walk);
}

/** Where everything was read before, older pages are read as far as they have news. Only a sync that has read all leaves the validators of the feed. */
async function* readAll(walk: Walk): AsyncGenerator<Change> {
	const { config, host, step, cursor } = walk;
	const askedAt = host.world.now().getTime();
	// A limit that was lowered takes documents away, for which the feed has to be read though it is the same.
	const validators = readKnown(cursor).size > config.documentsMax ? null : validatorsOf(cursor?.["read"]);
	const first = await readFeed(config.feedUrl, validators ?? unvalidated, host, step);
	if (first === null) return;
	const read = first.validators;
	yield* walkPages(first, config.feedUrl, walk, validators === null ? placeAt({ read, askedAt }) : () => ({}), validators !== null);
	// What failed is tried again at the next sync, and a server that says "unchanged" would not let it.
	const isWhole = walk.isWhole && walk.failed.size === 0 && ![...readKnown(walk.cursor).values()].includes("");
	const complete = { ...withoutPlace(walk.cursor), ...(isWhole && { read: { ...read } }) };
	yield { kind: "checkpoint", cursor: () => complete };
}

/**
 * From the page at which a sync was cut off. What has moved meanwhile to the pages before is found by the next, which reads them all.
 * What is new comes first, every hour: an older page may fail for long.
 */
async function* goOn(place: Place, walk: Walk): AsyncGenerator<Change> {
	const { config, host, step } = walk;
	const now = host.world.now().getTime();
	const isDue = Math.abs(now - place.askedAt) >= syncEveryMs;
	const asked = isDue ? { ...place, askedAt: now } : place;
	if (isDue) {
		const first = await readFeed(config.feedUrl, place.read, host, step);
		if (first !== null) yield* walkPages(first, config.feedUrl, walk, () => ({ place: asked }), true);
		const cursor = { ...walk.cursor, place: asked };
		walk.cursor = cursor;
		yield { kind: "checkpoint", cursor: () => cursor };
	}
	const page = await readOlder(place.page, walk);
	if (page !== null) yield* walkPages(page, place.page, walk, placeAt(asked), false);
	const complete = withoutPlace(walk.cursor);
	yield { kind: "checkpoint", cursor: () => complete };
}

/** Where a sync that is cut off goes on. */
type Place = {
	readonly page: string;
	/** Of the feed when its first page was read. */
	readonly read: Validators;
	/** When the feed's own address was last asked for, in milliseconds. */
	readonly askedAt: number;
};

const placeSchema = z.object({ page: z.string(), read: z.record(z.string(), z.string().nullable()), askedAt: z.number().default(0) });

/** Null if there is none, or it is the beginning. */
function placeOf(cursor: Cursor | null, feedUrl: string): Place | null {
	const { data } = placeSchema.safeParse(cursor?.["place"]);
	return data === undefined || data.page === feedUrl ? null : { ...data, read: validatorsOf(data.read) ?? unvalidated };
}

/** An entry that is deleted while a page is brought moves one of it to the page before, so that one is read again. */
function placeAt({ read, askedAt }: Omit<Place, "page">): (before: string, page: Feed) => Cursor {
	return (before, { next }) => (next === null ? {} : { place: { page: before, read, askedAt } });
}

function withoutPlace(cursor: Cursor | null): Cursor {
	const { place: _place, ...rest } = cursor ?? {};
	return rest;
}

/** Null unless the last sync read everything. */
function validatorsOf(read: Json | undefined): Validators | null {
	if (read === null || typeof read !== "object" || Array.isArray(read)) return null;
	const { etag, modified } = read as { readonly [key: string]: Json };
	return { etag: typeof etag === "string" ? etag : null, modified: typeof modified === "string" ? modified : null };
}
