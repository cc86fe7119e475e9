/** The state of a crawl, stored in the cursor: pages to visit, pages visited, and the version of each when it was read. */

import type { Cursor, Json } from "cairn-memory";
import { addressPattern, samePatternMax } from "./address.ts";
import type { Known } from "./visit.ts";

/** The version of a page that was put. */
export interface Mark extends Known {
	readonly hash: string;
}

export interface Page {
	/** How many links lie between it and the start. */
	readonly depth: number;
	isWaiting: boolean;
	mark: Mark | null;
	/** It may have been put right before a crash, after the last stored cursor. */
	readonly maybePut: boolean;
}

export interface Frontier {
	readonly pages: Map<string, Page>;
	/** Addresses in the order of visits; those before `next` have been visited. */
	readonly queue: string[];
	/** Whether the last crawl was interrupted. */
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

/** Adds a page. @returns whether it is known now. */
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

/** Both validators are kept, as servers may support only one. Overlong ones are left out. */
export function markOf(hash: string, headers: ReadonlyMap<string, string>): Mark {
	const etag = headers.get("etag") ?? null;
	const modified = headers.get("last-modified") ?? null;
	return {
		hash,
		etag: etag !== null && etag.length <= etagCharactersMax && /^[\x20-\x7e]+$/.test(etag) ? etag : null,
		modified: modified !== null && modified.length <= modifiedCharactersMax && /^[\x20-\x7e]+$/.test(modified) ? modified : null,
	};
}

/** During a crawl it has the waiting pages; after it, removed pages are forgotten. */
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
