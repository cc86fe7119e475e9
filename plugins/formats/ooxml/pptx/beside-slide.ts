/** Speaker notes and comments of a slide. */

import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../../xml/xml-element.ts";
import type { OfficePackage } from "../package.ts";
import { placeholderOf } from "./placeholders.ts";
import type { SlideWalk } from "./slide.ts";
import { linesOf } from "./slide-lines.ts";

export type Authors = ReadonlyMap<string, string>;

/** The names of authors, by the number or id that comments use. */
export function readAuthors(office: OfficePackage, path: string): Authors {
	const authors = new Map<string, string>();
	for (const { type, target, isExternal } of office.relations(path).values()) {
		if (isExternal || (type !== "commentAuthors" && type !== "authors")) continue;
		for (const author of elementsOf(office.part(target))) authors.set(attributeOf(author, "id") ?? "", attributeOf(author, "name") ?? "");
	}
	return authors;
}

export function addBesideSlide(authors: Authors, walk: SlideWalk): void {
	for (const { type, target, isExternal } of walk.relations.values()) {
		if (isExternal) continue;
		if (type === "notesSlide") addNotes(target, walk);
		if (type === "comments" || type === "comment") addComments(walk.office.partOnce(target), authors, walk);
	}
}

function addNotes(path: string, { office, outline, place }: SlideWalk): void {
	const root = office.partOnce(path);
	if (root === null) return;
	const relations = office.relations(path);
	for (const shape of topmostDescendants(root, "sp")) {
		if (attributeOf(placeholderOf(shape), "type") !== "body") continue;
		for (const [index, { text, markdown }] of linesOf(elementByPath(shape, "txBody"), relations, []).entries()) {
			const label = index === 0 ? "Notes: " : "";
			outline.paragraph(`${label}${text}`, { markdown: `${label}${markdown}`, place });
		}
	}
}

/** Adds comments. A reply is nested in the comment that it answers. */
function addComments(root: XmlElement | null, authors: Authors, { outline, place }: SlideWalk): void {
	if (root === null) return;
	const comments = [...topmostDescendants(root, "cm")].flatMap((comment) => [comment, ...elementsOf(elementByPath(comment, "replyLst"), "reply")]);
	for (const comment of comments) {
		const plainText = textOf(elementByPath(comment, "text"));
		const lines = linesOf(elementByPath(comment, "txBody"), new Map(), []).map((line) => line.text);
		const trimmed = (plainText === "" ? lines.join("\n") : plainText).trim();
		const author = authors.get(attributeOf(comment, "authorId") ?? "") ?? "";
		if (trimmed !== "") outline.paragraph(author === "" ? `Comment: ${trimmed}` : `Comment by ${author}: ${trimmed}`, { place });
	}
}
