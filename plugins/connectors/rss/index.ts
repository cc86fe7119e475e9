/** Connects feeds, RSS and Atom: every entry is a document, which is read again when the feed says something else of it, and stays when it leaves the feed. */

import { type Connector, type Cursor, definePlugin, type Host, type Json, type Step } from "cairn-memory";
import { itemKey } from "../item-key.ts";
import { readKnown } from "../known-items.ts";
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
 * they have news. The cursor has the validators only at the end: a sync that was killed reads the whole feed again, and brings what it lacks.
 */
async function* sync(config: FeedConfig, from: Cursor | null, host: Host, step: Step) {
	const validators = validatorsOf(from);
	const first = await readFeed(config.feedUrl, validators ?? unvalidated, host, step);
	let cursor = from;
	const seen = new Set([config.feedUrl]);
	for (let page: ReadFeed | null = first; page !== null; ) {
		let changes = 0;
		let at = () => cursor ?? {};
		for await (const change of syncListing(sourceOf(page, config, host, step), cursor, step)) {
			at = change.cursor;
			changes++;
			yield change;
		}
		cursor = at();
		const { next }: ReadFeed = page;
		const isDone = next === null || seen.has(next) || seen.size >= pagesMax || (validators !== null && changes === 0);
		if (!isDone) seen.add(next);
		page = isDone ? null : await readFeed(next, unvalidated, host, step);
	}
	const complete = { ...cursor, read: { ...first?.validators } };
	// What failed is tried again at the next sync, and a server that says "unchanged" would not let it.
	if (first !== null && ![...readKnown(cursor).values()].includes("")) yield { kind: "checkpoint" as const, cursor: () => complete };
}

/** Null unless the last sync read everything. */
function validatorsOf(cursor: Cursor | null): Validators | null {
	const read = cursor?.["read"];
	if (read === null || typeof read !== "object" || Array.isArray(read)) return null;
	const { etag, modified } = read as { readonly [key: string]: Json };
	return { etag: typeof etag === "string" ? etag : null, modified: typeof modified === "string" ? modified : null };
}

function sourceOf(feed: Feed, config: FeedConfig, host: Host, step: Step): ListedSource<ListedEntry> {
	return {
		unit: "entry",
		failureCode: "RSS_ENTRY_FAILED",
		list: async (known) => listEntries(feed, known, config, step),
		versionOf,
		read: (key, entry) => readEntry(key, entry, config, host, step),
	};
}

/** Entries that left the feed are kept, so they count too. Gone is what the feed says to be deleted, and what a lowered limit leaves no room for. */
function listEntries(feed: Feed, known: ReadonlyMap<string, string>, { documentsMax }: FeedConfig, step: Step): Listing<ListedEntry> {
	const keyed = new Map(feed.entries.map((entry) => [itemKey(entry.id), { ...entry, feedTitle: feed.title }] as const));
	const deleted = new Set(feed.deleted.map(itemKey));
	const [old, fresh] = [[...known.keys()], [...keyed.keys()].filter((key) => !known.has(key))];
	const kept = new Set([...old.filter((key) => keyed.has(key)), ...old.filter((key) => !keyed.has(key) && !deleted.has(key)), ...fresh].slice(0, documentsMax));
	const leftOut = fresh.filter((key) => !kept.has(key)).length;
	if (leftOut > 0) step.warn("RSS_LIMIT_REACHED", `${leftOut} new entries were left out, because the connection has as many documents as it may`);
	const wanted = [...kept].flatMap((key) => {
		const entry = keyed.get(key);
		return entry === undefined ? [] : [[key, entry] as const];
	});
	return { wanted: new Map(wanted), isGone: (key) => !kept.has(key) };
}
