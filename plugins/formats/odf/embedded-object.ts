/** Reads charts and formulas, which OpenDocument stores as documents inside the file. */

import type { Place } from "cairn-memory";
import { formulaMarkdown, type RenderedFormula } from "../blocks/formula.ts";
import type { Outline } from "../blocks/outline.ts";
import { readMathMl } from "../math/mathml.ts";
import type { OfficePackage } from "../ooxml/package.ts";
import { formatStoredNumber } from "../sheets/number-format.ts";
import { attributeOf, elementByPath, elementsOf, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";
import { resolvePath } from "../zip/resolve-path.ts";
import { readOdfTable } from "./table.ts";

/** The root element of a frame's embedded document; null if there is none, or it was opened before. */
export function openObject(frame: XmlElement, pkg: OfficePackage): XmlElement | null {
	const object = elementByPath(frame, "object");
	if (object === null) return null;
	const embedded = elementByPath(object, "math") ?? elementByPath(object, "document");
	const href = attributeOf(object, "href");
	return embedded ?? (href === null || href.includes(":") ? null : pkg.partOnce(`${resolvePath("", href)}/content.xml`));
}

/** Null if the object is not a formula. */
export function formulaOf(root: XmlElement | null): RenderedFormula | null {
	const math = root === null || root.name === "math" ? root : ([...topmostDescendants(root, "math")][0] ?? null);
	return math === null ? null : readMathMl(math);
}

/** @returns whether the object could be read. */
export function addObject(root: XmlElement | null, outline: Outline, place: Place): boolean {
	const formula = formulaOf(root);
	if (formula !== null) outline.paragraph(formula.text, { markdown: formulaMarkdown({ ...formula, isDisplay: true }), place });
	if (root === null || formula !== null) return formula !== null;
	const [chart] = topmostDescendants(root, "chart");
	if (chart === undefined) return false;
	outline.caption(textOf(elementByPath([...topmostDescendants(chart, "chart")][0] ?? chart, "title")).trim(), { place });
	for (const table of topmostDescendants(chart, "table")) {
		const { header, rows } = readOdfTable(table, chartCell);
		outline.table(
			header,
			rows.map((cells) => ({ cells, place })),
		);
	}
	return true;
}

/** The text of a cell of chart data. Its numbers are stored with all their digits, so they are rounded. */
function chartCell(cell: XmlElement): string {
	const text = elementsOf(cell, "p").map(textOf).join("\n");
	return attributeOf(cell, "value-type") === "float" ? formatStoredNumber(text) : text;
}
