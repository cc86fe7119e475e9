/** Renders a Markdown file as a page of the site: its HTML, title, headings, and the sections for the search. */

import type { Element, ElementContent, Root } from "hast";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { linkUrl, pageUrl } from "./site-pages.ts";

export interface RenderedPage {
	readonly path: string;
	readonly url: string;
	readonly title: string;
	readonly html: string;
	readonly headings: readonly { readonly id: string; readonly text: string }[];
	readonly sections: readonly Section[];
}

/** A part of a page that the search can find: a heading with the text below it. */
export interface Section {
	readonly url: string;
	readonly page: string;
	readonly heading: string;
	readonly text: string;
}

// HTML inside Markdown is left out, so that no page contains raw HTML.
const markdownParser = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSlug);
const htmlWriter = unified().use(rehypeStringify);

export async function renderPage(path: string, markdown: string, pages: ReadonlySet<string>): Promise<RenderedPage> {
	const tree = (await markdownParser.run(markdownParser.parse(markdown))) as Root;
	const url = pageUrl(path);
	const title = textOf(tree.children.find((node) => node.type === "element" && node.tagName === "h1"));
	const sections = sectionsOf(tree, url, title);
	const headings = topLevelElements(tree).filter(({ tagName }) => tagName === "h2");
	const html = htmlWriter.stringify({
		...tree,
		children: tree.children.flatMap((node) => (node.type === "element" ? convertElement(node, path, pages) : node)),
	});
	return { path, url, title, html, headings: headings.map((node) => ({ id: String(node.properties["id"]), text: textOf(node) })), sections };
}

function topLevelElements(tree: Root): readonly Element[] {
	return tree.children.filter((node) => node.type === "element");
}

/** Splits a page at its headings. */
function sectionsOf(tree: Root, url: string, page: string): readonly Section[] {
	const sections: { url: string; page: string; heading: string; text: string }[] = [];
	for (const node of topLevelElements(tree)) {
		if (/^h[1-4]$/.test(node.tagName)) {
			const anchor = node.tagName === "h1" ? "" : `#${node.properties["id"]}`;
			sections.push({ url: url + anchor, page, heading: textOf(node), text: "" });
			continue;
		}
		const section = sections.at(-1);
		if (section !== undefined) section.text = `${section.text} ${textOf(node)}`.trim();
	}
	return sections;
}

/** The text of a node, with a space after each block and table cell. */
function textOf(node: Root["children"][number] | undefined): string {
	const collectText = (current: typeof node): string => {
		if (current?.type === "text") return current.value;
		if (current?.type !== "element") return "";
		const childText = current.children.map(collectText).join("");
		return /^(?:p|li|td|th|tr|pre|h\d)$/.test(current.tagName) ? `${childText} ` : childText;
	};
	return collectText(node).replaceAll(/\s+/g, " ").trim();
}

/** The element with links converted to URLs of the site. Tables and code are put in a box that scrolls, since they may be wider than a screen. */
function convertElement(node: Element, path: string, pages: ReadonlySet<string>): Element {
	const children = node.children.map((child) => (child.type === "element" ? convertElement(child, path, pages) : child));
	const { tagName, properties } = node;
	if (tagName === "a") return link({ ...node, children }, linkUrl(path, String(properties["href"]), pages));
	if (tagName === "img") return image(node, linkUrl(path, String(properties["src"]), pages));
	if (tagName === "table") return scrollBox("table", "Table", [{ ...node, children }]);
	if (tagName === "pre") return scrollBox("code", "Code", [{ ...node, children }]);
	if (/^h[234]$/.test(tagName)) return { ...node, children: [...children, anchor(String(properties["id"]), textOf(node))] };
	return { ...node, children };
}

/** A link to a page. A link to a source file, which has no page, becomes plain text with the path as its tooltip. */
function link(node: Element, url: string | null): Element {
	if (url === null) return { ...node, tagName: "span", properties: { className: ["source"], title: `${node.properties["href"]} in the source` } };
	return { ...node, properties: { ...node.properties, href: url } };
}

function image(node: Element, url: string | null): Element {
	if (url === null) throw new Error(`${node.properties["src"]} is not an image in docs/images`);
	return { ...node, properties: { ...node.properties, src: url, loading: "lazy" } };
}

/** A box that scrolls horizontally and can be focused, so that the keyboard scrolls it too. */
function scrollBox(name: string, label: string, children: ElementContent[]): Element {
	return { type: "element", tagName: "div", properties: { className: ["box", name], tabIndex: 0, role: "region", ariaLabel: label }, children };
}

function anchor(id: string, heading: string): Element {
	const properties = { className: ["anchor"], href: `#${id}`, ariaLabel: `Link to “${heading}”` };
	return { type: "element", tagName: "a", properties, children: [{ type: "text", value: "#" }] };
}
