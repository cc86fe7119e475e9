/** Speaker notes and comments of a slide. */

import { attributeOf, elementAt, elementsOf, outermost, textOf, type XmlElement } from "../../xml/xml-element.ts";
import type { OfficePackage } from "../package.ts";
import { placeholderOf } from "./placeholders.ts";
import type { SlideWalk } from "./slide.ts";
import { linesOf } from "./slide-lines.ts";

export type Authors = ReadonlyMap<string, string>;

/** Authors by the number or id that comments refer to. */
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
	for (const shape of outermost(root, "sp")) {
		if (attributeOf(placeholderOf(shape), "type") !== "body") continue;
		for (const [index, { text, markdown }] of linesOf(elementAt(shape, "txBody"), relations, []).entries()) {
			const mark = index === 0 ? "Notes: " : "";
			outline.paragraph(`${mark}${text}`, { markdown: `${mark}${markdown}`, place });
		}
	}
}

/** Replies are nested in the comment they answer. */
function addComments(root: XmlElement | null, authors: Authors, { outline, place }: SlideWalk): void {
	if (root === null) return;
	const said = [...outermost(root, "cm")].flatMap((comment) => [comment, ...elementsOf(elementAt(comment, "replyLst"), "reply")]);
	for (const comment of said) {
		const plain = textOf(elementAt(comment, "text"));
		const lines = linesOf(elementAt(comment, "txBody"), new Map(), []).map(({ text }) => text);
		const words = (plain === "" ? lines.join("\n") : plain).trim();
		const author = authors.get(attributeOf(comment, "authorId") ?? "") ?? "";
		if (words !== "") outline.paragraph(author === "" ? `Comment: ${words}` : `Comment by ${author}: ${words}`, { place });
	}
}
