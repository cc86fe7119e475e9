/** Adds the paragraphs and tables of one part of a Word document as blocks. */

import { flatLines } from "../../blocks/flat-lines.ts";
import { joinPieces } from "../../blocks/inline-text.ts";
import { createOutline, type Outline } from "../../blocks/outline.ts";
import { addFragment } from "../../html/html-fragment.ts";
import { decodeText } from "../../text/decode-text.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, valueByPath, type XmlElement } from "../../xml/xml-element.ts";
import { addChart } from "../chart.ts";
import { addDiagram, alternativeTexts } from "../drawing.ts";
import type { OfficePackage, Relation } from "../package.ts";
import type { Notes } from "./notes.ts";
import { listLevelMax, type Numbering } from "./numbering.ts";
import { chosenAlternative, readRuns } from "./runs.ts";
import { type Styles, wholeNumber } from "./styles.ts";
import { onlyCell, readTable } from "./table.ts";

export interface DocxBody {
	readonly office: OfficePackage;
	readonly styles: Styles;
	readonly numbering: Numbering;
	readonly notes: Notes;
	/** Relationships of the part that is being read, by id. */
	readonly relations: ReadonlyMap<string, Relation>;
	readonly outline: Outline;
	/** Paragraphs in the title style; the first one is used. */
	readonly titles: string[];
	/** Picture descriptions already added: a repeated logo is described only once. */
	readonly describedPictures: Set<string>;
}

/** Elements that only contain paragraphs, tables or each other. */
const containers = new Set(["sdtContent", "customXml", "ins", "moveTo", "smartTag"]);

export function addElements(elements: readonly XmlElement[], body: DocxBody): void {
	for (const element of elements) {
		if (element.name === "p") addParagraph(element, body);
		else if (element.name === "tbl") addTable(element, body);
		else if (element.name === "sdt") addElements(elementsOf(elementByPath(element, "sdtContent")), body);
		else if (element.name === "altChunk") addAlternativeChunk(element, body);
		else if (element.name === "AlternateContent") addElements(elementsOf(chosenAlternative(element)), body);
		else if (containers.has(element.name)) addElements(elementsOf(element), body);
	}
}

/** The text of elements as lines, for a cell or a note. */
export function flatText(elements: readonly XmlElement[], body: DocxBody): string {
	const outline = createOutline();
	addElements(elements, { ...body, outline });
	return flatLines(outline.blocks);
}

function addTable(table: XmlElement, body: DocxBody): void {
	const frame = onlyCell(table);
	if (frame !== null) {
		addElements(elementsOf(frame), body);
		return;
	}
	const { header, rows } = readTable(table, (cell) => flatText(elementsOf(cell), body));
	body.outline.table(header, rows);
}

function addParagraph(paragraph: XmlElement, body: DocxBody): void {
	const { outline, styles, notes, relations } = body;
	const format = elementByPath(paragraph, "pPr");
	const style = valueByPath(format, "pStyle");
	const runs = readRuns(paragraph, { relations, noteMark: notes.mark });
	const { text, markdown } = joinPieces(runs.pieces);
	const level = headingLevel(format, style, styles);
	const list = listLabel(format, style, body);

	if (level !== null) {
		if (styles.isTitle(style) && text !== "") body.titles.push(text);
		const label = list === null || list.label === "" || text === "" ? "" : `${list.label} `;
		outline.heading(level, `${label}${text.replace(/\s+/g, " ")}`, { markdown: `${label}${markdown}` });
	} else if (list !== null) outline.item(list.level, text, { markdown, ...(list.label === "" ? {} : { marker: list.label }) });
	else if (styles.isCaption(style)) outline.caption(text, { markdown });
	else outline.paragraph(text, { markdown });

	for (const id of runs.comments) notes.referToComment(id);
	for (const drawing of runs.drawings) addDrawing(drawing, body);
}

/** The heading level, 1 to 6, or null. Direct formatting with level 10 (body text) overrides a heading style. */
function headingLevel(format: XmlElement | null, style: string | null, styles: Styles): number | null {
	const outlineLevel = wholeNumber(valueByPath(format, "outlineLvl"));
	if (outlineLevel !== null) return outlineLevel >= 9 ? null : Math.min(outlineLevel + 1, 6);
	return styles.headingLevel(style);
}

interface ListLabel {
	readonly level: number;
	readonly label: string;
}

/** The list id `0` takes a paragraph out of the list that its style assigns. */
function listLabel(format: XmlElement | null, style: string | null, { styles, numbering }: DocxBody): ListLabel | null {
	const directNumbering = elementByPath(format, "numPr");
	const styleNumbering = styles.numbering(style);
	const id = valueByPath(directNumbering, "numId") ?? styleNumbering?.id ?? null;
	if (id === null || id === "0") return null;
	const requestedLevel = wholeNumber(valueByPath(directNumbering, "ilvl")) ?? numbering.levelOfStyle(id, style) ?? styleNumbering?.level ?? 0;
	const level = Math.min(requestedLevel, listLevelMax);
	return { level, label: numbering.next(id, level) ?? "" };
}

function addDrawing(drawing: XmlElement, body: DocxBody): void {
	const { office, relations, outline } = body;
	for (const description of alternativeTexts(drawing)) {
		if (!body.describedPictures.has(description)) outline.caption(description);
		body.describedPictures.add(description);
	}
	for (const box of topmostDescendants(drawing, "txbxContent", "AlternateContent")) addBox(box, body);
	for (const chart of topmostDescendants(drawing, "chart")) addChart(office.partOnce(pathOf(chart, "id", relations)), outline);
	for (const diagram of topmostDescendants(drawing, "relIds")) addDiagram(office.partOnce(pathOf(diagram, "dm", relations)), outline);
	for (const path of topmostDescendants(drawing, "textpath")) outline.paragraph(attributeOf(path, "string") ?? textOf(path));
}

function addBox(box: XmlElement, body: DocxBody): void {
	if (box.name === "txbxContent") addElements(elementsOf(box), body);
	else addDrawing(chosenAlternative(box), body);
}

/** Adds an embedded HTML or text part (`altChunk`), which Word would convert when it opens the file. */
function addAlternativeChunk(element: XmlElement, { office, relations, outline }: DocxBody): void {
	const path = pathOf(element, "id", relations);
	if (path === null || !/\.(?:x?html?|txt)$/i.test(path)) return;
	const bytes = office.bytesOnce(path);
	if (bytes === null) return;
	const text = decodeText(bytes, null);
	if (/\.txt$/i.test(path)) outline.paragraph(text.trim());
	else addFragment(text, null, outline);
}

function pathOf(element: XmlElement, name: string, relations: ReadonlyMap<string, Relation>): string | null {
	const relation = relations.get(attributeOf(element, name) ?? "");
	return relation === undefined || relation.isExternal ? null : relation.target;
}
