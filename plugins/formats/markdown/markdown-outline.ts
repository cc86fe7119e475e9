/** Markdown → blocks: headings, paragraphs, lists, tables and code. */

import type { List, ListItem, RootContent, Table, TableRow } from "mdast";
import rehypeParse from "rehype-parse";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import type { OpenTable, Outline, OutlineWriter } from "../blocks/outline.ts";
import { addBlocks } from "../html/html-blocks.ts";
import { contentOfPage } from "../html/html-boilerplate.ts";
import { inlineOf, type Targets, targetsOf } from "./markdown-inline.ts";
import { piecesOf } from "./markdown-pieces.ts";

/** A line that opens a hundred quotes or lists: an attack, since the parser is quadratic in them. */
const bottomless = /^(?:[ \t]{0,4}(?:>|[-*+]|\d{1,9}[.)])){100}/m;

/** @throws RangeError when it is nested too deeply, also by a stack overflow. */
export function addMarkdown(text: string, outline: Outline): void {
	if (bottomless.test(text)) throw new RangeError("nested too deeply");
	const parser = unified().use(remarkParse).use(remarkGfm);
	let table: OpenTable | null = null;
	for (const { text: piece, isRestOfTable } of piecesOf(text)) {
		const tree = parser.parse(piece);
		const targets = targetsOf(tree);
		for (const [index, node] of tree.children.entries()) {
			if (node.type !== "table") addNode(node, outline, targets, 0);
			else if (isRestOfTable && index === 0 && table !== null) addRows(node, table, targets);
			else table = openTable(node, outline, targets);
		}
	}
}

function addNode(node: RootContent, outline: Outline, targets: Targets, depth: number): void {
	switch (node.type) {
		case "heading": {
			const { text, markdown } = inlineOf(node.children, targets);
			outline.heading(node.depth, text, { markdown });
			break;
		}
		case "paragraph": {
			const { text, markdown } = inlineOf(node.children, targets);
			outline.paragraph(text, { markdown });
			break;
		}
		case "list":
			addList(node, outline, targets, depth);
			break;
		case "table":
			addTable(node, outline, targets);
			break;
		case "code":
			outline.code(node.value, node.lang ?? null);
			break;
		case "html":
			addBlocks(contentOfPage(unified().use(rehypeParse, { fragment: true }).parse(node.value)), null, outline);
			break;
		case "blockquote":
		case "footnoteDefinition":
			for (const child of node.children) addNode(child, outline, targets, depth);
			break;
		default:
	}
}

function addList(list: List, outline: Outline, targets: Targets, depth: number): void {
	for (const [index, item] of list.children.entries()) addItem(item, list.ordered === true ? `${(list.start ?? 1) + index}.` : "-", outline, targets, depth);
}

/** The first paragraph becomes the list item; other content of the item follows. */
function addItem(item: ListItem, marker: string, outline: Outline, targets: Targets, depth: number): void {
	const [first, ...rest] = item.children;
	const box = typeof item.checked === "boolean" ? `${marker} [${item.checked ? "x" : " "}]` : marker;
	if (first?.type === "paragraph") {
		const { text, markdown } = inlineOf(first.children, targets);
		outline.item(depth, text, { markdown, marker: box });
	} else if (first !== undefined) addNode(first, outline, targets, depth + 1);
	for (const node of rest) addNode(node, outline, targets, depth + 1);
}

function addTable(table: Table, outline: OutlineWriter, targets: Targets): void {
	openTable(table, outline, targets);
}

/** The table stays open, as its rows may continue in the next piece. A header without rows is added before anything else. */
function openTable(table: Table, outline: OutlineWriter, targets: Targets): OpenTable {
	const opened = outline.openTable(cellsOf(table.children[0], targets));
	addRows(table, opened, targets);
	opened.end();
	return opened;
}

function addRows(table: Table, opened: OpenTable, targets: Targets): void {
	for (const row of table.children.slice(1)) opened.add({ cells: cellsOf(row, targets) });
}

function cellsOf(row: TableRow | undefined, targets: Targets): readonly string[] {
	return (row?.children ?? []).map((cell) => inlineOf(cell.children, targets).text.trim());
}
