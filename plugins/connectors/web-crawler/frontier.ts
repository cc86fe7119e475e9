/** What a crawl knows: pages that wait, pages that were read, and what each was when it was read. All of it goes into the cursor. */

import type { Cursor, Json } from "cairn-memory";
import { addressPattern, samePatternMax } from "./address.ts";
import type { Known } from "./visit.ts";

/** How a page was when it was put; a page that is no document has none. */
export interface Mark extends Known {
	readonly hash: string;
}

export interface Page {
	/** How many links lie between it and the start. */
	readonly depth: number;
	isWaiting: boolean;
	mark: Mark | null;
	/** Read, put and killed before the cursor was kept: then it may be a document without our knowing. */
	readonly maybePut: boolean;
}

export interface Frontier {
	readonly pages: Map<string, Page>;
	/** Addresses in the order in which they will be visited; those that have been are behind `next`. */
	readonly queue: string[];
	/** Whether a round was broken off in its middle. */
	readonly isResumed: boolean;
	readonly patterns: Map<string, number>;
	readonly gone: Set<string>;
	/** How many pages are documents. */
	documents: number;
}

const version = 1;
const etagCharactersMax = 100;
const modifiedCharactersMax = 40;

/** Twice as many addresses as pages: half of them may be redirects, errors and pages that do not want to be indexed. */
export const addressesMax = (pagesMax: number): number => 2 * pagesMax + 100;

export function openFrontier(cursor: Cursor | null, start: string): Frontier {
	const entries = entriesOf(cursor);
	const isResumed = cursor?.["isRunning"] === true && entries.length > 0;
	const pages = new Map<string, Page>();
	if (!isResumed) pages.set(start, { depth: 0, isWaiting: true, mark: null, maybePut: false });
	for (const { address, depth, isWaiting, mark } of entries) {
		const waits = isWaiting || !isResumed;
		pages.set(address, { depth, isWaiting: waits, mark, maybePut: isResumed && waits });
	}
	const patterns = new Map<string, number>();
	for (const address of pages.keys()) patterns.set(addressPattern(address), (patterns.get(addressPattern(address)) ?? 0) + 1);
	const queue = [...pages].filter(([, page]) => page.isWaiting).map(([address]) => address);
	const documents = [...pages.values()].filter(({ mark }) => mark !== null).length;
	return { pages, queue, isResumed, patterns, gone: new Set(), documents };
}

/** Whether the page is known now, for the first time or from before. */
export function discover(address: string, depth: number, frontier: Frontier, pagesMax: number): boolean {
	const { pages, queue, patterns } = frontier;
	if (pages.has(address)) return true;
	const pattern = addressPattern(address);
	const alike = patterns.get(pattern) ?? 0;
	if (pages.size >= addressesMax(pagesMax) || alike >= samePatternMax(pattern)) return false;
	patterns.set(pattern, alike + 1);
	pages.set(address, { depth, isWaiting: true, mark: null, maybePut: false });
	queue.push(address);
	return true;
}

/** Both, not one: servers compare what they know. Longer ones than servers make are left out. */
export function markOf(hash: string, headers: ReadonlyMap<string, string>): Mark {
	const etag = headers.get("etag") ?? null;
	const modified = headers.get("last-modified") ?? null;
	return {
		hash,
		etag: etag !== null && etag.length <= etagCharactersMax && /^[\x20-\x7e]+$/.test(etag) ? etag : null,
		modified: modified !== null && modified.length <= modifiedCharactersMax && /^[\x20-\x7e]+$/.test(modified) ? modified : null,
	};
}

/** While a round is running, pages that wait are named; after it, what is gone is forgotten. */
export function cursorOf({ pages, gone }: Frontier, isRunning: boolean): Cursor {
	const kept = [...pages].filter(([address]) => isRunning || !gone.has(address));
	const rows = kept.map(
		([address, { depth, isWaiting, mark }]): Json => [address, depth, isWaiting, ...(mark === null ? [] : [mark.hash, mark.etag, mark.modified])],
	);
	return { version, isRunning, pages: rows };
}

interface Entry {
	readonly address: string;
	readonly depth: number;
	readonly isWaiting: boolean;
	readonly mark: Mark | null;
}

function entriesOf(cursor: Cursor | null): readonly Entry[] {
	const rows = cursor?.["version"] === version ? cursor["pages"] : null;
	return Array.isArray(rows) ? rows.flatMap((row: Json) => entryOf(row) ?? []) : [];
}

function entryOf(row: Json): Entry | null {
	if (!Array.isArray(row)) return null;
	const [address, depth, isWaiting, hash, etag, modified] = row as readonly Json[];
	if (typeof address !== "string" || !URL.canParse(address) || typeof depth !== "number" || typeof isWaiting !== "boolean") return null;
	const mark = typeof hash === "string" ? { hash, etag: textOrNull(etag), modified: textOrNull(modified) } : null;
	return { address, depth, isWaiting, mark };
}

function textOrNull(value: Json | undefined): string | null {
	return typeof value === "string" ? value : null;
}
