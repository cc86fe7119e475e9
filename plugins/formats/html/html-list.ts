/** Computes the numbers of a list's items as a browser does. */

import type { Element } from "hast";
import { formatListNumber } from "../blocks/format-list-number.ts";
import { attribute, isElement } from "./html-markup.ts";

/** The number of each item, such as `iv.`; an empty map for bulleted lists. */
export function numbersOf(list: Element): ReadonlyMap<Element, string> {
	if (list.tagName !== "ol") return new Map();
	const items = list.children.filter(isElement).filter(({ tagName }) => tagName === "li");
	const isReversed = list.properties["reversed"] === true;
	const format = formatOf(list);
	let number = wholeNumber(list, "start") ?? (isReversed ? items.length : 1);
	return new Map(
		items.map((item) => {
			number = wholeNumber(item, "value") ?? number;
			const text = `${formatListNumber(format, number)}.`;
			number += isReversed ? -1 : 1;
			return [item, text];
		}),
	);
}

function wholeNumber(element: Element, name: string): number | null {
	const raw = attribute(element, name);
	const number = raw === null || raw.trim() === "" ? Number.NaN : Number(raw);
	return Number.isSafeInteger(number) ? number : null;
}

/** Word's names of the number formats, by HTML list type and CSS list style. */
const formats: Readonly<Record<string, string>> = {
	a: "lowerLetter",
	A: "upperLetter",
	i: "lowerRoman",
	I: "upperRoman",
	"lower-alpha": "lowerLetter",
	"lower-latin": "lowerLetter",
	"upper-alpha": "upperLetter",
	"upper-latin": "upperLetter",
	"lower-roman": "lowerRoman",
	"upper-roman": "upperRoman",
};

function formatOf(list: Element): string {
	const styleName = /(?:^|[;\s])list-style(?:-type)?\s*:[^;]{0,80}?\b((?:lower|upper)-(?:alpha|latin|roman))\b/i.exec(attribute(list, "style") ?? "")?.[1];
	return formats[styleName?.toLowerCase() ?? attribute(list, "type") ?? ""] ?? "decimal";
}
