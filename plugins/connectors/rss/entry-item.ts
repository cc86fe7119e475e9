/** An entry of a feed as a document: what the feed has of it, or the page that it links to. */

import { createHash } from "node:crypto";
import { type ConnectorItem, type Host, limits, type Step } from "cairn-memory";
import { fetchAtHome, isAtHome } from "../fetch-at-home.ts";
import type { FeedConfig } from "./config.ts";
import { escapeHtml } from "./escape-html.ts";
import type { FeedEntry } from "./feed.ts";

export interface ListedEntry extends FeedEntry {
	readonly feedTitle: string | null;
}

/** Of everything that the feed says of it: its date alone is often not touched, or touched for nothing. */
export function versionOf({ feedTitle: _, ...entry }: ListedEntry): string {
	return createHash("sha256").update(JSON.stringify(entry)).digest("base64url").slice(0, 22);
}

/** @throws ServiceError if the page cannot be read now */
export async function readEntry(key: string, entry: ListedEntry, config: FeedConfig, host: Host, step: Step): Promise<ConnectorItem> {
	const page = config.pages ? await readPage(entry, config, host, step) : null;
	const { title, link, author, categories, published, updated, feedTitle } = entry;
	return {
		key,
		content: page ?? {
			kind: "file",
			bytes: new TextEncoder().encode(asPage(entry)),
			fileName: null,
			claimedMediaType: "text/html",
			charset: "utf-8",
			address: link,
		},
		title,
		metadata: {
			...(feedTitle !== null && { feedTitle }),
			...(link !== null && { url: link }),
			...(author !== null && { author }),
			...(published !== null && { publishedAt: published }),
			...(updated !== null && { updatedAt: updated }),
			...(categories.length > 0 && { categories: categories.join(", ").slice(0, limits.metadataTextCharactersMax) }),
		},
		containerTag: null,
	};
}

/** Null where the entry links to another host than the feed's, or to nothing that is there: then the feed's own words are read. */
async function readPage({ link }: FeedEntry, { feedUrl }: FeedConfig, host: Host, step: Step): Promise<ConnectorItem["content"] | null> {
	if (link === null || !isAtHome(new URL(link), new URL(feedUrl))) return null;
	const options = { signal: step.signal, timeoutMs: limits.fetchTimeoutMs, bytesMax: limits.fetchedBytesMax, answers: [401, 402, 403, 404, 410, 451] };
	const fetched = await fetchAtHome(link, options, host);
	if (fetched === null || fetched.status >= 400) return null;
	const { bytes, fileName, claimedMediaType, charset, address } = fetched;
	return { kind: "file", bytes, fileName, claimedMediaType, charset, address: address.href };
}

function asPage({ title, html }: FeedEntry): string {
	const heading = escapeHtml(title ?? "");
	return `<!doctype html><html><head><meta charset="utf-8"><title>${heading}</title></head><body><main><h1>${heading}</h1>${html}</main></body></html>`;
}
