/** Adds paragraphs and tables of a Word file as blocks. */

import type { Outline } from "../../blocks/outline.ts";
import { numberIn } from "./formatting.ts";
import type { NextMarker } from "./lists.ts";
import type { DocParagraph } from "./paragraphs.ts";
import { codes } from "./styles.ts";
import { addTable, type DocRow } from "./table.ts";

const headingLevelMax = 6;
const listLevelMax = 8;
/** The list id that removes a paragraph from the list of its style. */
const removedFromList = 0x7ff;

/** @returns the text of the first paragraph in the title style; null if there is none. */
export function addBody(paragraphs: Iterable<DocParagraph>, markerOf: NextMarker, outline: Outline): string | null {
	let title: string | null = null;
	let rows: DocRow[] = [];
	let cells: string[] = [];
	let lines: string[] = [];
	const closeTable = () => {
		if (cells.length > 0) rows.push({ cells, settings: [] });
		addTable(rows, outline);
		for (const line of lines) outline.paragraph(line);
		rows = [];
		cells = [];
		lines = [];
	};
	for (const paragraph of paragraphs) {
		const { text, end, depth, settings } = paragraph;
		// A table in a cell is read as lines of that cell.
		if (depth > 0 && (end === "paragraph" || depth > 1)) {
			if (text !== "") lines.push(text);
		} else if (end === "row") {
			if (cells.length > 0) rows.push({ cells, settings });
			cells = [];
			lines = [];
		} else if (end === "cell") {
			cells.push([...lines, text].filter((line) => line !== "").join("\n"));
			lines = [];
		} else {
			if (rows.length > 0 || cells.length > 0 || lines.length > 0) closeTable();
			addParagraph(paragraph, markerOf, outline);
			if (title === null && paragraph.style.isTitle && text !== "") title = text;
		}
	}
	closeTable();
	return title;
}

function addParagraph({ text, markdown, style, settings }: DocParagraph, markerOf: NextMarker, outline: Outline): void {
	const outlineLevel = numberIn(settings, codes.outlineLevel);
	const heading = style.isTitle ? 1 : (style.heading ?? (outlineLevel !== null && outlineLevel < 9 ? outlineLevel + 1 : null));
	const listNumber = numberIn(settings, codes.list) ?? 0;
	const isItem = listNumber > 0 && listNumber !== removedFromList;
	if (text === "") return;
	if (heading !== null) {
		outline.heading(Math.min(heading, headingLevelMax), text.replace(/\s+/g, " "));
		return;
	}
	if (!isItem) {
		outline.paragraph(text, { markdown });
		return;
	}
	const level = Math.min(numberIn(settings, codes.listLevel) ?? 0, listLevelMax);
	const marker = markerOf(listNumber, level).trim();
	outline.item(level, text, { markdown, ...(marker !== "" && { marker }) });
}
