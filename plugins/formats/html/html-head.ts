/** Metadata of a page: title, description, language, base address, author, date, picture, character set. */

import type { About } from "cairn-memory";
import type { Element, Root } from "hast";
import { isoDate } from "./html-date.ts";
import { linkedDataOf } from "./html-linked-data.ts";
import { attribute, isElement, type Node, wordsOf } from "./html-markup.ts";

export interface Head {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
	/** The `base` address of the page; null when there is none. */
	readonly base: string | null;
}

/** Values of `meta` elements by name, in lower case; a name may occur several times. */
type Facts = ReadonlyMap<string, readonly string[]>;

/** @param address of the page. */
export function headOf(root: Root, address: string | null): Head & { readonly about: About } {
	const telling = tellingElements(root);
	const facts = factsOf(telling);
	const html = root.children.filter(isElement).find((element) => element.tagName === "html");
	const title = telling.find(({ tagName }) => tagName === "title");
	const baseElement = telling.find(({ tagName }) => tagName === "base");
	const base = baseElement === undefined ? null : attribute(baseElement, "href");
	return {
		title: (title === undefined ? "" : wordsOf(title.children)) || first(facts, "og:title", "twitter:title", "dc.title"),
		description: first(facts, "description", "og:description", "twitter:description", "dc.description"),
		language:
			(html === undefined ? null : (attribute(html, "lang") ?? attribute(html, "xmlLang"))) ?? first(facts, "content-language", "dc.language", "og:locale"),
		base,
		about: aboutOf(telling, facts, URL.parse(base ?? "", address ?? undefined)?.href ?? address ?? undefined),
	};
}

const tellingTags: ReadonlySet<string> = new Set(["title", "base", "meta", "link", "script", "time"]);

/** All elements that may have metadata, in one walk, since a page may have a hundred thousand elements. */
function tellingElements(root: Root): readonly Element[] {
	const found: Element[] = [];
	const visit = (nodes: readonly Node[]) => {
		for (const node of nodes) {
			if (!isElement(node)) continue;
			const { itemProp, rel, className } = node.properties;
			if (tellingTags.has(node.tagName) || itemProp !== undefined || rel !== undefined || (className !== undefined && isDated(node))) found.push(node);
			visit(node.children);
		}
	};
	visit(root.children);
	return found;
}

function isDated(element: Element): boolean {
	return tokens(attribute(element, "className")).some((name) => name === "dt-published" || name === "entry-date" || name === "published");
}

function aboutOf(telling: readonly Element[], facts: Facts, base: string | undefined): About {
	const { authors, published, image, publisher } = linkedDataOf(telling.filter(({ tagName }) => tagName === "script"));
	const links = telling.filter(({ tagName }) => tagName === "link");
	const times = [published, ...all(facts, publicationNames), ...markedTimes(telling)];
	const known = {
		author: named(authors) ?? named(all(facts, authorNames)) ?? markedAuthor(telling),
		publishedAt: times.map((time) => (time === null ? null : isoDate(time))).find((day) => day !== null) ?? null,
		canonical: absolute([linked(links, "canonical"), first(facts, "og:url")], base),
		image: absolute(
			[first(facts, "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"), linked(links, "image_src"), image],
			base,
		),
		siteName: first(facts, "og:site_name", "application-name") ?? publisher,
	};
	return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
}

const authorNames = ["author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "byl"];
const publicationNames = [
	...["article:published_time", "datepublished", "citation_publication_date", "citation_date", "dc.date.issued", "dcterms.issued", "dcterms.created"],
	...["parsely-pub-date", "sailthru.date", "publish_date", "publication_date", "pubdate", "og:published_time", "dc.date", "date"],
];
/** More names than this are an editorial staff, or a mistake. */
const authorsMax = 10;

/** Some pages have the address of a profile in place of the name. */
function named(names: readonly string[]): string | null {
	const people = [...new Set(names.map((name) => name.replace(/^by\s+/i, "").trim()))].filter((name) => name !== "" && !/^(https?:|@|\/)/i.test(name));
	return people.length === 0 || people.length > authorsMax ? null : people.join(", ");
}

function markedAuthor(telling: readonly Element[]): string | null {
	const marked = telling.find((element) => {
		if (element.tagName === "link") return false;
		return tokens(attribute(element, "itemProp")).includes("author") || tokens(attribute(element, "rel")).includes("author");
	});
	return marked === undefined ? null : named([wordsOf(marked.children).slice(0, 100)]);
}

/** Only times marked as the publication date. */
function markedTimes(telling: readonly Element[]): readonly string[] {
	return telling
		.filter((element) => tokens(attribute(element, "itemProp")).includes("datepublished") || attribute(element, "pubdate") !== null || isDated(element))
		.map((element) => attribute(element, "dateTime") ?? attribute(element, "content") ?? wordsOf(element.children));
}

function factsOf(telling: readonly Element[]): Facts {
	const facts = new Map<string, string[]>();
	for (const meta of telling) {
		if (meta.tagName !== "meta") continue;
		const name = (attribute(meta, "name") ?? attribute(meta, "property") ?? attribute(meta, "httpEquiv") ?? attribute(meta, "itemProp") ?? "").toLowerCase();
		const content = attribute(meta, "content")?.trim() ?? "";
		if (name === "" || content === "") continue;
		const known = facts.get(name);
		if (known === undefined) facts.set(name, [content]);
		else known.push(content);
	}
	return facts;
}

function first(facts: Facts, ...names: readonly string[]): string | null {
	return names.map((name) => facts.get(name)?.[0]).find((value) => value !== undefined) ?? null;
}

/** The values of the first of these names that has any. */
function all(facts: Facts, names: readonly string[]): readonly string[] {
	return names.map((name) => facts.get(name)).find((values) => values !== undefined) ?? [];
}

function linked(links: readonly Element[], rel: string): string | null {
	const link = links.find((element) => tokens(attribute(element, "rel")).includes(rel));
	return link === undefined ? null : attribute(link, "href");
}

function absolute(candidates: readonly (string | null)[], base: string | undefined): string | null {
	const urls = candidates.flatMap((candidate) => (candidate === null ? [] : (URL.parse(candidate, base) ?? [])));
	return urls.find(({ protocol }) => protocol === "http:" || protocol === "https:")?.href ?? null;
}

function tokens(list: string | null): readonly string[] {
	return (list ?? "").toLowerCase().split(/\s+/);
}

/** Browsers look no further for it. */
const declarationBytesMax = 2048;

/** The character set declared at the beginning of the page. UTF-16 is ignored: the declaration could not have been read in it. */
export function declaredCharset(bytes: Uint8Array): string | null {
	const start = new TextDecoder("latin1").decode(bytes.subarray(0, declarationBytesMax));
	const name = (/<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start) ?? /^<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(start))?.[1]?.toLowerCase();
	return name === undefined || name.startsWith("utf-16") ? null : name;
}
