/** Brings the entries of a feed's pages, one page after another, so that only one is in memory. */

import { type Change, type Cursor, type Host, ServiceError, type Step } from "cairn-memory";
import { isAtHome } from "../fetch-at-home.ts";
import { itemKey } from "../item-key.ts";
import { type ListedSource, type Listing, syncListing } from "../sync-listing.ts";
import { type FeedConfig, provider } from "./config.ts";
import { type ListedEntry, readEntry, versionOf } from "./entry-item.ts";
import type { Feed } from "./feed.ts";
import { type ReadFeed, readFeed, unvalidated } from "./read-feed.ts";

/** Pages of older entries. Feeds have one; those with more have hundreds at most. */
const pagesMax = 500;

export interface Walk {
	readonly config: FeedConfig;
	readonly host: Host;
	readonly step: Step;
	cursor: Cursor | null;
	/** Whether no page was left out because it could not be read. */
	isWhole: boolean;
	/** The keys of entries that cannot be read now. */
	readonly failed: Set<string>;
	readonly pausesLeft: number[];
}

/**
 * @param url of the first page
 * @param besides what the cursor has besides the entries while a page with this one before it is brought
 * @param isForNews whether the walk ends at a page without any
 */
export async function* walkPages(
	first: ReadFeed,
	url: string,
	walk: Walk,
	besides: (before: string, page: ReadFeed) => Cursor,
	isForNews: boolean,
): AsyncGenerator<Change> {
	const { step, host } = walk;
	const seen = new Set([url]);
	let [before, at] = [url, url];
	for (let page: ReadFeed | null = first; page !== null; ) {
		const more = besides(before, page);
		let changes = 0;
		let last = () => walk.cursor ?? {};
		for await (const change of syncListing(sourceOf(page, walk), walk.cursor, step, host.world, walk.pausesLeft)) {
			last = () => ({ ...change.cursor(), ...more });
			changes++;
			yield { ...change, cursor: last };
		}
		walk.cursor = last();
		const { next }: ReadFeed = page;
		if (next === null || seen.has(next) || seen.size >= pagesMax || (isForNews && changes === 0)) return;
		seen.add(next);
		[before, at] = [at, next];
		page = await readOlder(next, walk);
	}
}

/** Null for a page that cannot be read, which is taken for the end of the feed. @throws ServiceError if it may be read in a moment */
export async function readOlder(named: string, walk: Walk): Promise<ReadFeed | null> {
	const { config, host, step } = walk;
	const url = inSchemeOf(config.feedUrl, named);
	const leftOut = (why: string) => {
		step.warn("RSS_PAGE_FAILED", `older entries from ${url} on were not read: ${why}`);
		return null;
	};
	if (!isAtHome(new URL(url), new URL(config.feedUrl))) return leftOut("it is on another host than the feed");
	try {
		return await readFeed(url, unvalidated, host, step);
	} catch (thrown) {
		step.signal.throwIfAborted();
		if (!(thrown instanceof ServiceError) || thrown.mayPass) throw thrown;
		walk.isWhole = false;
		return leftOut(thrown.message);
	}
}

/** A server behind a proxy that ends TLS often names its pages with `http:`. */
function inSchemeOf(feedUrl: string, named: string): string {
	const secure = named.replace(/^http:/, "https:");
	return feedUrl.startsWith("https:") && isAtHome(new URL(secure), new URL(feedUrl)) ? secure : named;
}

function sourceOf(feed: Feed, { config, host, step, failed }: Walk): ListedSource<ListedEntry> {
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
