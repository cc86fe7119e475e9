/** Converts elements whose content a walk of plain elements would miss: `srcdoc` frames, shadow trees, SVG drawings, ARIA roles. */

import type { Element, ElementContent, Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { attribute, findAll, isElement, wordsOf } from "./html-markup.ts";

/** How deeply nested frames are read. */
const frameDepthMax = 3;

/** The element that each role stands for: to a screen reader, `div`s with the role `table` are a table. */
const tagOfRole: Readonly<Record<string, string>> = {
	table: "table",
	grid: "table",
	rowgroup: "tbody",
	row: "tr",
	cell: "td",
	gridcell: "td",
	columnheader: "th",
	rowheader: "th",
	list: "ul",
	listitem: "li",
};
/** Elements without a meaning of their own, for which the role is used. */
const genericTags = new Set(["div", "span", "p"]);

/** The converted element, or the element itself if there is nothing to convert. */
export function unfold(element: Element): Element {
	const role = attribute(element, "role");
	if (role !== null && genericTags.has(element.tagName))
		return isTableRole(role) && !hasOnlyCells(element) ? element : { ...element, tagName: tagForRole(element, role) };
	switch (element.tagName) {
		case "iframe":
			return frameContent(element, attribute(element, "srcDoc"));
		case "noframes":
			return frameContent(element, element.children.map((child) => (child.type === "text" ? child.value : "")).join(""));
		case "template":
			return attribute(element, "shadowRootMode") === null || element.content === undefined ? element : block(element.content.children as ElementContent[]);
		case "svg":
			return block(findAll(element.children, "text").flatMap((label) => [label, { type: "text", value: " " } as const]));
		case "textarea":
			return block(element.children);
		case "select":
			return inline(findAll(element.children, "option").filter((option) => option.properties["selected"] === true));
		default:
			return element;
	}
}

function tagForRole(element: Element, role: string): string {
	const level = Number(attribute(element, "ariaLevel") ?? 2);
	if (role === "heading") return `h${Math.min(6, Math.max(1, Number.isInteger(level) ? level : 2))}`;
	return tagOfRole[role] ?? element.tagName;
}

function isTableRole(role: string): boolean {
	return tagOfRole[role] === "table";
}

/** Whether a table has only rows, and these only cells. Otherwise text outside of cells would be lost. */
function hasOnlyCells(table: Element): boolean {
	const hasTag =
		(...tags: readonly string[]) =>
		(element: Element) =>
			tags.includes(tagOfRole[attribute(element, "role") ?? ""] ?? element.tagName);
	const rows = table.children.filter(isElement).flatMap((child) => (hasTag("tbody")(child) ? child.children.filter(isElement) : [child]));
	return rows.length > 0 && rows.every(hasTag("tr")) && rows.every((row) => row.children.filter(isElement).every(hasTag("td", "th")));
}

function frameContent(frame: Element, html: string | null, depth = 1): Element {
	if (html === null || html.trim() === "") return frame;
	const { children } = unified().use(rehypeParse, { fragment: true }).parse(html) as Root;
	const elements = children.filter((child): child is ElementContent => child.type !== "doctype");
	return block(
		elements.map((child) =>
			isElement(child) && child.tagName === "iframe" && depth < frameDepthMax ? frameContent(child, attribute(child, "srcDoc"), depth + 1) : child,
		),
	);
}

function block(children: readonly ElementContent[]): Element {
	return { type: "element", tagName: "div", properties: {}, children: [...children] };
}

function inline(options: readonly Element[]): Element {
	return { type: "element", tagName: "span", properties: {}, children: [{ type: "text", value: options.map(({ children }) => wordsOf(children)).join(", ") }] };
}
