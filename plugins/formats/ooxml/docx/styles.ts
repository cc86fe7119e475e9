/** The styles of a Word document: which ones are headings (renamed ones too), and which ones number their paragraphs. */

import { attributeOf, elementByPath, elementsOf, valueByPath, type XmlElement } from "../../xml/xml-element.ts";

export interface Styles {
	/** 1 to 6; null if the style is not a heading. */
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

/** Limits the chain of base styles, which may be circular in a damaged file. */
const basesMax = 20;

export function readStyles(root: XmlElement | null): Styles {
	const styles = new Map(elementsOf(root, "style").map((element) => [attributeOf(element, "styleId") ?? "", styleOf(element)]));
	const firstOf = <Value>(id: string | null, read: (style: Style) => Value | null): Value | null => {
		let style = styles.get(id ?? "");
		for (let depth = 0; style !== undefined && depth < basesMax; depth++) {
			const found = read(style);
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
		language: valueByPath(root, "docDefaults", "rPrDefault", "rPr", "lang"),
	};
}

function styleOf(element: XmlElement): Style {
	const numbering = elementByPath(element, "pPr", "numPr");
	return {
		name: valueByPath(element, "name")?.toLowerCase() ?? "",
		basedOn: valueByPath(element, "basedOn"),
		outlineLevel: wholeNumber(valueByPath(element, "pPr", "outlineLvl")),
		numberingId: valueByPath(numbering, "numId"),
		numberingLevel: wholeNumber(valueByPath(numbering, "ilvl")),
	};
}

/** Built-in style names are English in every language of Word. The result is 1 to 10, where 10 is body text. */
function headingLevelOf({ name, outlineLevel }: Style): number | null {
	const builtInLevel = /^heading ([1-9])$/.exec(name)?.[1];
	if (builtInLevel !== undefined) return Number(builtInLevel);
	if (name === "title") return 1;
	if (name === "subtitle") return 2;
	return outlineLevel === null ? null : outlineLevel + 1;
}

export function wholeNumber(text: string | null): number | null {
	return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
}
