/**
 * Keeps documents the same as the feeds of a service tell: a feed lists everything first, then what has changed since a cursor. Every page
 * is a checkpoint, so that the first listing of a large account goes on where it was.
 */

import { type Change, type ConnectorItem, type Cursor, fail, type Step } from "cairn-memory";
import { type FeedState, ofFeed, pendingVersion, readFeedState, versionPending, writeFeedState } from "./feed-state.ts";
import { removeExcess, warnOfLimit } from "./known-items.ts";
import { neverTwice } from "./never-twice.ts";
import { nothingListed } from "./nothing-listed.ts";
import { type Pauses, putAll } from "./sync-listing.ts";

export type FeedPage<Entry> =
	| { readonly kind: "page"; readonly entries: readonly Entry[]; readonly cursor: string; readonly isLast: boolean }
	/** The service no longer knows the cursor: everything is listed again, from here where it says so. */
	| { readonly kind: "reset"; readonly cursor: string | null }
	/** What the feed is about is gone, or the account may no longer see it. */
	| { readonly kind: "gone" }
	/** The service does not let it be read now, or not by this account: what was read of it stays. */
	| { readonly kind: "unread" };

/** What a connector does with the entries of a page. */
export interface FeedTree {
	readonly state: FeedState;
	/** It is or becomes a document, unless there are as many as there may be. */
	readonly offer: (feed: string, id: string, place: string, version: string) => void;
	/** It is no document, or none any more; not told of folders, which may be there where all files are away. */
	readonly drop: (feed: string, id: string) => void;
}

export interface FeedSource<Entry> {
	readonly provider: string;
	/** What progress counts. */
	readonly unit: string;
	/** The code of the warning about an item that could not be read. */
	readonly failureCode: string;
	/** What is followed, as text. */
	readonly scope: string;
	readonly feeds: readonly string[];
	readonly documentsMax: number;
	/** @throws ServiceError */
	readonly page: (feed: string, cursor: string | null) => Promise<FeedPage<Entry>>;
	/** Applies the entries of a page in their order. */
	readonly apply: (feed: string, entries: readonly Entry[], tree: FeedTree) => void;
	/** Called when all feeds are read to their ends. */
	readonly followed: (state: FeedState) => void;
	/** Whether an item at this place is wanted, now that all feeds are read. */
	readonly isWanted: (feed: string, place: string, state: FeedState) => boolean;
	readonly keyOf: (feed: string, id: string) => string;
	/** The feed to which a key belongs; null if it may belong to any. */
	readonly feedOf: (key: string) => string | null;
	/** Whether an item of a feed that is not known is gone, while one of the feeds may not be read. @throws ServiceError */
	readonly isGone?: (key: string, unread: ReadonlySet<string>) => Promise<boolean>;
	/** Null if the item is no longer there. @throws ServiceError */
	readonly read: (key: string) => Promise<ConnectorItem | null>;
}

/** A service that goes on forever, or forgets its own cursors, is left. */
const pagesOfFeedMax = 100_000;
const resetsMax = 3;
/** A change that concerns more than it names makes everything be listed again; what changes meanwhile is left to the next sync. */
const listingsMax = 2;

export async function* syncFeeds<Entry>(
	source: FeedSource<Entry>,
	from: Cursor | null,
	step: Step,
	world: Pauses,
	pagesMax = pagesOfFeedMax,
): AsyncGenerator<Change> {
	const state = readFeedState(from);
	const cursor = () => writeFeedState(state);
	const hasRoom = state.isPartial && state.known.size < source.documentsMax;
	const isChosenAnew = state.scope !== source.scope;
	if (isChosenAnew || hasRoom) beginListing(source, state);
	// What was chosen before is no reason to doubt a list of what is chosen now.
	if (isChosenAnew) for (const feed of source.feeds) ofFeed(state.places, feed);
	const unread = new Set<string>();
	for (let listings = 0; listings < listingsMax; listings++) {
		if (state.isStale) beginListing(source, state);
		unread.clear();
		for (const feed of source.feeds) if (!(yield* followFeed(feed, source, state, cursor, pagesMax, step))) unread.add(feed);
		if (!state.isStale) break;
	}
	source.followed(state);
	if (isEmpty(source, unread, state)) {
		beginListing(source, state);
		yield { kind: "checkpoint", cursor };
		throw nothingListed(source);
	}
	yield* removeGone(source, state, unread, cursor);
	yield* removeExcess(state, source.documentsMax, cursor);
	if (state.isPartial) warnOfLimit(step, source.documentsMax);
	yield* readPending(source, state, cursor, step, world);
}

