/** Converts Markdown to blocks: headings, paragraphs, lists, tables and code. */

import type { List, ListItem, Paragraph, RootContent, Table, TableRow } from "mdast";
import rehypeParse from "rehype-parse";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import type { OpenTable, Outline, OutlineWriter } from "../blocks/outline.ts";
import { addBlocks } from "../html/html-blocks.ts";
import { contentOfPage } from "../html/html-boilerplate.ts";
import { type Inline, inlineOf, type LinkDefinitions, linkDefinitions } from "./markdown-inline.ts";
import { piecesOf } from "./markdown-pieces.ts";
import { withoutSoftBreaks } from "./soft-breaks.ts";

/** A line that opens a hundred quotes or lists. It is an attack, since the parser takes quadratic time for them. */
const hundredLevels = /^(?:[ \t]{0,4}(?:>|[-*+]|\d{1,9}[.)])){100}/m;

/** @throws RangeError if it is nested too deeply; also as a stack overflow */
export function addMarkdown(text: string, outline: Outline): void {
	if (hundredLevels.test(text)) throw new RangeError("nested too deeply");
	const parser = unified().use(remarkParse).use(remarkGfm);
	let table: OpenTable | null = null;
	for (const { text: piece, isRestOfTable } of piecesOf(text)) {
		const tree = parser.parse(piece);
		const definitions = linkDefinitions(tree);
		for (const [index, node] of tree.children.entries()) {
			if (node.type !== "table") addNode(node, outline, { text: piece, definitions }, 0);
			else if (isRestOfTable && index === 0 && table !== null) addRows(node, table, definitions);
			else table = openTable(node, outline, definitions);
		}
	}
}

/** What a piece of Markdown was parsed from, and the link definitions in it. */
interface Source {
	readonly text: string;
	readonly definitions: LinkDefinitions;
}

function paragraphOf({ children, position }: Paragraph, { text: source, definitions }: Source): Inline {
	const { text, markdown } = inlineOf(children, definitions);
	return { text: withoutSoftBreaks(text, source.slice(position?.start.offset, position?.end.offset)), markdown };
}

function addNode(node: RootContent, outline: Outline, source: Source, depth: number): void {
	switch (node.type) {
		case "heading": {
			const { text, markdown } = inlineOf(node.children, source.definitions);
			outline.heading(node.depth, text, { markdown });
			break;
		}
		case "paragraph": {
			const { text, markdown } = paragraphOf(node, source);
			outline.paragraph(text, { markdown });
			break;
		}
		case "list":
			addList(node, outline, source, depth);
			break;
		case "table":
			addTable(node, outline, source.definitions);
			break;
		case "code":
			outline.code(node.value, node.lang ?? null);
			break;
		case "html":
			addBlocks(contentOfPage(unified().use(rehypeParse, { fragment: true }).parse(node.value), false), null, outline);
			break;
		case "blockquote":
		case "footnoteDefinition":
			for (const child of node.children) addNode(child, outline, source, depth);
			break;
		default:
	}
}

function addList(list: List, outline: Outline, source: Source, depth: number): void {
	for (const [index, item] of list.children.entries()) addItem(item, list.ordered === true ? `${(list.start ?? 1) + index}.` : "-", outline, source, depth);
}

/** Adds a list item. Its first paragraph becomes the item; its other content is added after it. */
function addItem(item: ListItem, marker: string, outline: Outline, source: Source, depth: number): void {
	const [first, ...rest] = item.children;
	const markerWithBox = typeof item.checked === "boolean" ? `${marker} [${item.checked ? "x" : " "}]` : marker;
	if (first?.type === "paragraph") {
		const { text, markdown } = paragraphOf(first, source);
		outline.item(depth, text, { markdown, marker: markerWithBox });
	} else if (first !== undefined) addNode(first, outline, source, depth + 1);
	for (const node of rest) addNode(node, outline, source, depth + 1);
}

function addTable(table: Table, outline: OutlineWriter, definitions: LinkDefinitions): void {
	openTable(table, outline, definitions);
}

/** Adds a table. Rows can still be added to it, since a table may continue in the next piece. */
function openTable(table: Table, outline: OutlineWriter, definitions: LinkDefinitions): OpenTable {
	const openedTable = outline.openTable(cellsOf(table.children[0], definitions));
	addRows(table, openedTable, definitions);
	openedTable.end();
	return openedTable;
}

function addRows(table: Table, openedTable: OpenTable, definitions: LinkDefinitions): void {
	for (const row of table.children.slice(1)) openedTable.add({ cells: cellsOf(row, definitions) });
}

function cellsOf(row: TableRow | undefined, definitions: LinkDefinitions): readonly string[] {
	return (row?.children ?? []).map((cell) => inlineOf(cell.children, definitions).text.trim());
}
