/** A Markdown file as a page of the site: its HTML, its title, its headings, and its sections for the search. */

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

/** What a hit of the search leads to. */
export interface Section {
	readonly url: string;
	readonly page: string;
	readonly heading: string;
	readonly text: string;
}

// HTML inside of Markdown is left out: nothing in a page is taken as it stands.
const reader = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSlug);
const writer = unified().use(rehypeStringify);

export async function renderPage(path: string, markdown: string, pages: ReadonlySet<string>): Promise<RenderedPage> {
	const tree = (await reader.run(reader.parse(markdown))) as Root;
	const url = pageUrl(path);
	const title = textOf(tree.children.find((node) => node.type === "element" && node.tagName === "h1"));
	const sections = sectionsOf(tree, url, title);
	const headings = elements(tree).filter(({ tagName }) => tagName === "h2");
	const html = writer.stringify({ ...tree, children: tree.children.flatMap((node) => (node.type === "element" ? shown(node, path, pages) : node)) });
	return { path, url, title, html, headings: headings.map((node) => ({ id: String(node.properties["id"]), text: textOf(node) })), sections };
}

function elements(tree: Root): readonly Element[] {
	return tree.children.filter((node) => node.type === "element");
}

/** From heading to heading. */
function sectionsOf(tree: Root, url: string, page: string): readonly Section[] {
	const sections: { url: string; page: string; heading: string; text: string }[] = [];
	for (const node of elements(tree)) {
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

/** Cells and lines stay apart. */
function textOf(node: Root["children"][number] | undefined): string {
	const joined = (from: typeof node): string => {
		if (from?.type === "text") return from.value;
		if (from?.type !== "element") return "";
		const inside = from.children.map(joined).join("");
		return /^(?:p|li|td|th|tr|pre|h\d)$/.test(from.tagName) ? `${inside} ` : inside;
	};
	return joined(node).replaceAll(/\s+/g, " ").trim();
}

/** The same element with links of the site, in a box of its own where it may be wider than a phone. */
function shown(node: Element, path: string, pages: ReadonlySet<string>): Element {
	const children = node.children.map((child) => (child.type === "element" ? shown(child, path, pages) : child));
	const { tagName, properties } = node;
	if (tagName === "a") return link({ ...node, children }, linkUrl(path, String(properties["href"]), pages));
	if (tagName === "img") return image(node, linkUrl(path, String(properties["src"]), pages));
	if (tagName === "table") return box("table", "Table", [{ ...node, children }]);
	if (tagName === "pre") return box("code", "Code", [{ ...node, children }]);
	if (/^h[234]$/.test(tagName)) return { ...node, children: [...children, anchor(String(properties["id"]), textOf(node))] };
	return { ...node, children };
}

/** A source file is no page: its name stays, and says where it is. */
function link(node: Element, url: string | null): Element {
	if (url === null) return { ...node, tagName: "span", properties: { className: ["source"], title: `${node.properties["href"]} in the source` } };
	return { ...node, properties: { ...node.properties, href: url } };
}

function image(node: Element, url: string | null): Element {
	if (url === null) throw new Error(`${node.properties["src"]} is no image in docs/images`);
	return { ...node, properties: { ...node.properties, src: url, loading: "lazy" } };
}

/** It scrolls by itself, also with the keyboard. */
function box(name: string, label: string, children: ElementContent[]): Element {
	return { type: "element", tagName: "div", properties: { className: ["box", name], tabIndex: 0, role: "region", ariaLabel: label }, children };
}

function anchor(id: string, heading: string): Element {
	const properties = { className: ["anchor"], href: `#${id}`, ariaLabel: `Link to “${heading}”` };
	return { type: "element", tagName: "a", properties, children: [{ type: "text", value: "#" }] };
}
