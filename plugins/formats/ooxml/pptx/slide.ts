/** Adds one slide: its title, then its shapes in their order. */

import type { Place } from "cairn-memory";
import type { Outline } from "../../blocks/outline.ts";
import { attributeOf, elementByPath, elementsOf, prefixedAttribute, topmostDescendants, type XmlElement } from "../../xml/xml-element.ts";
import { addChart } from "../chart.ts";
import { addDiagram, alternativeTexts } from "../drawing.ts";
import type { OfficePackage, Relation } from "../package.ts";
import { type Placeholders, placeholderOf } from "./placeholders.ts";
import { type Line, linesOf } from "./slide-lines.ts";
import { readSlideTable } from "./slide-table.ts";

export interface SlideWalk {
	readonly office: OfficePackage;
	readonly relations: ReadonlyMap<string, Relation>;
	readonly placeholders: Placeholders;
	readonly outline: Outline;
	readonly place: Place;
}

const titleTypes = new Set(["title", "ctrTitle"]);
/** Placeholders that are repeated on every slide: slide number, date, header, footer. */
const boilerplate = new Set(["sldNum", "dt", "ftr", "hdr"]);

/** @returns the title, or null if the slide has none. */
export function addSlide(slide: XmlElement, isHidden: boolean, walk: SlideWalk): string | null {
	const tree = elementByPath(slide, "cSld", "spTree");
	const shapes = tree === null ? [] : elementsOf(tree).flatMap(shapesIn);
	const title = shapes.find((shape) => titleTypes.has(typeOf(shape)));
	const titleText = title === undefined ? "" : joinLines(linesOf(elementByPath(title, "txBody"), walk.relations, []));
	const hiddenMark = isHidden ? "(hidden slide)" : "";
	walk.outline.heading(1, `${titleText} ${hiddenMark}`.trim(), { place: walk.place });
	for (const shape of shapes) if (shape !== title) addShape(shape, walk);
	return titleText === "" ? null : titleText;
}

/** All shapes. A group is replaced by its shapes. */
export function shapesIn(element: XmlElement): readonly XmlElement[] {
	if (element.name === "grpSp") return elementsOf(element).flatMap(shapesIn);
	if (element.name === "AlternateContent") return elementsOf(elementByPath(element, "Choice") ?? elementByPath(element, "Fallback")).flatMap(shapesIn);
	return ["sp", "pic", "graphicFrame", "cxnSp", "contentPart"].includes(element.name) ? [element] : [];
}

export function typeOf(shape: XmlElement): string {
	const placeholder = placeholderOf(shape);
	return placeholder === null ? "" : (attributeOf(placeholder, "type") ?? "obj");
}

function addShape(shape: XmlElement, walk: SlideWalk): void {
	const { office, relations, outline, place } = walk;
	if (boilerplate.has(typeOf(shape))) return;
	const body = elementByPath(shape, "txBody");
	addLines(linesOf(body, relations, walk.placeholders.stylesOf(placeholderOf(shape))), walk);
	for (const table of topmostDescendants(shape, "tbl")) {
		const { header, rows } = readSlideTable(table, (cell) => cellText(linesOf(cell, relations, [])));
		outline.table(
			header,
			rows.map((row) => ({ ...row, place })),
		);
	}
	if (body === null) for (const description of alternativeTexts(shape)) outline.caption(description, { place });
	for (const chart of topmostDescendants(shape, "chart")) addChart(partById(office, prefixedAttribute(chart, "id"), relations), outline, place);
	for (const diagram of topmostDescendants(shape, "relIds")) addDiagram(partById(office, prefixedAttribute(diagram, "dm"), relations), outline, place);
}

export function addLines(lines: readonly Line[], { outline, place }: Pick<SlideWalk, "outline" | "place">): void {
	for (const { text, markdown, level, marker } of lines) {
		if (marker === null) outline.paragraph(text, { markdown, place });
		else outline.item(level, text, { markdown, place, ...(marker === "" ? {} : { marker }) });
	}
}

/** The text of a cell, with the numbers of its list items. */
function cellText(lines: readonly Line[]): string {
	return lines.map(({ text, marker }) => (marker === null || marker === "" ? text : `${marker} ${text}`)).join("\n");
}

export function joinLines(lines: readonly Line[], separator = " "): string {
	return lines.map(({ text }) => text.replace(/\n/g, separator)).join(separator);
}

function partById(office: OfficePackage, id: string | null, relations: ReadonlyMap<string, Relation>): XmlElement | null {
	const relation = relations.get(id ?? "");
	return relation === undefined || relation.isExternal ? null : office.partOnce(relation.target);
}
