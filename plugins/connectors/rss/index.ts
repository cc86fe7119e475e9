/** Connects feeds, RSS and Atom: every entry is a document, which is read again when the feed says something else of it, and stays when it leaves the feed. */

import { type Change, type Connector, type Cursor, definePlugin, type Host, type Json, ServiceError, type Step } from "cairn-memory";
import { z } from "zod";
import { itemKey } from "../item-key.ts";
import { readKnown } from "../known-items.ts";
import { retryPausesMs } from "../retry-failed.ts";
import { type ListedSource, type Listing, syncListing } from "../sync-listing.ts";
import { configure, type FeedConfig, provider, readFeedConfig } from "./config.ts";
import { type ListedEntry, readEntry, versionOf } from "./entry-item.ts";
import type { Feed } from "./feed.ts";
import { type ReadFeed, readFeed, type Validators } from "./read-feed.ts";

const syncEveryMs = 60 * 60_000;
/** Pages of older entries. Feeds have one; those with more have hundreds at most. */
const pagesMax = 500;

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

const unvalidated: Validators = { etag: null, modified: null };

/**
 * One page of the feed after another, so that only one is in memory. Where everything was read before, older pages are read as far as
 * they have news. The cursor has the validators of the first page only at the end. Until then it has the page at which a sync that was cut
 * off goes on; what has moved meanwhile to the pages before is found by the next, which reads them all.
 */
async function* sync(config: FeedConfig, from: Cursor | null, host: Host, step: Step): AsyncGenerator<Change> {
	// A limit that was lowered takes documents away, for which the feed has to be read though it is the same.
	const validators = readKnown(from).size > config.documentsMax ? null : validatorsOf(from);
	const resumed = await resume(from, host, step);
	const first = resumed?.feed ?? (await readFeed(config.feedUrl, validators ?? unvalidated, host, step));
	const read = resumed?.read ?? { ...first?.validators };
	let cursor = from;
	let [before, at] = [resumed?.page ?? config.feedUrl, resumed?.page ?? config.feedUrl];
	const seen = new Set([at]);
	const failed = new Set<string>();
	const pausesLeft = [...retryPausesMs];
	for (let page: ReadFeed | null = first; page !== null; ) {
		// An entry that is deleted meanwhile moves one of this page to the page before, so that one is read again.
		const place = validators === null && page.next !== null ? { place: { page: before, read } } : {};
		let changes = 0;
		let last = () => cursor ?? {};
		for await (const change of syncListing(sourceOf(page, config, failed, host, step), cursor, step, host.world, pausesLeft)) {
			last = () => ({ ...change.cursor(), ...place });
			changes++;
			yield { ...change, cursor: last };
		}
		cursor = last();
		const { next }: ReadFeed = page;
		const isDone = next === null || seen.has(next) || seen.size >= pagesMax || (validators !== null && changes === 0);
		if (!isDone) seen.add(next);
		[before, at] = [at, next ?? at];
		page = isDone ? null : await readFeed(next, unvalidated, host, step);
	}
	if (first === null) return;
	const { place: _place, ...whole } = cursor ?? {};
	// What failed is tried again at the next sync, and a server that says "unchanged" would not let it.
	const isWhole = resumed === null && failed.size === 0 && ![...readKnown(cursor).values()].includes("");
	const complete = isWhole ? { ...whole, read } : whole;
	yield { kind: "checkpoint", cursor: () => complete };
}

/** The page at which a sync was cut off; null if there is none, or it is not there any more. */
async function resume(from: Cursor | null, host: Host, step: Step) {
	const { data } = z.object({ page: z.string(), read: z.record(z.string(), z.string().nullable()) }).safeParse(from?.["place"]);
	if (data === undefined) return null;
	try {
		return { ...data, feed: await readFeed(data.page, unvalidated, host, step) };
	} catch (thrown) {
		if (thrown instanceof ServiceError && !thrown.mayPass) return null;
		throw thrown;
	}
}

/** Null unless the last sync read everything. */
function validatorsOf(cursor: Cursor | null): Validators | null {
	const read = cursor?.["read"];
	if (read === null || typeof read !== "object" || Array.isArray(read)) return null;
	const { etag, modified } = read as { readonly [key: string]: Json };
	return { etag: typeof etag === "string" ? etag : null, modified: typeof modified === "string" ? modified : null };
}

/** @param failed gets the keys of entries that cannot be read now, as long as they cannot */
function sourceOf(feed: Feed, config: FeedConfig, failed: Set<string>, host: Host, step: Step): ListedSource<ListedEntry> {
	return {
		provider,
		unit: "entry",
		failureCode: "RSS_ENTRY_FAILED",
		scope: config.feedUrl,
		documentsMax: config.documentsMax,
		list: async (known) => listEntries(feed, known, config, step),
		versionOf,
		read: async (key, entry) => {
			failed.add(key);
			const item = await readEntry(key, entry, config, host, step);
			failed.delete(key);
			return item;
		},
	};
}

/** Entries that left the feed are kept, so they count too. Gone is what the feed says to be deleted, and what a lowered limit leaves no room for. */
function listEntries(feed: Feed, known: ReadonlyMap<string, string>, { documentsMax }: FeedConfig, step: Step): Listing<ListedEntry> {
	const keyed = new Map(feed.entries.map((entry) => [itemKey(entry.id), { ...entry, feedTitle: feed.title }] as const));
	const deleted = new Set(feed.deleted.map(itemKey));
	const [old, fresh] = [[...known.keys()], [...keyed.keys()].filter((key) => !known.has(key))];
	const kept = new Set([...old.filter((key) => keyed.has(key)), ...old.filter((key) => !keyed.has(key) && !deleted.has(key)), ...fresh].slice(0, documentsMax));
	const leftOut = fresh.filter((key) => !kept.has(key)).length;
	if (leftOut > 0) step.warn("DOCUMENT_LIMIT_REACHED", `${leftOut} new entries were left out, because the connection has as many documents as it may`);
	const wanted = [...kept].flatMap((key) => {
		const entry = keyed.get(key);
		return entry === undefined ? [] : [[key, entry] as const];
	});
	return { wanted: new Map(wanted), isGone: (key) => !kept.has(key) };
}
