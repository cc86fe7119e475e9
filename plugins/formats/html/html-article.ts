/** Reduces the page of an article to the article, which Readability finds. A page of another kind that calls itself an article stays whole. */

import { Readability } from "@mozilla/readability";
import JSDOMParser from "@mozilla/readability/JSDOMParser.js";
import type { ElementContent, Root } from "hast";
import rehypeParse from "rehype-parse";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { attribute, findAll, isElement, type Node, wordsOf } from "./html-markup.ts";
import { extentOf, withoutSurroundings } from "./html-surroundings.ts";

/** Readability takes seconds for more elements. No article has as many. */
const elementsMax = 20_000;
/** With less prose the page is a gallery, a film or a table, whose other text is all there is. */
const articleProseMin = 300;
/** Where less is left of the prose, Readability has taken a part for the whole. */
const proseKeptMin = 0.5;
/** With as much prose the page has an article, however much surrounds it. */
const sureProse = 1_000;
/** Where less is left of the text outside of links, a page with less prose is no article: a list of short texts, say. */
const textKeptMin = 0.25;
/** @param nodes the content of a page that says that it is an article */
export function articleIn(nodes: readonly Node[]): readonly Node[] {
	const { whole, cleaned } = withoutSurroundings(nodes);
	if (whole.prose < articleProseMin || whole.elements > elementsMax) return nodes;
	const rest = extentOf(cleaned);
	if (rest.prose < sureProse && rest.characters - rest.linked < (whole.characters - whole.linked) * textKeptMin) return nodes;
	const found = findArticle(nodes);
	const article = found === null ? [] : withoutSurroundings(found).cleaned;
	const headings = findAll(nodes, "h1");
	const titles = new Set(headings.map(({ children }) => wordsOf(children)));
	if (extentOf(article).prose < rest.prose * proseKeptMin) return withoutPicturesOf(titles, cleaned);
	return [...(headings.length === 1 ? headings : []), ...withoutPicturesOf(titles, article)];
}

/** The article that Readability finds; null if it finds none. */
function findArticle(nodes: readonly Node[]): readonly Node[] | null {
	const body = unified()
		.use(rehypeStringify, { closeSelfClosing: true })
		.stringify({ type: "root", children: wellFormed(nodes) } as Root);
	try {
		const document = new JSDOMParser().parse(`<html><head></head><body>${body}</body></html>`);
		const article = new Readability(document, { keepClasses: true, disableJSONLD: true }).parse();
		return article?.content ? unified().use(rehypeParse, { fragment: true }).parse(article.content).children : null;
	} catch {
		// Markup that it stumbles over. The page is read without it.
		return null;
	}
}

/** The parser of Readability needs a value for each attribute. */
function wellFormed(nodes: readonly Node[]): readonly Node[] {
	return nodes.map((node) => {
		if (!isElement(node)) return node;
		const properties = Object.fromEntries(Object.entries(node.properties).filter(([name, value]) => value !== true && /^[a-z][\w-]*$/i.test(name)));
		return { ...node, properties, children: wellFormed(node.children) as ElementContent[] };
	});
}

/** Leaves out pictures that are described by nothing but the title of the page. */
function withoutPicturesOf(titles: ReadonlySet<string>, nodes: readonly Node[]): readonly Node[] {
	return nodes.flatMap((node): readonly Node[] => {
		if (!isElement(node)) return [node];
		if (node.tagName === "img" && titles.has((attribute(node, "alt") ?? "").replace(/\s+/g, " ").trim())) return [];
		return [{ ...node, children: withoutPicturesOf(titles, node.children) as ElementContent[] }];
	});
}
