/** Reads the metadata of a page in its linked data (JSON-LD with schema.org types): author, date, picture, publisher. */

import type { Element } from "hast";
import { attribute } from "./html-markup.ts";

export interface LinkedData {
	readonly authors: readonly string[];
	readonly published: string | null;
	readonly image: string | null;
	readonly publisher: string | null;
	/** Whether the page is a text to be read from beginning to end. `Article` alone says little: encyclopedias and manuals have it too. */
	readonly isArticle: boolean;
}

/** More scripts than this are ignored. Pages with more of them describe products and not an article. */
const scriptsMax = 20;
const scriptCharactersMax = 500_000;
const depthMax = 4;

const pageTypes = /(Article|BlogPosting|NewsPosting|SocialMediaPosting|DiscussionForumPosting|Report|Review|Recipe|Book|VideoObject|PodcastEpisode|WebPage)$/;

const articleTypes = /(NewsArticle|BlogPosting)$/;

type Fields = { readonly [name: string]: unknown };

/** @param scripts the `script` elements of the page, in document order */
export function linkedDataOf(scripts: readonly Element[]): LinkedData {
	const items = itemsOf(scripts);
	// The data of an article is preferred to that of the page.
	const isArticle = items.some((item) => hasType(item, articleTypes));
	const [mainItem] = items.filter(describesPage).sort((a, b) => rank(a) - rank(b));
	if (mainItem === undefined) return { authors: [], published: null, image: null, publisher: null, isArticle };
	return {
		authors: listOf(mainItem["author"] ?? mainItem["creator"]).flatMap((author) => nameOf(author) ?? []),
		published: textOf(mainItem["datePublished"] ?? mainItem["uploadDate"] ?? mainItem["dateCreated"]),
		image: urlOf(mainItem["image"] ?? mainItem["thumbnailUrl"]),
		publisher: nameOf(listOf(mainItem["publisher"])[0]),
		isArticle,
	};
}

/** The longest `articleBody`, for pages that have their text nowhere else; empty if there is none. */
export function articleBodyOf(scripts: readonly Element[]): string {
	const bodies = itemsOf(scripts).flatMap((item) => (describesPage(item) ? (textOf(item["articleBody"] ?? item["text"]) ?? []) : []));
	return bodies.reduce((longest, body) => (body.length > longest.length ? body : longest), "");
}

function itemsOf(scripts: readonly Element[]): readonly Fields[] {
	return scripts
		.filter((script) => /^application\/ld\+json\b/i.test(attribute(script, "type") ?? ""))
		.slice(0, scriptsMax)
		.flatMap(({ children }) => itemsInJson(children.map((child) => (child.type === "text" ? child.value : "")).join("")));
}

function itemsInJson(json: string): readonly Fields[] {
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

function describesPage(item: Fields): boolean {
	return hasType(item, pageTypes);
}

function hasType(item: Fields, types: RegExp): boolean {
	return listOf(item["@type"]).some((type) => typeof type === "string" && types.test(type));
}

function rank(item: Fields): number {
	return listOf(item["@type"]).some((type) => typeof type === "string" && type.endsWith("WebPage")) ? 1 : 0;
}

function listOf(value: unknown): readonly unknown[] {
	if (value === undefined || value === null) return [];
	return Array.isArray(value) ? value.slice(0, 10) : [value];
}

function nameOf(value: unknown): string | null {
	const name = isFields(value) ? listOf(value["name"])[0] : value;
	return textOf(name);
}

function urlOf(value: unknown): string | null {
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
