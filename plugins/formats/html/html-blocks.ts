/** Walks the content of a page and adds it as blocks. */

import type { Element } from "hast";
import type { Outline } from "../blocks/outline.ts";
import { isDisplayMath } from "./html-formulas.ts";
import { inlineOf } from "./html-inline.ts";
import { numbersOf } from "./html-list.ts";
import { attribute, blockTags, findAll, isElement, type Node, wordsOf } from "./html-markup.ts";
import { captionOf, cellsOf, gridOf, isLayoutTable, rowsOf } from "./html-table.ts";

/** The state of the walk. */
interface Walk {
	readonly outline: Outline;
	readonly base: string | null;
	/** Elements that contain a block element. Their children are walked; they are not read as inline text. */
	readonly blockContainers: ReadonlySet<Element>;
	/** How many lists it is nested in. */
	readonly depth: number;
	/** The marker of the list item whose first text has not been added yet; null if there is none. */
	readonly item: { marker: string | null };
}

export function addBlocks(nodes: readonly Node[], base: string | null, outline: Outline): void {
	addAll(nodes, { outline, base, blockContainers: blockContainersOf(nodes), depth: 0, item: { marker: null } });
}

function addAll(nodes: readonly Node[], walk: Walk): void {
	let inlineNodes: Node[] = [];
	const endInline = () => {
		addText(inlineNodes, walk);
		inlineNodes = [];
	};
	for (const node of nodes) {
		if (!isElement(node) || !isBlock(node, walk)) {
			inlineNodes.push(node);
			continue;
		}
		endInline();
		addElement(node, walk);
	}
	endInline();
}

function isBlock(element: Element, walk: Walk): boolean {
	return blockTags.has(element.tagName) || isDisplayMath(element) || walk.blockContainers.has(element);
}

function addText(inlineNodes: readonly Node[], { outline, base, depth, item }: Walk): void {
	const { text, markdown } = inlineOf(inlineNodes, base);
	if (text === "") return;
	if (item.marker === null) outline.paragraph(text, { markdown });
	else outline.item(depth - 1, text, { markdown, marker: item.marker });
	item.marker = null;
}

function addElement(element: Element, walk: Walk): void {
	const level = /^h([1-6])$/.exec(element.tagName)?.[1];
	if (level !== undefined) {
		const { text, markdown } = inlineOf(element.children, walk.base);
		walk.outline.heading(Number(level), text.replaceAll("\n", " "), { markdown });
		return;
	}
	switch (element.tagName) {
		case "ul":
		case "ol":
		case "menu":
		case "dir":
			addList(element, walk);
			break;
		case "table":
			addTable(element, walk);
			break;
		case "pre":
		case "listing":
		case "xmp":
			walk.outline.code(textWithWhiteSpace(element.children).replace(/^\n|\s+$/g, ""), languageOf(element));
			break;
		case "figcaption": {
			const { text, markdown } = inlineOf(element.children, walk.base);
			walk.outline.caption(text, { markdown });
			break;
		}
		case "hr":
			break;
		case "math":
			addText([element], walk);
			break;
		default:
			addAll(element.children, walk);
	}
}

function addList(list: Element, walk: Walk): void {
	const numbers = numbersOf(list);
	const depth = walk.depth + 1;
	for (const child of list.children) {
		if (!isElement(child) || child.tagName !== "li") {
			addAll([child], { ...walk, depth });
			continue;
		}
		addAll(child.children, { ...walk, depth, item: { marker: numbers.get(child) ?? "-" } });
	}
}

function addTable(table: Element, walk: Walk): void {
	const caption = captionOf(table);
	if (caption !== null) walk.outline.caption(inlineOf(caption.children, walk.base).text);
	if (isLayoutTable(table)) {
		for (const row of rowsOf(table)) for (const cell of cellsOf(row)) if (!hasLineNumbers(cell, row)) addAll(cell.children, walk);
		return;
	}
	const { header, rows } = gridOf(table, walk.base);
	walk.outline.table(
		header,
		rows.map((cells) => ({ cells })),
	);
}

/** Whether a cell contains only the line numbers of the code in a cell beside it. */
function hasLineNumbers(cell: Element, row: Element): boolean {
	const hasCode = (element: Element) => findAll(element.children, "pre").length > 0;
	return /^\d+(?: \d+)*$/.test(wordsOf(cell.children)) && cellsOf(row).some((other) => other !== cell && hasCode(other));
}

/** The text with its white space, which code needs. */
function textWithWhiteSpace(nodes: readonly Node[]): string {
	return nodes.map((node) => (node.type === "text" ? node.value : elementText(node))).join("");
}

function elementText(node: Node): string {
	if (!isElement(node)) return "";
	return node.tagName === "br" ? "\n" : textWithWhiteSpace(node.children);
}

/** The language in a class such as `language-ts`, on the element or on a `code` element in it. */
function languageOf(pre: Element): string | null {
	const names = [pre, ...pre.children.filter(isElement)].map((element) => attribute(element, "className") ?? "").join(" ");
	return /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]+)/.exec(names)?.[1] ?? null;
}

function blockContainersOf(nodes: readonly Node[]): ReadonlySet<Element> {
	const blockContainers = new Set<Element>();
	const visit = (children: readonly Node[]): boolean => {
		let hasAny = false;
		for (const node of children) {
			if (!isElement(node)) continue;
			const hasBlock = visit(node.children);
			if (hasBlock) blockContainers.add(node);
			hasAny = hasBlock || blockTags.has(node.tagName) || isDisplayMath(node) || hasAny;
		}
		return hasAny;
	};
	visit(nodes);
	return blockContainers;
}
