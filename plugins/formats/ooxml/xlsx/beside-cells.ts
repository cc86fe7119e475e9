/** The content of a sheet besides cells: charts, text boxes, pictures and comments. */

import { joinPieces } from "../../blocks/inline-text.ts";
import type { Outline } from "../../blocks/outline.ts";
import type { SheetObject } from "../../sheets/sheet-tables.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../../xml/xml-element.ts";
import { addChart } from "../chart.ts";
import { alternativeTexts } from "../drawing.ts";
import { type OfficePackage, type Relation, targetOf } from "../package.ts";
import { richText, type SheetEntry } from "./workbook.ts";

/** For each drawing of a sheet: the row at which it is anchored, and a function that adds it. */
export function drawingsOf(office: OfficePackage, sheet: SheetEntry, outline: Outline): readonly SheetObject[] {
	return [...office.relations(sheet.path).values()].flatMap(({ type, target, isExternal }) => {
		if (type !== "drawing" || isExternal) return [];
		const relations = office.relations(target);
		return elementsOf(office.partOnce(target)).map((anchor) => ({
			row: Number(textOf(elementByPath(anchor, "from", "row")) || 0) + 1,
			add: () => addDrawing(office, anchor, relations, sheet.name, outline),
		}));
	});
}

function addDrawing(office: OfficePackage, anchor: XmlElement, relations: ReadonlyMap<string, Relation>, sheet: string, outline: Outline): void {
	const place = { sheet };
	for (const description of alternativeTexts(anchor)) outline.caption(description, { place });
	for (const chart of topmostDescendants(anchor, "chart")) addChart(partOf(office, chart, relations), outline, place);
	for (const box of topmostDescendants(anchor, "txBody")) {
		const lines = elementsOf(box, "p").map((paragraph) => [...topmostDescendants(paragraph, "t")].map(textOf).join(""));
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
	const threadedCells = new Set<string>();
	const threads = office.partOnce(targetOf(relations, "threadedComment"));
	const people = office.part("xl/persons/person.xml");
	const nameOf = new Map(elementsOf(people, "person").map((person) => [attributeOf(person, "id"), attributeOf(person, "displayName") ?? ""]));
	for (const comment of elementsOf(threads, "threadedComment")) {
		const cell = attributeOf(comment, "ref") ?? "";
		threadedCells.add(cell);
		outline.paragraph(commentText(cell, nameOf.get(attributeOf(comment, "personId")) ?? "", textOf(elementByPath(comment, "text"))), { place });
	}
	const notes = office.partOnce(targetOf(relations, "comments"));
	const authors = elementsOf(elementByPath(notes, "authors"), "author").map(textOf);
	for (const comment of elementsOf(elementByPath(notes, "commentList"), "comment")) {
		const cell = attributeOf(comment, "ref") ?? "";
		if (threadedCells.has(cell)) continue;
		const author = authors[Number(attributeOf(comment, "authorId") ?? 0)] ?? "";
		const text = richText(elementByPath(comment, "text"));
		outline.paragraph(commentText(cell, text.startsWith(`${author}:`) ? "" : author, text), { place });
	}
}

/** The comment with its cell and author. Authors with `tc=` are ids of threads. */
function commentText(cell: string, author: string, text: string): string {
	const trimmed = text.trim();
	if (trimmed === "") return "";
	return author.trim() === "" || author.startsWith("tc=") ? `Comment on ${cell}: ${trimmed}` : `Comment on ${cell} by ${author.trim()}: ${trimmed}`;
}
