/** Adds one slide: its title, then its shapes in their order. */

import type { Place } from "cairn-memory";
import type { Outline } from "../../blocks/outline.ts";
import { attributeOf, elementAt, elementsOf, outermost, prefixedAttribute, type XmlElement } from "../../xml/xml-element.ts";
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

/** @returns the title, null when the slide has none. */
export function addSlide(slide: XmlElement, isHidden: boolean, walk: SlideWalk): string | null {
	const tree = elementAt(slide, "cSld", "spTree");
	const shapes = tree === null ? [] : elementsOf(tree).flatMap(shapesIn);
	const title = shapes.find((shape) => titleTypes.has(typeOf(shape)));
	const words = title === undefined ? "" : flat(linesOf(elementAt(title, "txBody"), walk.relations, []));
	const mark = isHidden ? "(hidden slide)" : "";
	walk.outline.heading(1, `${words} ${mark}`.trim(), { place: walk.place });
	for (const shape of shapes) if (shape !== title) addShape(shape, walk);
	return words === "" ? null : words;
}

/** All shapes, with those of a group in its place. */
export function shapesIn(element: XmlElement): readonly XmlElement[] {
	if (element.name === "grpSp") return elementsOf(element).flatMap(shapesIn);
	if (element.name === "AlternateContent") return elementsOf(elementAt(element, "Choice") ?? elementAt(element, "Fallback")).flatMap(shapesIn);
	return ["sp", "pic", "graphicFrame", "cxnSp", "contentPart"].includes(element.name) ? [element] : [];
}

export function typeOf(shape: XmlElement): string {
	const placeholder = placeholderOf(shape);
	return placeholder === null ? "" : (attributeOf(placeholder, "type") ?? "obj");
}

function addShape(shape: XmlElement, walk: SlideWalk): void {
	const { office, relations, outline, place } = walk;
	if (boilerplate.has(typeOf(shape))) return;
	const body = elementAt(shape, "txBody");
	addLines(linesOf(body, relations, walk.placeholders.stylesOf(placeholderOf(shape))), walk);
	for (const table of outermost(shape, "tbl")) {
		const { header, rows } = readSlideTable(table, (cell) => cellText(linesOf(cell, relations, [])));
		outline.table(
			header,
			rows.map((row) => ({ ...row, place })),
		);
	}
	if (body === null) for (const description of alternativeTexts(shape)) outline.caption(description, { place });
	for (const chart of outermost(shape, "chart")) addChart(partOf(office, prefixedAttribute(chart, "id"), relations), outline, place);
	for (const diagram of outermost(shape, "relIds")) addDiagram(partOf(office, prefixedAttribute(diagram, "dm"), relations), outline, place);
}

export function addLines(lines: readonly Line[], { outline, place }: Pick<SlideWalk, "outline" | "place">): void {
	for (const { text, markdown, level, marker } of lines) {
		if (marker === null) outline.paragraph(text, { markdown, place });
		else outline.item(level, text, { markdown, place, ...(marker === "" ? {} : { marker }) });
	}
}

/** Keeps the numbers of list items. */
function cellText(lines: readonly Line[]): string {
	return lines.map(({ text, marker }) => (marker === null || marker === "" ? text : `${marker} ${text}`)).join("\n");
}

export function flat(lines: readonly Line[], separator = " "): string {
	return lines.map(({ text }) => text.replace(/\n/g, separator)).join(separator);
}

function partOf(office: OfficePackage, id: string | null, relations: ReadonlyMap<string, Relation>): XmlElement | null {
	const relation = relations.get(id ?? "");
	return relation === undefined || relation.isExternal ? null : office.partOnce(relation.target);
}
