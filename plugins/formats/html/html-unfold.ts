/** Resolves what plain elements do not show: `srcdoc` frames, shadow trees, SVG drawings, ARIA roles. */

import type { Element, ElementContent, Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { attribute, findAll, isElement, wordsOf } from "./html-markup.ts";

/** How deep frames are resolved. */
const framesMax = 3;

/** Roles and the element they stand for: a table of `div`s is a table to a screen reader. */
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
/** Elements without semantics, for which the role is used. */
const meaningless = new Set(["div", "span", "p"]);

/** The resolved element, or the element itself. */
export function unfolded(element: Element): Element {
	const role = attribute(element, "role");
	if (role !== null && meaningless.has(element.tagName))
		return isTable(role) && !isWholeTable(element) ? element : { ...element, tagName: taggedBy(element, role) };
	switch (element.tagName) {
		case "iframe":
			return framed(element, attribute(element, "srcDoc"));
		case "noframes":
			return framed(element, element.children.map((child) => (child.type === "text" ? child.value : "")).join(""));
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

function taggedBy(element: Element, role: string): string {
	const level = Number(attribute(element, "ariaLevel") ?? 2);
	if (role === "heading") return `h${Math.min(6, Math.max(1, Number.isInteger(level) ? level : 2))}`;
	return tagOfRole[role] ?? element.tagName;
}

function isTable(role: string): boolean {
	return tagOfRole[role] === "table";
}

/** Whether it has only rows, and these only cells: otherwise text outside of cells would be lost. */
function isWholeTable(table: Element): boolean {
	const isA =
		(...tags: readonly string[]) =>
		(element: Element) =>
			tags.includes(tagOfRole[attribute(element, "role") ?? ""] ?? element.tagName);
	const below = table.children.filter(isElement).flatMap((child) => (isA("tbody")(child) ? child.children.filter(isElement) : [child]));
	return below.length > 0 && below.every(isA("tr")) && below.every((row) => row.children.filter(isElement).every(isA("td", "th")));
}

function framed(frame: Element, html: string | null, depth = 1): Element {
	if (html === null || html.trim() === "") return frame;
	const { children } = unified().use(rehypeParse, { fragment: true }).parse(html) as Root;
	const elements = children.filter((child): child is ElementContent => child.type !== "doctype");
	return block(
		elements.map((child) =>
			isElement(child) && child.tagName === "iframe" && depth < framesMax ? framed(child, attribute(child, "srcDoc"), depth + 1) : child,
		),
	);
}

function block(children: readonly ElementContent[]): Element {
	return { type: "element", tagName: "div", properties: {}, children: [...children] };
}

function inline(options: readonly Element[]): Element {
	return { type: "element", tagName: "span", properties: {}, children: [{ type: "text", value: options.map(({ children }) => wordsOf(children)).join(", ") }] };
}
