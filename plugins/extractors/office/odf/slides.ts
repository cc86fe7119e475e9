/** The slides of an OpenDocument presentation. */

import type { Progress } from "cairn-memory";
import { attributeOf, elementsOf, type XmlElement } from "../../xml-element.ts";
import { addElements, flatText, type OdfStory } from "./story.ts";

export function addSlides(body: XmlElement, story: OdfStory, report: (progress: Progress) => void): void {
	const pages = elementsOf(body, "page");
	for (const [index, page] of pages.entries()) {
		addSlide(page, { ...story, place: { slide: index + 1 } });
		report({ done: index + 1, total: pages.length, unit: "slide" });
	}
}

function addSlide(page: XmlElement, story: OdfStory): void {
	const shapes = elementsOf(page);
	const title = shapes.find((shape) => attributeOf(shape, "class") === "title");
	const words = title === undefined ? "" : flatText(elementsOf(title), story).replace(/\s+/g, " ");
	const mark = story.styles.isHidden(attributeOf(page, "style-name")) ? "(hidden slide)" : "";
	story.outline.heading(1, `${words} ${mark}`.trim(), { place: story.place });
	if (words !== "") story.titles.push(words);
	for (const shape of shapes) {
		if (shape.name === "notes") addNotes(shape, story);
		else if (shape !== title) addElements([shape], story);
	}
}

function addNotes(notes: XmlElement, story: OdfStory): void {
	const said = elementsOf(notes).filter((shape) => attributeOf(shape, "class") === "notes");
	const text = flatText(said, story);
	if (text !== "") story.outline.paragraph(`Notes: ${text}`, { place: story.place });
}
