/** Reads feeds (RSS, Atom and RDF): each entry with its title, link, date and text. */

import { isExternalUrl } from "../blocks/inline-text.ts";
import type { Outline } from "../blocks/outline.ts";
import { addFragment, textOfFragment } from "../html/html-fragment.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { htmlOfContent } from "./written-xml.ts";

export interface FeedMetadata {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
}

export function isFeed({ name }: XmlElement): boolean {
	return name === "rss" || name === "feed" || name === "RDF";
}

export function addFeed(root: XmlElement, outline: Outline): FeedMetadata {
	const channel = elementByPath(root, "channel") ?? root;
	const title = textOfFirst(channel, "title");
	const description = textOfFirst(channel, "description", "subtitle");
	outline.heading(1, title);
	outline.paragraph(description);
	for (const entry of topmostDescendants(root, "item", "entry")) addEntry(entry, outline);
	return { title, description, language: textOfFirst(channel, "language") || (attributeOf(root, "lang") ?? "") };
}

function addEntry(entry: XmlElement, outline: Outline): void {
	const title = textOfFirst(entry, "title");
	const url = urlOf(entry);
	if (title !== "") outline.heading(2, title, url === null ? {} : { markdown: `[${title.replace(/[[\]]/g, "\\$&")}](${url})` });
	else if (url !== null) outline.heading(2, url);
	const byline = [textOfFirst(entry, "creator", "author"), textOfFirst(entry, "pubDate", "published", "date", "updated"), categoriesOf(entry)];
	outline.paragraph(byline.filter((part) => part !== "").join(" · "));
	const body = elementsOf(entry, "encoded")[0] ?? elementsOf(entry, "content").find((content) => content.children.length > 0);
	const summary = elementsOf(entry, "description", "summary")[0];
	for (const text of [body ?? summary].filter((element) => element !== undefined)) addFragment(htmlOfContent(text), url, outline);
}

function urlOf(entry: XmlElement): string | null {
	const links = elementsOf(entry, "link");
	const chosen = links.find((link) => (attributeOf(link, "rel") ?? "alternate") === "alternate") ?? links[0];
	const raw = (chosen === undefined ? null : (attributeOf(chosen, "href") ?? textOf(chosen))) ?? "";
	const parsed = isExternalUrl(raw) ? URL.parse(raw.trim()) : null;
	return parsed?.href.replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29")) ?? null;
}

function categoriesOf(entry: XmlElement): string {
	const names = elementsOf(entry, "category").map((category) => (textOf(category).trim() || attributeOf(category, "term")) ?? "");
	return names.filter((name) => name !== "").join(", ");
}

function textOfFirst(element: XmlElement, ...names: readonly string[]): string {
	for (const name of names) {
		const found = elementsOf(element, name)[0];
		const words = found === undefined ? "" : textOfFragment(htmlOfContent(elementByPath(found, "name") ?? found));
		if (words !== "") return words;
	}
	return "";
}
