/** The content of a sheet besides cells: charts, text boxes, pictures and comments. */

import { joinPieces } from "../../blocks/inline-text.ts";
import type { Outline } from "../../blocks/outline.ts";
import type { Aside } from "../../sheets/sheet-tables.ts";
import { attributeOf, elementAt, elementsOf, outermost, textOf, type XmlElement } from "../../xml/xml-element.ts";
import { addChart } from "../chart.ts";
import { alternativeTexts } from "../drawing.ts";
import { type OfficePackage, type Relation, targetOf } from "../package.ts";
import { richText, type SheetEntry } from "./workbook.ts";

/** The row at which each drawing is anchored, with a function that adds it. */
export function drawingsOf(office: OfficePackage, sheet: SheetEntry, outline: Outline): readonly Aside[] {
	return [...office.relations(sheet.path).values()].flatMap(({ type, target, isExternal }) => {
		if (type !== "drawing" || isExternal) return [];
		const relations = office.relations(target);
		return elementsOf(office.partOnce(target)).map((anchor) => ({
			row: Number(textOf(elementAt(anchor, "from", "row")) || 0) + 1,
			write: () => addDrawing(office, anchor, relations, sheet.name, outline),
		}));
	});
}

function addDrawing(office: OfficePackage, anchor: XmlElement, relations: ReadonlyMap<string, Relation>, sheet: string, outline: Outline): void {
	const place = { sheet };
	for (const description of alternativeTexts(anchor)) outline.caption(description, { place });
	for (const chart of outermost(anchor, "chart")) addChart(partOf(office, chart, relations), outline, place);
	for (const box of outermost(anchor, "txBody")) {
		const lines = elementsOf(box, "p").map((paragraph) => [...outermost(paragraph, "t")].map(textOf).join(""));
		outline.paragraph(joinPieces([{ text: lines.join("\n") }]).text, { place });
	}
}

function partOf(office: OfficePackage, element: XmlElement, relations: ReadonlyMap<string, Relation>): XmlElement | null {
	const relation = relations.get(attributeOf(element, "id") ?? "");
	return relation === undefined || relation.isExternal ? null : office.partOnce(relation.target);
}

/** Threaded comments are also stored as plain comments for older programs; those are left out. */
export function addComments(office: OfficePackage, sheet: SheetEntry, outline: Outline): void {
	const place = { sheet: sheet.name };
	const relations = office.relations(sheet.path);
	const said = new Set<string>();
	const threads = office.partOnce(targetOf(relations, "threadedComment"));
	const persons = office.part("xl/persons/person.xml");
	const nameOf = new Map(elementsOf(persons, "person").map((person) => [attributeOf(person, "id"), attributeOf(person, "displayName") ?? ""]));
	for (const comment of elementsOf(threads, "threadedComment")) {
		const cell = attributeOf(comment, "ref") ?? "";
		said.add(cell);
		outline.paragraph(commentText(cell, nameOf.get(attributeOf(comment, "personId")) ?? "", textOf(elementAt(comment, "text"))), { place });
	}
	const notes = office.partOnce(targetOf(relations, "comments"));
	const authors = elementsOf(elementAt(notes, "authors"), "author").map(textOf);
	for (const comment of elementsOf(elementAt(notes, "commentList"), "comment")) {
		const cell = attributeOf(comment, "ref") ?? "";
		if (said.has(cell)) continue;
		const author = authors[Number(attributeOf(comment, "authorId") ?? 0)] ?? "";
		const text = richText(elementAt(comment, "text"));
		outline.paragraph(commentText(cell, text.startsWith(`${author}:`) ? "" : author, text), { place });
	}
}

/** Excel begins a note with its author's name, which is then not repeated. */
function commentText(cell: string, author: string, text: string): string {
	const words = text.trim();
	if (words === "") return "";
	return author.trim() === "" || author.startsWith("tc=") ? `Comment on ${cell}: ${words}` : `Comment on ${cell} by ${author.trim()}: ${words}`;
}
