/** Reads OPML: its outline elements become list items, with the URLs of feeds. */

import { isExternalUrl } from "../blocks/inline-text.ts";
import type { Outline } from "../blocks/outline.ts";
import { attributeOf, elementByPath, elementsOf, textOf, type XmlElement } from "../xml/xml-element.ts";

/** Items that are nested more deeply are put at this level. */
const depthMax = 20;

export function addOpml(root: XmlElement, output: Outline): { readonly title: string | null } {
	const title = textOf(elementByPath(root, "head", "title")).trim();
	output.heading(1, title);
	const visit = (element: XmlElement, depth: number) => {
		for (const item of elementsOf(element, "outline")) {
			const text = (attributeOf(item, "text") ?? attributeOf(item, "title") ?? "").trim();
			const httpUrl = [attributeOf(item, "htmlUrl"), attributeOf(item, "xmlUrl"), attributeOf(item, "url")].find((url) => isExternalUrl(url ?? "")) ?? null;
			const parsed = httpUrl === null ? null : URL.parse(httpUrl.trim());
			const markdown = parsed === null ? text : `[${text.replace(/[[\]]/g, "\\$&")}](${parsed.href})`;
			output.item(Math.min(depth, depthMax), text || (parsed?.href ?? ""), text === "" ? {} : { markdown });
			const note = attributeOf(item, "_note");
			if (note !== null) output.paragraph(note.trim());
			visit(item, depth + 1);
		}
	};
	visit(elementByPath(root, "body") ?? root, 0);
	return { title: title === "" ? null : title };
}
