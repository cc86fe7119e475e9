/** Reads the metadata of a page: title, description, language, base URL, author, date, picture, character set. */

import type { About } from "cairn-memory";
import type { Element, Root } from "hast";
import { isoDate } from "../text/iso-date.ts";
import { type LinkedData, linkedDataOf } from "./html-linked-data.ts";
import { attribute, findAll, isElement, type Node, wordsOf } from "./html-markup.ts";

export interface Head {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
	/** The `href` of the page's `base` element; null if there is none. */
	readonly base: string | null;
	/** Whether the page says that it is an article: by Open Graph, by its linked data, or by its only `article` and its date. */
	readonly isArticle: boolean;
}

/** Values of `meta` elements by their names in lower case. A name may occur several times. */
type MetaValues = ReadonlyMap<string, readonly string[]>;

/** @param url the URL of the page */
export function headOf(root: Root, url: string | null): Head & { readonly about: About } {
	const elements = metadataElements(root);
	const metaValues = readMetaValues(elements);
	const linkedData = linkedDataOf(elements.filter(({ tagName }) => tagName === "script"));
	const html = root.children.filter(isElement).find((element) => element.tagName === "html");
	const title = elements.find(({ tagName }) => tagName === "title");
	const baseElement = elements.find(({ tagName }) => tagName === "base");
	const base = baseElement === undefined ? null : attribute(baseElement, "href");
	const about = aboutOf(elements, metaValues, linkedData, URL.parse(base ?? "", url ?? undefined)?.href ?? url ?? undefined);
	const isMarkedArticle = elements.some((element) => articleItem.test(attribute(element, "itemType") ?? ""));
	const isDatedArticle = about.publishedAt !== undefined && findAll(root.children, "article").length === 1;
	return {
		title: (title === undefined ? "" : wordsOf(title.children)) || firstValue(metaValues, "og:title", "twitter:title", "dc.title"),
		description: firstValue(metaValues, "description", "og:description", "twitter:description", "dc.description"),
		language:
			(html === undefined ? null : (attribute(html, "lang") ?? attribute(html, "xmlLang"))) ??
			firstValue(metaValues, "content-language", "dc.language", "og:locale"),
		base,
		about,
		isArticle: linkedData.isArticle || firstValue(metaValues, "og:type") === "article" || isMarkedArticle || isDatedArticle,
	};
}

/** Microdata of a text to be read from beginning to end. */
const articleItem = /schema\.org\/(?:\w*Article|BlogPosting)$/i;

const metadataTags: ReadonlySet<string> = new Set(["title", "base", "meta", "link", "script", "time"]);

/** All elements that may have metadata. They are collected in one walk, since a page may have a hundred thousand elements. */
function metadataElements(root: Root): readonly Element[] {
	const found: Element[] = [];
	const visit = (nodes: readonly Node[]) => {
		for (const node of nodes) {
			if (!isElement(node)) continue;
			const { itemProp, itemType, rel, className } = node.properties;
			if (
				metadataTags.has(node.tagName) ||
				itemProp !== undefined ||
				itemType !== undefined ||
				rel !== undefined ||
				(className !== undefined && hasDateClass(node))
			)
				found.push(node);
			visit(node.children);
		}
	};
	visit(root.children);
	return found;
}

function hasDateClass(element: Element): boolean {
	return tokens(attribute(element, "className")).some((name) => name === "dt-published" || name === "entry-date" || name === "published");
}

