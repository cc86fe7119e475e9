/** Adds the content of a sheet besides its cells: charts, text boxes, pictures and comments. */

import { joinPieces } from "../../blocks/inline-text.ts";
import type { Outline } from "../../blocks/outline.ts";
import type { SheetObject } from "../../sheets/sheet-tables.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../../xml/xml-element.ts";
import { addChart } from "../chart.ts";
import { alternativeTexts } from "../drawing.ts";
import { type OfficePackage, type Relationship, targetOf } from "../package.ts";
import { richText, type SheetEntry } from "./workbook.ts";

/** For each drawing of a sheet: the row at which it is anchored, and a function that adds it. */
export function drawingsOf(pkg: OfficePackage, sheet: SheetEntry, outline: Outline): readonly SheetObject[] {
	return [...pkg.relationships(sheet.path).values()].flatMap(({ type, target, isExternal }) => {
		if (type !== "drawing" || isExternal) return [];
		const relationships = pkg.relationships(target);
		return elementsOf(pkg.partOnce(target)).map((anchor) => ({
			row: Number(textOf(elementByPath(anchor, "from", "row")) || 0) + 1,
			add: () => addDrawing(pkg, anchor, relationships, sheet.name, outline),
		}));
	});
}

function addDrawing(pkg: OfficePackage, anchor: XmlElement, relationships: ReadonlyMap<string, Relationship>, sheet: string, outline: Outline): void {
	const place = { sheet };
	for (const description of alternativeTexts(anchor)) outline.caption(description, { place });
	for (const chart of topmostDescendants(anchor, "chart")) addChart(partOf(pkg, chart, relationships), outline, place);
	for (const box of topmostDescendants(anchor, "txBody")) {
		const lines = elementsOf(box, "p").map((paragraph) => [...topmostDescendants(paragraph, "t")].map(textOf).join(""));
		outline.paragraph(joinPieces([{ text: lines.join("\n") }]).text, { place });
	}
}

function partOf(pkg: OfficePackage, element: XmlElement, relationships: ReadonlyMap<string, Relationship>): XmlElement | null {
	const relationship = relationships.get(attributeOf(element, "id") ?? "");
	return relationship === undefined || relationship.isExternal ? null : pkg.partOnce(relationship.target);
}

/** Threaded comments are also stored as plain comments for older programs; those are left out. */
export function addComments(pkg: OfficePackage, sheet: SheetEntry, outline: Outline): void {
	const place = { sheet: sheet.name };
	const relationships = pkg.relationships(sheet.path);
	const threadedCells = new Set<string>();
	const threads = pkg.partOnce(targetOf(relationships, "threadedComment"));
	const people = pkg.part("xl/persons/person.xml");
	const nameOf = new Map(elementsOf(people, "person").map((person) => [attributeOf(person, "id"), attributeOf(person, "displayName") ?? ""]));
	for (const comment of elementsOf(threads, "threadedComment")) {
		const cell = attributeOf(comment, "ref") ?? "";
		threadedCells.add(cell);
		outline.paragraph(commentText(cell, nameOf.get(attributeOf(comment, "personId")) ?? "", textOf(elementByPath(comment, "text"))), { place });
	}
	const notes = pkg.partOnce(targetOf(relationships, "comments"));
	const authors = elementsOf(elementByPath(notes, "authors"), "author").map(textOf);
	for (const comment of elementsOf(elementByPath(notes, "commentList"), "comment")) {
		const cell = attributeOf(comment, "ref") ?? "";
		if (threadedCells.has(cell)) continue;
		const author = authors[Number(attributeOf(comment, "authorId") ?? 0)] ?? "";
		const text = richText(elementByPath(comment, "text"));
		outline.paragraph(commentText(cell, text.startsWith(`${author}:`) ? "" : author, text), { place });
	}
}

/** The text of a comment with its cell and author. An author that begins with `tc=` is the id of a thread, and is left out. */
function commentText(cell: string, author: string, text: string): string {
	const trimmed = text.trim();
	if (trimmed === "") return "";
	return author.trim() === "" || author.startsWith("tc=") ? `Comment on ${cell}: ${trimmed}` : `Comment on ${cell} by ${author.trim()}: ${trimmed}`;
}
