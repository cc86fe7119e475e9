/**
 * A small site with a feed in RSS 2.0, RSS 1.0 or Atom 1.0: conditional requests, pages of older entries, entries that leave the feed, tombstones.
 * After https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/spec and RFC 4287, 5005, 6721 and 9110.
 */

import { createHash } from "node:crypto";
import { type LocalPeer, type PeerReply, type PeerRequest, startLocalPeer } from "./local-peer.ts";

export interface PeerEntry {
	readonly id: string;
	readonly title: string;
	readonly html: string;
	readonly author?: string;
	readonly updated?: string;
}

export interface FeedPeer extends LocalPeer {
	readonly feedUrl: string;
	format: "rss" | "rdf" | "atom";
	/** The newest first. */
	entries: PeerEntry[];
	/** Ids that a tombstone names. */
	readonly deleted: string[];
	/** Entries on a page; older ones follow on the next. */
	perPage: number;
	/** The whole feed, in place of the one that is made of the entries. */
	raw: string | Uint8Array | null;
	contentType: string;
	/** What it says of the version of the feed. */
	validator: "etag" | "last-modified";
}

const time = "2026-03-01T10:00:00Z";
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export async function startFeedPeer(entries: readonly PeerEntry[] = []): Promise<FeedPeer> {
	const local = await startLocalPeer((request) => answer(request, peer));
	const own = {
		entries: [...entries],
		deleted: [],
		perPage: 1_000,
		raw: null,
		contentType: "application/xml",
		format: "atom" as const,
		validator: "etag" as const,
	};
	const peer: FeedPeer = Object.assign(local, own, { feedUrl: `${local.origin}/feed.xml` });
	return peer;
}

function answer({ path, headers }: PeerRequest, peer: FeedPeer): PeerReply {
	const { pathname, searchParams } = new URL(path, peer.origin);
	if (pathname.startsWith("/entry/")) {
		const entry = peer.entries.find(({ id }) => `/entry/${id}` === pathname);
		const body = `<!doctype html><title>${entry?.title}</title><nav>Menu of the site</nav><main><h1>${entry?.title}</h1>${entry?.html}</main>`;
		return entry === undefined ? { status: 404, body: "none" } : { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body };
	}
	if (pathname !== "/feed.xml") return { status: 404, body: "none" };
	const body = peer.raw ?? feedOf(Number(searchParams.get("page") ?? 1), peer);
	const hash = createHash("md5").update(body).digest("hex");
	// A date for each content, as a server has that notes when a file was changed.
	const version = peer.validator === "etag" ? `"${hash}"` : new Date(Number.parseInt(hash.slice(0, 8), 16) * 1_000).toUTCString();
	const asked = headers[peer.validator === "etag" ? "if-none-match" : "if-modified-since"];
	if (asked === version) return { status: 304, headers: { [peer.validator]: version } };
	return { status: 200, headers: { "content-type": peer.contentType, [peer.validator]: version }, body };
}

function feedOf(page: number, peer: FeedPeer): string {
	const { entries, perPage, feedUrl, deleted, format, origin } = peer;
	const shown = entries.slice((page - 1) * perPage, page * perPage);
	const next = page * perPage < entries.length ? `<a:link rel="next" href="/feed.xml?page=${page + 1}"/>` : "";
	const body = shown.map((entry) => entryIn[format](entry, origin)).join("\n");
	const tombstones = deleted.map((id) => `<at:deleted-entry ref="urn:x:${id}" when="${time}"/>`).join("");
	const spaces =
		'xmlns:a="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:media="http://search.yahoo.com/mrss/"';
	const head = '<?xml version="1.0" encoding="utf-8"?>\n';
	// The channel's link to itself has the name of its link to the site: https://validator.w3.org/feed/docs/warning/MissingAtomSelfLink.html.
	const self = `<a:link rel="self" href="${feedUrl}"/>`;
	if (format === "rss")
		return `${head}<rss version="2.0" ${spaces}><channel><title>Harbour news</title><link>${origin}/</link>${self}${next}${tombstones}${body}</channel></rss>`;
	if (format === "rdf")
		return `${head}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" ${spaces}><channel rdf:about="${feedUrl}"><title>Harbour news</title>${next}</channel>${body}</rdf:RDF>`;
	return `${head}<feed xmlns="http://www.w3.org/2005/Atom" ${spaces}><title type="html">Harbour &amp;amp; news</title>${self}${next}${tombstones}${body}</feed>`;
}

const entryIn: Record<FeedPeer["format"], (entry: PeerEntry, origin: string) => string> = {
	// https://www.rssboard.org/rss-profile#namespace-elements-content-encoded: the whole text is in content:encoded, a summary in description.
	rss: ({ id, title, html, author = "ada@harbour.example (Ada)" }, origin) =>
		`<item><title>${escaped(title)}</title><media:title>Another title</media:title><link>${origin}/entry/${id}</link><guid isPermaLink="false">urn:x:${id}</guid><author>${author}</author><category>tides</category><pubDate>Sun, 01 Mar 2026 10:00:00 GMT</pubDate><description>In short.</description><content:encoded><![CDATA[${html}]]></content:encoded></item>`,
	rdf: ({ id, title, html, author = "Ada" }, origin) =>
		`<item rdf:about="urn:x:${id}"><title>${escaped(title)}</title><link>${origin}/entry/${id}</link><dc:creator>${author}</dc:creator><dc:date>${time}</dc:date><description>${escaped(html)}</description></item>`,
	atom: ({ id, title, html, author = "Ada", updated = time }) =>
		`<entry><id>urn:x:${id}</id><title>${escaped(title)}</title><link href="/entry/${id}"/><author><name>${author}</name></author><category term="tides"/><published>${time}</published><updated>${updated}</updated><content type="html">${escaped(html)}</content></entry>`,
};