function aboutOf(elements: readonly Element[], metaValues: MetaValues, linkedData: LinkedData, base: string | undefined): About {
	const { authors, published, image, publisher } = linkedData;
	const links = elements.filter(({ tagName }) => tagName === "link");
	const times = [published, ...allValues(metaValues, publicationNames), ...timesInMarkup(elements)];
	const values = {
		author: joinAuthors(authors) ?? joinAuthors(allValues(metaValues, authorNames)) ?? authorInMarkup(elements),
		publishedAt: times.map((time) => (time === null ? null : isoDate(time))).find((day) => day !== null) ?? null,
		canonical: absoluteUrl([linkHref(links, "canonical"), firstValue(metaValues, "og:url")], base),
		image: absoluteUrl(
			[firstValue(metaValues, "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"), linkHref(links, "image_src"), image],
			base,
		),
		siteName: firstValue(metaValues, "og:site_name", "application-name") ?? publisher,
	};
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

const authorNames = ["author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "byl"];
const publicationNames = [
	...["article:published_time", "datepublished", "citation_publication_date", "citation_date", "dc.date.issued", "dcterms.issued", "dcterms.created"],
	...["parsely-pub-date", "sailthru.date", "publish_date", "publication_date", "pubdate", "og:published_time", "dc.date", "date"],
];
/** More names than this are not authors but an editorial staff, or a mistake. */
const authorsMax = 10;

/** Joins the names of authors. URLs are left out, since some pages have that of a profile in place of a name. */
function joinAuthors(names: readonly string[]): string | null {
	const people = [...new Set(names.map((name) => name.replace(/^by\s+/i, "").trim()))].filter((name) => name !== "" && !/^(https?:|@|\/)/i.test(name));
	return people.length === 0 || people.length > authorsMax ? null : people.join(", ");
}

function authorInMarkup(elements: readonly Element[]): string | null {
	const author = elements.find((element) => {
		if (element.tagName === "link") return false;
		return tokens(attribute(element, "itemProp")).includes("author") || tokens(attribute(element, "rel")).includes("author");
	});
	return author === undefined ? null : joinAuthors([wordsOf(author.children).slice(0, 100)]);
}

/** The times that are marked as the publication date. */
function timesInMarkup(elements: readonly Element[]): readonly string[] {
	return elements
		.filter((element) => tokens(attribute(element, "itemProp")).includes("datepublished") || attribute(element, "pubdate") !== null || hasDateClass(element))
		.map((element) => attribute(element, "dateTime") ?? attribute(element, "content") ?? wordsOf(element.children));
}

function readMetaValues(elements: readonly Element[]): MetaValues {
	const metaValues = new Map<string, string[]>();
	for (const meta of elements) {
		if (meta.tagName !== "meta") continue;
		const name = (attribute(meta, "name") ?? attribute(meta, "property") ?? attribute(meta, "httpEquiv") ?? attribute(meta, "itemProp") ?? "").toLowerCase();
		const content = attribute(meta, "content")?.trim() ?? "";
		if (name === "" || content === "") continue;
		const values = metaValues.get(name);
		if (values === undefined) metaValues.set(name, [content]);
		else values.push(content);
	}
	return metaValues;
}

function firstValue(metaValues: MetaValues, ...names: readonly string[]): string | null {
	return names.map((name) => metaValues.get(name)?.[0]).find((value) => value !== undefined) ?? null;
}

/** The values of the first name that has any. */
function allValues(metaValues: MetaValues, names: readonly string[]): readonly string[] {
	return names.map((name) => metaValues.get(name)).find((values) => values !== undefined) ?? [];
}

function linkHref(links: readonly Element[], rel: string): string | null {
	const link = links.find((element) => tokens(attribute(element, "rel")).includes(rel));
	return link === undefined ? null : attribute(link, "href");
}

function absoluteUrl(candidates: readonly (string | null)[], base: string | undefined): string | null {
	const urls = candidates.flatMap((candidate) => (candidate === null ? [] : (URL.parse(candidate, base) ?? [])));
	return urls.find(({ protocol }) => protocol === "http:" || protocol === "https:")?.href ?? null;
}

function tokens(list: string | null): readonly string[] {
	return (list ?? "").toLowerCase().split(/\s+/);
}

/** Browsers look for the declaration only in these first bytes. */
const declarationBytesMax = 2048;

/** The character set declared at the beginning of the page. UTF-16 is ignored: in real UTF-16 this declaration could not have been read as Latin-1. */
export function declaredCharset(bytes: Uint8Array): string | null {
	const start = new TextDecoder("latin1").decode(bytes.subarray(0, declarationBytesMax));
	const name = (/<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start) ?? /^<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(start))?.[1]?.toLowerCase();
	return name === undefined || name.startsWith("utf-16") ? null : name;
}
