/** OPML → lists: outlines as items, with the addresses of feeds. */

import { isExternalUrl } from "../blocks/inline-text.ts";
import type { Outline } from "../blocks/outline.ts";
import { attributeOf, elementByPath, elementsOf, textOf, type XmlElement } from "../xml/xml-element.ts";

/** Deeper items are kept at this level. */
const shownDepthMax = 20;

export function addOpml(root: XmlElement, outline: Outline): { readonly title: string | null } {
	const title = textOf(elementByPath(root, "head", "title")).trim();
	outline.heading(1, title);
	const visit = (element: XmlElement, depth: number) => {
		for (const item of elementsOf(element, "outline")) {
			const text = (attributeOf(item, "text") ?? attributeOf(item, "title") ?? "").trim();
			const address = [attributeOf(item, "htmlUrl"), attributeOf(item, "xmlUrl"), attributeOf(item, "url")].find((url) => isExternalUrl(url ?? "")) ?? null;
			const parsed = address === null ? null : URL.parse(address.trim());
			const markdown = parsed === null ? text : `[${text.replace(/[[\]]/g, "\\$&")}](${parsed.href})`;
			outline.item(Math.min(depth, shownDepthMax), text || (parsed?.href ?? ""), text === "" ? {} : { markdown });
			const note = attributeOf(item, "_note");
			if (note !== null) outline.paragraph(note.trim());
			visit(item, depth + 1);
		}
	};
	visit(elementByPath(root, "body") ?? root, 0);
	return { title: title === "" ? null : title };
}
