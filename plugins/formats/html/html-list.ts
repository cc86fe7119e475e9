/** The numbers of a list, as a browser counts them. */

import type { Element } from "hast";
import { formatListNumber } from "../blocks/format-list-number.ts";
import { attribute, isElement } from "./html-markup.ts";

/** The number of each item; empty for bulleted lists. */
export function numbersOf(list: Element): ReadonlyMap<Element, string> {
	if (list.tagName !== "ol") return new Map();
	const items = list.children.filter(isElement).filter(({ tagName }) => tagName === "li");
	const isReversed = list.properties["reversed"] === true;
	const count = countOf(list);
	let number = wholeNumber(list, "start") ?? (isReversed ? items.length : 1);
	return new Map(
		items.map((item) => {
			number = wholeNumber(item, "value") ?? number;
			const written = `${formatListNumber(count, number)}.`;
			number += isReversed ? -1 : 1;
			return [item, written];
		}),
	);
}

function wholeNumber(element: Element, name: string): number | null {
	const written = attribute(element, name);
	const number = written === null || written.trim() === "" ? Number.NaN : Number(written);
	return Number.isSafeInteger(number) ? number : null;
}

/** CSS list styles → Word's names for them. */
const counts: Readonly<Record<string, string>> = {
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

function countOf(list: Element): string {
	const styled = /(?:^|[;\s])list-style(?:-type)?\s*:[^;]{0,80}?\b((?:lower|upper)-(?:alpha|latin|roman))\b/i.exec(attribute(list, "style") ?? "")?.[1];
	return counts[styled?.toLowerCase() ?? attribute(list, "type") ?? ""] ?? "decimal";
}
