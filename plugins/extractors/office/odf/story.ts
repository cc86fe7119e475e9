/** Writes the elements of an OpenDocument body down as blocks. */

import type { Place } from "cairn-memory";
import { flatLines } from "../../flat-lines.ts";
import { joinPieces } from "../../inline-text.ts";
import { createOutline, type Outline } from "../../outline.ts";
import { attributeOf, elementAt, elementsOf, numberOf, textOf, type XmlElement } from "../../xml-element.ts";
import type { OfficePackage } from "../package.ts";
import { addObject, formulaOf, openObject } from "./embedded-object.ts";
import { commentText, drawingElements, readParagraph } from "./inline.ts";
import type { Styles } from "./styles.ts";
import { readOdfTable } from "./table.ts";

export interface OdfStory {
	readonly office: OfficePackage;
	readonly styles: Styles;
	readonly outline: Outline;
	readonly place: Place;
	/** Notes in the order of their marks; written down at the end. */
	readonly notes: XmlElement[];
	readonly titles: string[];
	/** Numbers that lists have come to, by their style: some go on later. */
	readonly counts: Map<string, number>;
}

/** Not part of the text: deleted words, declarations, forms, and what a drawing is called. */
const silent = new Set(
	"tracked-changes sequence-decls user-field-decls variable-decls forms settings title desc header-decl footer-decl date-time-decl index-title-template event-listeners enhanced-geometry page-thumbnail glue-point named-expressions".split(
		" ",
	),
);

export function addElements(elements: readonly XmlElement[], story: OdfStory): void {
	for (const element of elements) addElement(element, story);
}

export function flatText(elements: readonly XmlElement[], story: OdfStory): string {
	const outline = createOutline();
	addElements(elements, { ...story, outline, titles: [] });
	return flatLines(outline.blocks);
}

function addElement(element: XmlElement, story: OdfStory): void {
	const { outline, styles, place } = story;
	if (silent.has(element.name)) return;
	switch (element.name) {
		case "h":
			addLine(element, story, (text, markdown) => outline.heading(levelOf(element), text.replace(/\s+/g, " "), { markdown, place }));
			break;
		case "p": {
			const level = styles.titleLevel(attributeOf(element, "style-name"));
			addLine(element, story, (text, markdown) => {
				if (level === 1) story.titles.push(text);
				if (level === null) outline.paragraph(text, { markdown, place });
				else outline.heading(level, text.replace(/\s+/g, " "), { markdown, place });
			});
			break;
		}
		case "list":
			addList(element, null, 0, story);
			break;
		case "table":
			addTable(element, story);
			break;
		case "annotation":
			outline.paragraph(commentText(element), { place });
			break;
		default:
			if (drawingElements.has(element.name)) addDrawing(element, story);
			else addElements(elementsOf(element), story);
	}
}

function levelOf(heading: XmlElement): number {
	return Math.max(1, Math.min(numberOf(heading, "outline-level", 1), 6));
}

function addLine(paragraph: XmlElement, story: OdfStory, write: (text: string, markdown: string) => void): void {
	const objects = new Map<XmlElement, XmlElement | null>();
	const formulaIn = (frame: XmlElement) => {
		const root = openObject(frame, story.office);
		objects.set(frame, root);
		return formulaOf(root);
	};
	const { pieces, drawings, comments } = readParagraph(paragraph, story.styles, { noteMark: (note) => `[^${story.notes.push(note)}]`, formulaIn });
	const { text, markdown } = joinPieces(pieces);
	if (text !== "") write(text, markdown);
	for (const drawing of drawings) addDrawing(drawing, story, objects.get(drawing));
	for (const comment of comments) story.outline.paragraph(commentText(comment), { place: story.place });
}

/** @param inherited the style of the list around: inner lists need not name it again. */
function addList(list: XmlElement, inherited: string | null, depth: number, story: OdfStory): void {
	const style = attributeOf(list, "style-name") ?? inherited;
	const key = `${style ?? ""} ${depth}`;
	const goesOn = attributeOf(list, "continue-numbering") === "true" || attributeOf(list, "continue-list") !== null;
	let number = goesOn ? (story.counts.get(key) ?? 0) : 0;
	for (const item of elementsOf(list, "list-item", "list-header")) {
		if (item.name === "list-item") number = numberOf(item, "start-value", number + 1);
		let isFirst = item.name === "list-item";
		for (const child of elementsOf(item)) {
			if (child.name === "list") addList(child, style, depth + 1, story);
			else if (isFirst && (child.name === "p" || child.name === "h")) addItem(child, style, depth, number, story);
			else addElement(child, story);
			isFirst = isFirst && child.name === "list";
		}
	}
	story.counts.set(key, number);
}

function addItem(line: XmlElement, style: string | null, depth: number, number: number, story: OdfStory): void {
	const { outline, styles, place } = story;
	addLine(line, story, (text, markdown) => {
		const marker = styles.marker(style, depth, number);
		if (line.name === "h") outline.heading(levelOf(line), `${marker} ${text}`.replace(/\s+/g, " ").trim(), { place });
		else outline.item(Math.min(depth, 9), text, { markdown, place, ...(marker === "" ? {} : { marker }) });
	});
}

function addTable(table: XmlElement, story: OdfStory): void {
	const { header, rows, frame } = readOdfTable(table, (cell) => flatText(elementsOf(cell), story));
	if (frame !== null) addElements(elementsOf(frame), story);
	else
		story.outline.table(
			header,
			rows.map((cells) => ({ cells, place: story.place })),
		);
}

/** Text boxes and tables speak for themselves; pictures by their description. */
function addDrawing(drawing: XmlElement, story: OdfStory, opened?: XmlElement | null): void {
	const [text] = elementsOf(drawing, "text-box", "table");
	const isRead = addObject(opened === undefined ? openObject(drawing, story.office) : opened, story.outline, story.place);
	if (text !== undefined) addElements(text.name === "table" ? [text] : elementsOf(text), story);
	else if (drawing.name !== "frame") addElements(elementsOf(drawing), story);
	const description = textOf(elementAt(drawing, "desc") ?? elementAt(drawing, "title")).trim();
	if (text === undefined && !isRead) story.outline.caption(description, { place: story.place });
}
