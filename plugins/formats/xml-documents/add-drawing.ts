/** The text of an SVG drawing: title, description and labels. */

import type { Outline } from "../blocks/outline.ts";
import { isXmlElement, textOf, type XmlElement } from "../xml/xml-element.ts";

/** Elements with text. The lines of a label are `tspan` elements inside. */
const labelTags: ReadonlySet<string> = new Set(["title", "desc", "text", "foreignObject"]);
const ignoredTags: ReadonlySet<string> = new Set(["style", "script", "metadata"]);

export function addDrawing(root: XmlElement, outline: Outline): { readonly title: string | null } {
	let title: string | null = null;
	const visit = (element: XmlElement) => {
		for (const child of element.children.filter(isXmlElement)) {
			if (ignoredTags.has(child.name)) continue;
			if (!labelTags.has(child.name)) {
				visit(child);
				continue;
			}
			const label = labelOf(child);
			if (child.name === "title" && element === root && title === null && label !== "") {
				title = label;
				outline.heading(1, label);
			} else outline.paragraph(label);
		}
	};
	visit(root);
	return { title };
}

function labelOf(element: XmlElement): string {
	const parts = element.children.map((child) => (isXmlElement(child) ? ` ${textOf(child)} ` : child));
	return parts.join("").replace(/\s+/g, " ").trim();
}
