/** Metadata of a page from its linked data (JSON-LD of schema.org): author, date, picture, publisher. */

import type { Element } from "hast";
import { attribute } from "./html-markup.ts";

export interface LinkedData {
	readonly authors: readonly string[];
	readonly published: string | null;
	readonly image: string | null;
	readonly publisher: string | null;
}

/** Pages with more scripts describe products, not an article. */
const scriptsMax = 20;
const scriptCharactersMax = 500_000;
const depthMax = 4;

const aboutPages = /(Article|BlogPosting|NewsPosting|SocialMediaPosting|DiscussionForumPosting|Report|Review|Recipe|Book|VideoObject|PodcastEpisode|WebPage)$/;

type Fields = { readonly [name: string]: unknown };

/** @param scripts of the page, in its order. */
export function linkedDataOf(scripts: readonly Element[]): LinkedData {
	const things = thingsOf(scripts);
	// An article's data is preferred to that of the page.
	const [main] = things.filter(isAboutPage).sort((a, b) => rank(a) - rank(b));
	if (main === undefined) return { authors: [], published: null, image: null, publisher: null };
	return {
		authors: listOf(main["author"] ?? main["creator"]).flatMap((author) => nameOf(author) ?? []),
		published: textOf(main["datePublished"] ?? main["uploadDate"] ?? main["dateCreated"]),
		image: addressOf(main["image"] ?? main["thumbnailUrl"]),
		publisher: nameOf(listOf(main["publisher"])[0]),
	};
}

/** The `articleBody`, for pages that have their text nowhere else. */
export function articleBodyOf(scripts: readonly Element[]): string {
	const bodies = thingsOf(scripts).flatMap((thing) => (isAboutPage(thing) ? (textOf(thing["articleBody"] ?? thing["text"]) ?? []) : []));
	return bodies.reduce((longest, body) => (body.length > longest.length ? body : longest), "");
}

function thingsOf(scripts: readonly Element[]): readonly Fields[] {
	return scripts
		.filter((script) => /^application\/ld\+json\b/i.test(attribute(script, "type") ?? ""))
		.slice(0, scriptsMax)
		.flatMap(({ children }) => thingsIn(children.map((child) => (child.type === "text" ? child.value : "")).join("")));
}

function thingsIn(json: string): readonly Fields[] {
	if (json.length > scriptCharactersMax) return [];
	try {
		return flatten(JSON.parse(json), 0);
	} catch {
		return [];
	}
}

function flatten(value: unknown, depth: number): readonly Fields[] {
	if (depth > depthMax) return [];
	if (Array.isArray(value)) return value.slice(0, 100).flatMap((each) => flatten(each, depth + 1));
	return isFields(value) ? [value, ...flatten(value["@graph"] ?? [], depth + 1), ...flatten(value["mainEntity"] ?? [], depth + 1)] : [];
}

function isAboutPage(thing: Fields): boolean {
	return listOf(thing["@type"]).some((type) => typeof type === "string" && aboutPages.test(type));
}

function rank(thing: Fields): number {
	return listOf(thing["@type"]).some((type) => typeof type === "string" && type.endsWith("WebPage")) ? 1 : 0;
}

function listOf(value: unknown): readonly unknown[] {
	if (value === undefined || value === null) return [];
	return Array.isArray(value) ? value.slice(0, 10) : [value];
}

function nameOf(value: unknown): string | null {
	const name = isFields(value) ? listOf(value["name"])[0] : value;
	return textOf(name);
}

function addressOf(value: unknown): string | null {
	const [first] = listOf(value);
	return textOf(isFields(first) ? (first["url"] ?? first["contentUrl"]) : first);
}

function textOf(value: unknown): string | null {
	const text = typeof value === "string" ? value.trim() : "";
	return text === "" ? null : text;
}

function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
