/** XML that is prose and not data, such as DocBook: headings and paragraphs in document order. */

import type { Outline } from "../blocks/outline.ts";
import { isXmlElement, textOf, type XmlElement } from "../xml/xml-element.ts";
import { isTextual } from "./data-of-xml.ts";

/** Element names of paragraphs, headings and sections in document formats. */
const paragraphs: ReadonlySet<string> = new Set(["p", "para", "simpara", "ab", "l"]);
const headings: ReadonlySet<string> = new Set(["title", "head", "heading"]);
const items: ReadonlySet<string> = new Set(["listitem", "list-item", "item", "li"]);
const codes: ReadonlySet<string> = new Set(["programlisting", "screen", "codeblock", "literallayout"]);

/** Whether the root has elements named like paragraphs. Stops at the first one. */
export function isProse(root: XmlElement): boolean {
	return root.children.some((child) => isXmlElement(child) && ((paragraphs.has(child.name) && isTextual(child)) || (!isTextual(child) && isProse(child))));
}

/** @returns the first heading. */
export function addProse(root: XmlElement, outline: Outline): { readonly title: string | null } {
	let title: string | null = null;
	const visit = (element: XmlElement, level: number, depth: number) => {
		for (const child of element.children) {
			if (!isXmlElement(child)) {
				outline.paragraph(words(child));
				continue;
			}
			const isWords = isTextual(child);
			if (headings.has(child.name) && isWords) {
				const heading = words(textOf(child));
				title ??= heading || null;
				outline.heading(Math.min(6, level), heading);
			} else if (codes.has(child.name)) outline.code(textOf(child).replace(/^\n|\s+$/g, ""), null);
			else if (items.has(child.name) && isWords) outline.item(depth, words(textOf(child)));
			else if (isWords) outline.paragraph(words(textOf(child)));
			else visit(child, level + Number(hasHeading(child)), depth + Number(items.has(child.name)));
		}
	};
	visit(root, hasHeading(root) ? 1 : 0, 0);
	return { title };
}

function hasHeading({ children }: XmlElement): boolean {
	return children.some((child) => isXmlElement(child) && headings.has(child.name) && isTextual(child));
}

function words(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}