/** What was read stays known, so that it is read again only if it has changed. */
function beginListing({ scope }: Pick<FeedSource<never>, "scope">, state: FeedState): void {
	for (const each of [state.cursors, state.places, state.folders]) each.clear();
	Object.assign(state, { scope, isPartial: false, isStale: false });
}

/**
 * Whether no feed has told of an item since it was listed from its beginning, though documents of those that were read are known. Where one
 * was told as gone, which leaves it without a cursor, the account is no empty one, and the others are believed.
 */
function isEmpty({ feeds, feedOf }: Pick<FeedSource<never>, "feeds" | "feedOf">, unread: ReadonlySet<string>, state: FeedState): boolean {
	const { cursors, known, places } = state;
	if (feeds.some((feed) => places.has(feed) || !(cursors.has(feed) || unread.has(feed)))) return false;
	return known.keys().some((key) => {
		const feed = feedOf(key);
		return feed === null ? unread.size === 0 : !unread.has(feed);
	});
}

/** @returns whether it was read to its end. If not, what is not known of it may be there all the same */
async function* followFeed<Entry>(
	feed: string,
	source: FeedSource<Entry>,
	state: FeedState,
	cursor: () => Cursor,
	pagesMax: number,
	step: Step,
): AsyncGenerator<Change, boolean> {
	const tree = treeOf(source, state);
	let resets = 0;
	let demandNew = neverTwice(source.unit);
	for (let pages = 0; pages < pagesMax; pages++) {
		step.signal.throwIfAborted();
		const page = await source.page(feed, state.cursors.get(feed) ?? null);
		if (page.kind === "unread") return false;
		if (page.kind !== "page") {
			for (const each of [state.cursors, state.places, state.folders]) each.delete(feed);
			if (page.kind === "gone") return true;
			if (++resets > resetsMax) throw fail("ADDRESS_CHANGED", source.unit, "the service asks again and again to list everything");
			// The same pages come again.
			demandNew = neverTwice(source.unit);
			if (page.cursor !== null) state.cursors.set(feed, page.cursor);
			continue;
		}
		source.apply(feed, page.entries, tree);
		if (!page.isLast) demandNew(page.cursor);
		const isMoved = state.cursors.get(feed) !== page.cursor;
		state.cursors.set(feed, page.cursor);
		step.progress({ done: state.known.size, total: state.known.size, unit: source.unit });
		if (isMoved || page.entries.length > 0) yield { kind: "checkpoint", cursor };
		if (page.isLast) return true;
	}
	return false;
}

function treeOf<Entry>({ keyOf, documentsMax }: FeedSource<Entry>, state: FeedState): FeedTree {
	return {
		state,
		offer: (feed, id, place, version) => {
			const places = ofFeed(state.places, feed);
			const key = keyOf(feed, id);
			const known = state.known.get(key);
			if (known === undefined && state.known.size >= documentsMax) {
				state.isPartial = true;
				return;
			}
			places.set(id, place);
			if (known !== version) state.known.set(key, pendingVersion(version));
		},
		drop: (feed, id) => void ofFeed(state.places, feed).delete(id),
	};
}

/** Only now: an item may leave one place on one page and be at another on the next. */
async function* removeGone<Entry>(
	{ isWanted, keyOf, feedOf, isGone: isGoneAlone = async () => false }: FeedSource<Entry>,
	state: FeedState,
	unread: ReadonlySet<string>,
	cursor: () => Cursor,
): AsyncGenerator<Change> {
	const isGone = async (key: string) => {
		const feed = feedOf(key);
		if (feed !== null) return !unread.has(feed);
		return unread.size === 0 || isGoneAlone(key, unread);
	};
	const wanted = new Set<string>();
	for (const [feed, items] of state.places) {
		for (const [id, place] of items) {
			if (isWanted(feed, place, state)) wanted.add(keyOf(feed, id));
			// The folder in which it lies may be on a page that was not read.
			else if (!unread.has(feed)) items.delete(id);
		}
	}
	for (const key of [...state.known.keys()].filter((key) => !wanted.has(key))) {
		if (!(await isGone(key))) continue;
		state.known.delete(key);
		yield { kind: "remove", key, cursor };
	}
}

async function* readPending<Entry>(source: FeedSource<Entry>, state: FeedState, cursor: () => Cursor, step: Step, world: Pauses): AsyncGenerator<Change> {
	const pending = [...state.known].flatMap(([key, known]) => {
		const version = versionPending(known);
		return version === null ? [] : [[key, version] as const];
	});
	// A checkpoint has listed them, with the version that each is to have.
	const listed = { unit: source.unit, failureCode: source.failureCode, versionOf: (version: string) => version, read: source.read };
	yield* putAll(pending, listed, state.known, cursor, step, world);
}
