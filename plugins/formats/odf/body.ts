/** Adds the elements of an OpenDocument body as blocks. */

import type { Place } from "cairn-memory";
import { flatLines } from "../blocks/flat-lines.ts";
import { joinPieces } from "../blocks/inline-text.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import type { OfficePackage } from "../ooxml/package.ts";
import { attributeOf, elementByPath, elementsOf, numberOf, textOf, type XmlElement } from "../xml/xml-element.ts";
import { addObject, formulaOf, openObject } from "./embedded-object.ts";
import { commentText, drawingElements, readParagraph } from "./inline.ts";
import type { Styles } from "./styles.ts";
import { readOdfTable } from "./table.ts";

export interface OdfContext {
	readonly office: OfficePackage;
	readonly styles: Styles;
	readonly outline: Outline;
	readonly place: Place;
	/** Notes in the order of their reference marks. They are added at the end of the document. */
	readonly notes: XmlElement[];
	readonly titles: string[];
	/** The last numbers of lists, by list style, for lists that continue. */
	readonly counts: Map<string, number>;
}

/** Elements whose text is not part of the document: deletions, declarations, forms, names of drawings. */
const ignored = new Set(
	"tracked-changes sequence-decls user-field-decls variable-decls forms settings title desc header-decl footer-decl date-time-decl index-title-template event-listeners enhanced-geometry page-thumbnail glue-point named-expressions".split(
		" ",
	),
);

export function addElements(elements: readonly XmlElement[], context: OdfContext): void {
	for (const element of elements) addElement(element, context);
}

export function flatText(elements: readonly XmlElement[], context: OdfContext): string {
	const outline = createOutline();
	addElements(elements, { ...context, outline, titles: [] });
	return flatLines(outline.blocks);
}

function addElement(element: XmlElement, context: OdfContext): void {
	const { outline, styles, place } = context;
	if (ignored.has(element.name)) return;
	switch (element.name) {
		case "h":
			addLine(element, context, (text, markdown) => outline.heading(levelOf(element), text.replace(/\s+/g, " "), { markdown, place }));
			break;
		case "p": {
			const level = styles.titleLevel(attributeOf(element, "style-name"));
			addLine(element, context, (text, markdown) => {
				if (level === 1) context.titles.push(text);
				if (level === null) outline.paragraph(text, { markdown, place });
				else outline.heading(level, text.replace(/\s+/g, " "), { markdown, place });
			});
			break;
		}
		case "list":
			addList(element, null, 0, context);
			break;
		case "table":
			addTable(element, context);
			break;
		case "annotation":
			outline.paragraph(commentText(element), { place });
			break;
		default:
			if (drawingElements.has(element.name)) addDrawing(element, context);
			else addElements(elementsOf(element), context);
	}
}

function levelOf(heading: XmlElement): number {
	return Math.max(1, Math.min(numberOf(heading, "outline-level", 1), 6));
}

function addLine(paragraph: XmlElement, context: OdfContext, addText: (text: string, markdown: string) => void): void {
	const objects = new Map<XmlElement, XmlElement | null>();
	const formulaOfFrame = (frame: XmlElement) => {
		const root = openObject(frame, context.office);
		objects.set(frame, root);
		return formulaOf(root);
	};
	const { pieces, drawings, comments } = readParagraph(paragraph, context.styles, {
		noteMark: (note) => `[^${context.notes.push(note)}]`,
		formulaIn: formulaOfFrame,
	});
	const { text, markdown } = joinPieces(pieces);
	if (text !== "") addText(text, markdown);
	for (const drawing of drawings) addDrawing(drawing, context, objects.get(drawing));
	for (const comment of comments) context.outline.paragraph(commentText(comment), { place: context.place });
}

/** @param parentStyle the list style of the parent list, which inner lists use by default */
function addList(list: XmlElement, parentStyle: string | null, depth: number, context: OdfContext): void {
	const style = attributeOf(list, "style-name") ?? parentStyle;
	const key = `${style ?? ""} ${depth}`;
	const continuesNumbers = attributeOf(list, "continue-numbering") === "true" || attributeOf(list, "continue-list") !== null;
	let number = continuesNumbers ? (context.counts.get(key) ?? 0) : 0;
	for (const item of elementsOf(list, "list-item", "list-header")) {
		if (item.name === "list-item") number = numberOf(item, "start-value", number + 1);
		let isFirst = item.name === "list-item";
		for (const child of elementsOf(item)) {
			if (child.name === "list") addList(child, style, depth + 1, context);
			else if (isFirst && (child.name === "p" || child.name === "h")) addItem(child, style, depth, number, context);
			else addElement(child, context);
			isFirst = isFirst && child.name === "list";
		}
	}
	context.counts.set(key, number);
}

function addItem(line: XmlElement, style: string | null, depth: number, number: number, context: OdfContext): void {
	const { outline, styles, place } = context;
	addLine(line, context, (text, markdown) => {
		const marker = styles.marker(style, depth, number);
		if (line.name === "h") outline.heading(levelOf(line), `${marker} ${text}`.replace(/\s+/g, " ").trim(), { place });
		else outline.item(Math.min(depth, 9), text, { markdown, place, ...(marker === "" ? {} : { marker }) });
	});
}

function addTable(table: XmlElement, context: OdfContext): void {
	const { header, rows, frame } = readOdfTable(table, (cell) => flatText(elementsOf(cell), context));
	if (frame !== null) addElements(elementsOf(frame), context);
	else
		context.outline.table(
			header,
			rows.map((cells) => ({ cells, place: context.place })),
		);
}

/** Adds the content of a text box or table, or the description of a picture. */
function addDrawing(drawing: XmlElement, context: OdfContext, openedObject?: XmlElement | null): void {
	const [textElement] = elementsOf(drawing, "text-box", "table");
	const isRead = addObject(openedObject === undefined ? openObject(drawing, context.office) : openedObject, context.outline, context.place);
	if (textElement !== undefined) addElements(textElement.name === "table" ? [textElement] : elementsOf(textElement), context);
	else if (drawing.name !== "frame") addElements(elementsOf(drawing), context);
	const description = textOf(elementByPath(drawing, "desc") ?? elementByPath(drawing, "title")).trim();
	if (textElement === undefined && !isRead) context.outline.caption(description, { place: context.place });
}
