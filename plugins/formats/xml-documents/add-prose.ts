/** Reads XML that is prose and not data, such as DocBook: headings and paragraphs in document order. */

import type { Outline } from "../blocks/outline.ts";
import { isEncodedBytes } from "../data/data-outline.ts";
import { isXmlElement, textOf, type XmlElement } from "../xml/xml-element.ts";
import { isTextual } from "./data-of-xml.ts";

/** Element names of paragraphs, headings, list items and code in document formats. */
const paragraphTags: ReadonlySet<string> = new Set(["p", "para", "simpara", "ab", "l"]);
const headingTags: ReadonlySet<string> = new Set(["title", "head", "heading"]);
const itemTags: ReadonlySet<string> = new Set(["listitem", "list-item", "item", "li"]);
const styleTags: ReadonlySet<string> = new Set(["style", "stylesheet"]);
const codeTags: ReadonlySet<string> = new Set(["programlisting", "screen", "codeblock", "literallayout"]);

/** Whether there is an element that is named like a paragraph and has text. */
export function isProse(root: XmlElement): boolean {
	return root.children.some((child) => isXmlElement(child) && ((paragraphTags.has(child.name) && isTextual(child)) || (!isTextual(child) && isProse(child))));
}

/** @returns the first heading as the title */
export function addProse(root: XmlElement, outline: Outline): { readonly title: string | null } {
	let title: string | null = null;
	const visit = (element: XmlElement, level: number, depth: number) => {
		for (const child of element.children) {
			if (!isXmlElement(child)) {
				outline.paragraph(trimText(child));
				continue;
			}
			if (styleTags.has(child.name)) continue;
			const isText = isTextual(child);
			if (headingTags.has(child.name) && isText) {
				const heading = trimText(textOf(child));
				title ??= heading || null;
				outline.heading(Math.min(6, level), heading);
			} else if (codeTags.has(child.name)) outline.code(textOf(child).replace(/^\n|\s+$/g, ""), null);
			else if (itemTags.has(child.name) && isText) outline.item(depth, trimText(textOf(child)));
			else if (isText) addText(textOf(child), outline);
			else visit(child, level + Number(hasHeading(child)), depth + Number(itemTags.has(child.name)));
		}
	};
	visit(root, hasHeading(root) ? 1 : 0, 0);
	return { title };
}

/** Pictures in the text, as FictionBook has them at its end, are left out. */
function addText(text: string, outline: Outline): void {
	if (!isEncodedBytes(text.replace(/\s+/g, ""))) outline.paragraph(trimText(text));
}

function hasHeading({ children }: XmlElement): boolean {
	return children.some((child) => isXmlElement(child) && headingTags.has(child.name) && isTextual(child));
}

function trimText(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}
