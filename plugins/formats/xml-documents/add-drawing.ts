/** The text of an SVG drawing: title, description and labels. */

import type { Outline } from "../blocks/outline.ts";
import { isXmlElement, textOf, type XmlElement } from "../xml/xml-element.ts";

/** Elements with text; lines of one label are `tspan`s. */
const said: ReadonlySet<string> = new Set(["title", "desc", "text", "foreignObject"]);
const silent: ReadonlySet<string> = new Set(["style", "script", "metadata"]);

export function addDrawing(root: XmlElement, outline: Outline): { readonly title: string | null } {
	let title: string | null = null;
	const visit = (element: XmlElement) => {
		for (const child of element.children.filter(isXmlElement)) {
			if (silent.has(child.name)) continue;
			if (!said.has(child.name)) {
				visit(child);
				continue;
			}
			const words = labelOf(child);
			if (child.name === "title" && element === root && title === null && words !== "") {
				title = words;
				outline.heading(1, words);
			} else outline.paragraph(words);
		}
	};
	visit(root);
	return { title };
}

function labelOf(element: XmlElement): string {
	const parts = element.children.map((child) => (isXmlElement(child) ? ` ${textOf(child)} ` : child));
	return parts.join("").replace(/\s+/g, " ").trim();
}
