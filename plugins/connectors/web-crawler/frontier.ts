/** The state of a crawl, which is stored in the cursor: pages to visit, pages visited, and the version of each that was stored. */

import type { Cursor, Json } from "cairn-memory";
import { isFailure } from "../known-items.ts";
import { samePatternMax, urlPattern } from "./crawlable-url.ts";
import type { Validators } from "./visit.ts";

/** The version of a page. */
export interface PageVersion extends Validators {
	/** A hash of the text of an HTML page, or of the bytes of any other file. */
	readonly hash: string;
}

export interface Page {
	/** How many links lead from the start page to it. */
	readonly depth: number;
	/** Whether it is still to be visited in this crawl. */
	isWaiting: boolean;
	/** The version that is stored as a document; null if the page is not a document. */
	stored: PageVersion | null;
	/** Whether it may have been put right before a crash, after the last cursor was stored. Such a page is waiting or failed. */
	readonly maybePut: boolean;
}

export interface Frontier {
	readonly pages: Map<string, Page>;
	/** The waiting pages' URLs in the order of their visits, those that failed before last. */
	readonly queue: string[];
	/** Whether this crawl goes on where another has ended, or was interrupted. */
	readonly isResumed: boolean;
	/** Whether it visits every page, together with what it continues. */
	readonly isWhole: boolean;
	/** How many URLs of each pattern are known, see `urlPattern`. */
	readonly patterns: Map<string, number>;
	/** Since when pages could not be read, in milliseconds, the one whose last try is the longest ago first. */
	readonly failed: Map<string, number>;
	/** Pages that no longer exist. */
	readonly gone: Set<string>;
	/** How many pages are documents. */
	documents: number;
}

const cursorVersion = 1;
const etagCharactersMax = 100;
const modifiedCharactersMax = 40;

/** Twice as many URLs as pages, because half of them may be redirects, errors, or pages that forbid indexing. */
export const urlsMax = (pagesMax: number): number => 2 * pagesMax + 100;

/** @param isRetry whether only pages are visited that the crawl before has left */
export function openFrontier(cursor: Cursor | null, start: string, isRetry = false): Frontier {
	const entries = entriesOf(cursor);
	const failed = failuresOf(cursor);
	const isRunning = cursor?.["isRunning"] === true;
	const isResumed = (isRetry || isRunning) && entries.length > 0;
	const pages = new Map<string, Page>();
	if (!isResumed) pages.set(start, { depth: 0, isWaiting: true, stored: null, maybePut: false });
	for (const { url, depth, isWaiting, stored } of entries) {
		pages.set(url, { depth, isWaiting: isWaiting || !isResumed || failed.has(url), stored, maybePut: isWaiting || failed.has(url) });
	}
	const patterns = new Map<string, number>();
	for (const url of pages.keys()) patterns.set(urlPattern(url), (patterns.get(urlPattern(url)) ?? 0) + 1);
	for (const url of failed.keys()) if (!pages.has(url)) failed.delete(url);
	const fresh = [...pages].filter(([url, page]) => page.isWaiting && !failed.has(url)).map(([url]) => url);
	const queue = [...fresh, ...failed.keys()];
	const documents = [...pages.values()].filter(({ stored }) => stored !== null).length;
	return { pages, queue, isResumed, isWhole: isRunning || !isResumed, patterns, failed, gone: new Set(), documents };
}

/** Adds a page unless the limits are reached. @returns whether the page is known now. */
export function discover(url: string, depth: number, frontier: Frontier, pagesMax: number): boolean {
	const { pages, queue, patterns } = frontier;
	if (pages.has(url)) return true;
	const pattern = urlPattern(url);
	const samePattern = patterns.get(pattern) ?? 0;
	if (pages.size >= urlsMax(pagesMax) || samePattern >= samePatternMax(pattern)) return false;
	patterns.set(pattern, samePattern + 1);
	pages.set(url, { depth, isWaiting: true, stored: null, maybePut: false });
	queue.push(url);
	return true;
}

/** Both validators are stored, because a server may support only one. Overlong ones are left out. */
export function versionOf(hash: string, headers: ReadonlyMap<string, string>): PageVersion {
	const etag = headers.get("etag") ?? null;
	const modified = headers.get("last-modified") ?? null;
	return {
		hash,
		etag: etag !== null && etag.length <= etagCharactersMax && /^[\x20-\x7e]+$/.test(etag) ? etag : null,
		modified: modified !== null && modified.length <= modifiedCharactersMax && /^[\x20-\x7e]+$/.test(modified) ? modified : null,
	};
}

/** The cursor to store. Pages that no longer exist are left out once the crawl has ended. */
export function cursorOf({ pages, failed, gone }: Frontier, isRunning: boolean): Cursor {
	const remaining = [...pages].filter(([url]) => isRunning || !gone.has(url));
	const rows = remaining.map(
		([url, { depth, isWaiting, stored }]): Json => [url, depth, isWaiting, ...(stored === null ? [] : [stored.hash, stored.etag, stored.modified])],
	);
	return { version: cursorVersion, isRunning, pages: rows, ...(failed.size > 0 && { failed: failed.entries().toArray() }) };
}

interface Entry {
	readonly url: string;
	readonly depth: number;
	readonly isWaiting: boolean;
	readonly stored: PageVersion | null;
}

function entriesOf(cursor: Cursor | null): readonly Entry[] {
	const rows = cursor?.["version"] === cursorVersion ? cursor["pages"] : null;
	return Array.isArray(rows) ? rows.flatMap((row: Json) => entryOf(row) ?? []) : [];
}

function failuresOf(cursor: Cursor | null): Map<string, number> {
	const rows = cursor?.["failed"];
	return new Map(Array.isArray(rows) ? rows.filter(isFailure) : []);
}

function entryOf(row: Json): Entry | null {
	if (!Array.isArray(row)) return null;
	const [url, depth, isWaiting, hash, etag, modified] = row as readonly Json[];
	if (typeof url !== "string" || !URL.canParse(url) || typeof depth !== "number" || typeof isWaiting !== "boolean") return null;
	const stored = typeof hash === "string" ? { hash, etag: textOrNull(etag), modified: textOrNull(modified) } : null;
	return { url, depth, isWaiting, stored };
}

function textOrNull(value: Json | undefined): string | null {
	return typeof value === "string" ? value : null;
}
