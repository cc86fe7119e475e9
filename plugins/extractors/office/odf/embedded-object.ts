/** Charts and formulas, which OpenDocument keeps as documents of their own inside of the file. */

import type { Place } from "cairn";
import type { Outline } from "../../outline.ts";
import { attributeOf, elementAt, elementsOf, outermost, textOf, type XmlElement } from "../../xml-element.ts";
import { type OfficePackage, resolvePath } from "../package.ts";
import { readOdfTable } from "./table.ts";

/** @returns whether there was something that could be read. */
export function addObject(object: XmlElement, office: OfficePackage, outline: Outline, place: Place): boolean {
	const inside = elementAt(object, "math") ?? elementAt(object, "document");
	const href = attributeOf(object, "href");
	const root = inside ?? (href === null || href.includes(":") ? null : office.partOnce(`${resolvePath("", href)}/content.xml`));
	if (root === null) return false;
	const formula = root.name === "math" ? root : [...outermost(root, "math")][0];
	if (formula !== undefined) {
		outline.paragraph(formulaText(formula), { place });
		return true;
	}
	const [chart] = outermost(root, "chart");
	if (chart === undefined) return false;
	outline.caption(textOf(elementAt([...outermost(chart, "chart")][0] ?? chart, "title")).trim(), { place });
	for (const table of outermost(chart, "table")) {
		const { header, rows } = readOdfTable(table, (cell) => elementsOf(cell, "p").map(textOf).join("\n"));
		outline.table(
			header,
			rows.map((cells) => ({ cells, place })),
		);
	}
	return true;
}

/** The line that was typed for it stands beside the signs that are drawn. */
function formulaText(math: XmlElement): string {
	const [typed] = outermost(math, "annotation");
	return (typed === undefined ? textOf(math) : textOf(typed)).replace(/\s+/g, " ").trim();
}
