/** Reads the slides of an OpenDocument presentation, and the pages of a drawing. */

import type { Progress } from "cairn-memory";
import { attributeOf, elementsOf, type XmlElement } from "../xml/xml-element.ts";
import { addElements, flatText, type OdfContext } from "./body.ts";

export function addSlides(body: XmlElement, context: OdfContext, report: (progress: Progress) => void): void {
	const pages = elementsOf(body, "page");
	for (const [index, page] of pages.entries()) {
		addSlide(page, { ...context, place: { slide: index + 1 } });
		report({ done: index + 1, total: pages.length, unit: "slide" });
	}
}

/** The texts of the shapes of each page, in their order in the file. */
export function addPages(body: XmlElement, context: OdfContext): void {
	for (const [index, page] of elementsOf(body, "page").entries()) addElements(elementsOf(page), { ...context, place: { page: index + 1 } });
}

function addSlide(page: XmlElement, context: OdfContext): void {
	const shapes = elementsOf(page);
	const title = shapes.find((shape) => attributeOf(shape, "class") === "title");
	const titleText = title === undefined ? "" : flatText(elementsOf(title), context).replace(/\s+/g, " ");
	const hiddenMark = context.styles.isHidden(attributeOf(page, "style-name")) ? "(hidden slide)" : "";
	context.outline.heading(1, `${titleText} ${hiddenMark}`.trim(), { place: context.place });
	if (titleText !== "") context.titles.push(titleText);
	for (const shape of shapes) {
		if (shape.name === "notes") addNotes(shape, context);
		else if (shape !== title) addElements([shape], context);
	}
}

function addNotes(notes: XmlElement, context: OdfContext): void {
	const noteShapes = elementsOf(notes).filter((shape) => attributeOf(shape, "class") === "notes");
	const text = flatText(noteShapes, context);
	if (text !== "") context.outline.paragraph(`Notes: ${text}`, { place: context.place });
}
