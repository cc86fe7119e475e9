/** The styles of a Word document: which are headings, also renamed ones, and which number their paragraphs. */

import { attributeOf, elementAt, elementsOf, valueAt, type XmlElement } from "../../xml/xml-element.ts";

export interface Styles {
	/** 1 to 6; null when the style is no heading. */
	readonly headingLevel: (id: string | null) => number | null;
	readonly isTitle: (id: string | null) => boolean;
	readonly isCaption: (id: string | null) => boolean;
	readonly numbering: (id: string | null) => { readonly id: string; readonly level: number | null } | null;
	/** The default language of the document. */
	readonly language: string | null;
}

interface Style {
	readonly name: string;
	readonly basedOn: string | null;
	/** 0 to 9, where 9 is body text. */
	readonly outlineLevel: number | null;
	readonly numberingId: string | null;
	readonly numberingLevel: number | null;
}

/** A damaged file may have styles based on each other in a circle. */
const basesMax = 20;

export function readStyles(root: XmlElement | null): Styles {
	const styles = new Map(elementsOf(root, "style").map((element) => [attributeOf(element, "styleId") ?? "", styleOf(element)]));
	const firstOf = <Value>(id: string | null, find: (style: Style) => Value | null): Value | null => {
		let style = styles.get(id ?? "");
		for (let steps = 0; style !== undefined && steps < basesMax; steps++) {
			const found = find(style);
			if (found !== null) return found;
			style = styles.get(style.basedOn ?? "");
		}
		return null;
	};
	return {
		headingLevel: (id) => {
			const level = firstOf(id, headingLevelOf);
			return level === null || level > 9 ? null : Math.min(level, 6);
		},
		isTitle: (id) => styles.get(id ?? "")?.name === "title",
		isCaption: (id) => styles.get(id ?? "")?.name === "caption",
		numbering: (id) => {
			const numberingId = firstOf(id, (style) => style.numberingId);
			return numberingId === null ? null : { id: numberingId, level: firstOf(id, (style) => style.numberingLevel) };
		},
		language: valueAt(root, "docDefaults", "rPrDefault", "rPr", "lang"),
	};
}

function styleOf(element: XmlElement): Style {
	const numbering = elementAt(element, "pPr", "numPr");
	return {
		name: valueAt(element, "name")?.toLowerCase() ?? "",
		basedOn: valueAt(element, "basedOn"),
		outlineLevel: wholeNumber(valueAt(element, "pPr", "outlineLvl")),
		numberingId: valueAt(numbering, "numId"),
		numberingLevel: wholeNumber(valueAt(numbering, "ilvl")),
	};
}

/** Built-in style names are English in every language of Word. Level 10 is certainly no heading. */
function headingLevelOf({ name, outlineLevel }: Style): number | null {
	const numbered = /^heading ([1-9])$/.exec(name)?.[1];
	if (numbered !== undefined) return Number(numbered);
	if (name === "title") return 1;
	if (name === "subtitle") return 2;
	return outlineLevel === null ? null : outlineLevel + 1;
}

export function wholeNumber(text: string | null): number | null {
	return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
}
