/** Office's equations → one line of text, as one would type them: `(a+b)/2`, `x^2`, `√(x)`. */

import { elementAt, elementsOf, textOf, valueAt, type XmlElement } from "../xml-element.ts";

export function mathText(element: XmlElement): string {
	return elementsOf(element).map(part).join("");
}

function part(element: XmlElement): string {
	const inside = (name: string) => {
		const found = elementAt(element, name);
		return found === null ? "" : mathText(found);
	};
	switch (element.name) {
		case "r":
			return elementsOf(element, "t").map(textOf).join("");
		case "f":
			return `${grouped(inside("num"))}/${grouped(inside("den"))}`;
		case "sSup":
			return `${inside("e")}^${grouped(inside("sup"))}`;
		case "sSub":
			return `${inside("e")}_${grouped(inside("sub"))}`;
		case "sSubSup":
			return `${inside("e")}_${grouped(inside("sub"))}^${grouped(inside("sup"))}`;
		case "sPre":
			return `_${grouped(inside("sub"))}^${grouped(inside("sup"))}${inside("e")}`;
		case "rad":
			return inside("deg") === "" ? `√${grouped(inside("e"))}` : `root(${inside("deg")}, ${inside("e")})`;
		case "nary":
			return summed(element, inside);
		case "d":
			return fenced(element);
		case "func":
			return ` ${inside("fName")} ${inside("e")}`;
		case "limLow":
			return `${inside("e")}_${grouped(inside("lim"))}`;
		case "limUpp":
			return `${inside("e")}^${grouped(inside("lim"))}`;
		case "m":
			return `[${elementsOf(element, "mr")
				.map((row) => elementsOf(row, "e").map(mathText).join(", "))
				.join("; ")}]`;
		case "eqArr":
			return elementsOf(element, "e").map(mathText).join("; ");
		default:
			return element.name.endsWith("Pr") ? "" : mathText(element);
	}
}

/** Parentheses where the parts would otherwise run together. */
function grouped(text: string): string {
	return /^(?:[\p{L}\p{N}]*|.)$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}

function summed(element: XmlElement, inside: (name: string) => string): string {
	const sign = valueAt(element, "naryPr", "chr") ?? "∫";
	const from = inside("sub") === "" ? "" : `_${grouped(inside("sub"))}`;
	const to = inside("sup") === "" ? "" : `^${grouped(inside("sup"))}`;
	return `${sign}${from}${to} ${inside("e")}`;
}

function fenced(element: XmlElement): string {
	const sign = (name: string, usual: string) => valueAt(element, "dPr", name) ?? usual;
	return `${sign("begChr", "(")}${elementsOf(element, "e").map(mathText).join(sign("sepChr", "|"))}${sign("endChr", ")")}`;
}
