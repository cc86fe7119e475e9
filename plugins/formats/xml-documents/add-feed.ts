/** Feeds → entries: RSS, Atom and RDF, each entry with its title, link, date and text. */

import { isExternalUrl } from "../blocks/inline-text.ts";
import type { Outline } from "../blocks/outline.ts";
import { addFragment, textOfFragment } from "../html/html-fragment.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { writtenXml } from "./written-xml.ts";

export interface FeedFacts {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
}

export function isFeed({ name }: XmlElement): boolean {
	return name === "rss" || name === "feed" || name === "RDF";
}

export function addFeed(root: XmlElement, outline: Outline): FeedFacts {
	const head = elementByPath(root, "channel") ?? root;
	const title = wordsAt(head, "title");
	const description = wordsAt(head, "description", "subtitle");
	outline.heading(1, title);
	outline.paragraph(description);
	for (const entry of topmostDescendants(root, "item", "entry")) addEntry(entry, outline);
	return { title, description, language: wordsAt(head, "language") || (attributeOf(root, "lang") ?? "") };
}

function addEntry(entry: XmlElement, outline: Outline): void {
	const title = wordsAt(entry, "title");
	const address = addressOf(entry);
	if (title !== "") outline.heading(2, title, address === null ? {} : { markdown: `[${title.replace(/[[\]]/g, "\\$&")}](${address})` });
	else if (address !== null) outline.heading(2, address);
	const byline = [wordsAt(entry, "creator", "author"), wordsAt(entry, "pubDate", "published", "date", "updated"), categoriesOf(entry)];
	outline.paragraph(byline.filter((part) => part !== "").join(" · "));
	const body = elementsOf(entry, "encoded")[0] ?? elementsOf(entry, "content").find((content) => content.children.length > 0);
	const summary = elementsOf(entry, "description", "summary")[0];
	for (const text of [body ?? summary].filter((element) => element !== undefined)) addFragment(writtenXml(text), address, outline);
}

function addressOf(entry: XmlElement): string | null {
	const links = elementsOf(entry, "link");
	const chosen = links.find((link) => (attributeOf(link, "rel") ?? "alternate") === "alternate") ?? links[0];
	const written = (chosen === undefined ? null : (attributeOf(chosen, "href") ?? textOf(chosen))) ?? "";
	const parsed = isExternalUrl(written) ? URL.parse(written.trim()) : null;
	return parsed?.href.replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29")) ?? null;
}

function categoriesOf(entry: XmlElement): string {
	const names = elementsOf(entry, "category").map((category) => (textOf(category).trim() || attributeOf(category, "term")) ?? "");
	return names.filter((name) => name !== "").join(", ");
}

function wordsAt(element: XmlElement, ...names: readonly string[]): string {
	for (const name of names) {
		const found = elementsOf(element, name)[0];
		const words = found === undefined ? "" : textOfFragment(writtenXml(elementByPath(found, "name") ?? found));
		if (words !== "") return words;
	}
	return "";
}
