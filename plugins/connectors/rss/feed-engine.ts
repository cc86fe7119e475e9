/** Reads a feed: RSS 2.0 and its ancestors, RSS 1.0 (RDF), Atom. Runs in the sandbox. */

import { createHash } from "node:crypto";
import { type Engine, fail } from "cairn-memory";
import { escapeHtml } from "./escape-html.ts";
import type { Feed, FeedEntry } from "./feed.ts";
import { type FeedElement, readElements } from "./feed-elements.ts";

export interface FeedInput {
	readonly bytes: Uint8Array;
	/** From the `content-type` header; it takes precedence over the XML declaration, RFC 7303. */
	readonly charset: string | null;
	readonly url: string;
}

const entriesMax = 20_000;
const categoriesMax = 50;
const textCharactersMax = 1_000;

const engine: Engine<FeedInput, Feed> = async ({ bytes, charset, url }) => {
	const entries = new Map<string, FeedEntry>();
	const deleted = new Set<string>();
	let title: string | null = null;
	let next: string | null = null;
	const root = readElements(bytes, charset, url, (element) => {
		const { name, parent, attributes } = element;
		if (name === "atom:deleted-entry" && attributes["ref"] !== undefined) deleted.add(attributes["ref"]);
		if (name === "item" || name === "atom:entry") {
			const entry = entryOf(element);
			if (!entries.has(entry.id) && entries.size < entriesMax) entries.set(entry.id, entry);
		}
		if ((name === "title" && parent === "channel") || (name === "atom:title" && parent === "atom:feed")) title ??= plain(element);
		// https://www.rfc-editor.org/rfc/rfc5005: paged feeds name the older page `next`, archived ones `prev-archive`.
		const isOlder = attributes["rel"] === "next" || attributes["rel"] === "prev-archive";
		if (name === "atom:link" && isOlder && (parent === "channel" || parent === "atom:feed")) next ??= resolved(attributes["href"], element.base);
	});
	if (root !== "rss" && root !== "rdf:RDF" && root !== "atom:feed") throw fail("FILE_BROKEN", "it is neither RSS nor Atom");
	return { title, entries: [...entries.values()], deleted: [...deleted], next };
};
export default engine;

function entryOf(entry: FeedElement): FeedEntry {
	const all = (...names: readonly string[]) => names.flatMap((name) => entry.children.filter((child) => child.name === name));
	const first = (...names: readonly string[]) => all(...names).find(({ text }) => text.trim() !== "");
	const textOf = (...names: readonly string[]) => plain(first(...names));
	const [title, link] = [textOf("title", "atom:title", "dc:title"), linkOf(all)];
	const html = htmlOf(first("content:encoded", "atom:content", "description", "atom:summary", "dc:description"));
	const published = timeOf(textOf("pubDate", "atom:published", "atom:issued", "dc:date"));
	const authors = [...all("author", "dc:creator"), ...all("atom:author").flatMap(({ children }) => children.filter(({ name }) => name === "atom:name"))];
	const categories = [
		...all("category", "dc:subject").map(plain),
		...all("atom:category").map(({ attributes }) => attributes["label"] ?? attributes["term"] ?? null),
	];
	return {
		// An entry without any id has none but its words; it is another one when they change.
		id: textOf("guid", "atom:id") ?? entry.attributes["rdf:about"] ?? link ?? createHash("sha256").update(`${title}\n${html}`).digest("base64url"),
		title,
		link,
		html,
		author: joined(authors.map(plain)),
		categories: [...new Set(categories.filter((category) => category !== null))].slice(0, categoriesMax),
		published,
		updated: timeOf(textOf("atom:updated", "atom:modified")) ?? published,
	};
}

/** A `guid` is the address of the page unless it says that it is none: https://www.rssboard.org/rss-specification#ltguidgtSubelementOfLtitemgt. */
function linkOf(all: (...names: readonly string[]) => readonly FeedElement[]): string | null {
	const alternate = all("atom:link").find(({ attributes }) => (attributes["rel"] ?? "alternate") === "alternate");
	const [link] = all("link").filter(({ text }) => text.trim() !== "");
	const [guid] = all("guid").filter(({ attributes, text }) => attributes["isPermaLink"] !== "false" && /^https?:/i.test(text.trim()));
	const found = link ?? guid;
	if (found !== undefined) return resolved(found.text.trim(), found.base);
	return alternate === undefined ? null : resolved(alternate.attributes["href"], alternate.base);
}

/** RSS has HTML in its texts, escaped or not; Atom says which of its texts are: RFC 4287, 4.1.3. */
function htmlOf(content: FeedElement | undefined): string {
	if (content === undefined) return "";
	const type = content.name.startsWith("atom:") ? (content.attributes["type"] ?? "text") : "html";
	if (type === "html" || type === "text/html") return content.text;
	if (type === "xhtml" || type === "application/xhtml+xml") return content.markup;
	return type.startsWith("text") ? `<p>${escapeHtml(content.text)}</p>` : "";
}

/** Titles of either kind may have markup, which is left out. */
function plain(element: FeedElement | undefined): string | null {
	if (element === undefined) return null;
	const isMarkup = element.name === "title" || element.attributes["type"] === "html";
	const text = (isMarkup ? withoutMarkup(element.text) : element.text).replace(/\s+/g, " ").trim().slice(0, textCharactersMax).toWellFormed();
	return text === "" ? null : text;
}

const entities: ReadonlyMap<string, string> = new Map([
	["amp", "&"],
	["lt", "<"],
	["gt", ">"],
	["quot", '"'],
	["apos", "'"],
	["nbsp", " "],
]);

function withoutMarkup(text: string): string {
	const withoutTags = text.replace(/<\/?[a-z][^<>]{0,500}>/gi, "");
	return withoutTags.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
		const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
		return (Number.isNaN(code) ? entities.get(String(name).toLowerCase()) : code <= 0x10ffff ? String.fromCodePoint(code) : null) ?? whole;
	});
}

function resolved(address: string | undefined, base: string): string | null {
	const url = address === undefined ? null : URL.parse(address.trim(), base);
	return url !== null && ["http:", "https:"].includes(url.protocol) && url.href.length <= 2_000 ? url.href : null;
}

/** Dates are of RFC 822 in RSS and of RFC 3339 elsewhere. */
function timeOf(text: string | null): string | null {
	const time = new Date(text ?? "");
	return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function joined(names: readonly (string | null)[]): string | null {
	const text = [...new Set(names.filter((name) => name !== null))].join(", ").slice(0, textCharactersMax).toWellFormed();
	return text === "" ? null : text;
}
