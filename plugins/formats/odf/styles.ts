/** Reads the styles of an OpenDocument file: emphasis, titles, lists, hidden text. */

import { formatListNumber } from "../blocks/format-list-number.ts";
import type { Script } from "../blocks/scripted-text.ts";
import { attributeOf, elementByPath, elementsOf, numberOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";

export interface Styles {
	readonly emphasis: (style: string | null) => { readonly isBold: boolean; readonly isItalic: boolean; readonly script: Script | null };
	/** The level of a title or subtitle; null for body text. */
	readonly titleLevel: (style: string | null) => number | null;
	/** The marker of a list item with this number, such as `3.`; empty for a bullet. */
	readonly marker: (list: string | null, depth: number, number: number) => string;
	readonly isHidden: (style: string | null) => boolean;
	readonly add: (style: XmlElement) => void;
}

interface Style {
	readonly parent: string | null;
	readonly isBold: boolean;
	readonly isItalic: boolean;
	readonly isHidden: boolean;
	readonly script: Script | null;
}

/** Word's names of the number formats, by those of OpenDocument. */
const wordFormats: Readonly<Record<string, string>> = { a: "lowerLetter", A: "upperLetter", i: "lowerRoman", I: "upperRoman", "": "none" };
const parentDepthMax = 20;
export const styleElements: ReadonlySet<string> = new Set(["style", "list-style"]);

export function createStyles(): Styles {
	const styles = new Map<string, Style>();
	const lists = new Map<string, ReadonlyMap<number, XmlElement>>();
	return {
		add(element) {
			const name = attributeOf(element, "name") ?? "";
			if (element.name === "list-style") lists.set(name, new Map(elementsOf(element).map((level) => [numberOf(level, "level", 1) - 1, level])));
			else styles.set(name, styleOf(element));
		},
		emphasis: (style) => styles.get(style ?? "") ?? { isBold: false, isItalic: false, script: null },
		titleLevel(style) {
			let name = style;
			for (let steps = 0; name !== null && steps < parentDepthMax; steps++) {
				if (name === "Title") return 1;
				if (name === "Subtitle") return 2;
				name = styles.get(name)?.parent ?? null;
			}
			return null;
		},
		marker(list, depth, number) {
			const level = lists.get(list ?? "")?.get(depth);
			if (level === undefined || level.name !== "list-level-style-number") return "";
			const format = wordFormats[attributeOf(level, "num-format") ?? ""] ?? "decimal";
			const formatted = formatListNumber(format, number);
			return formatted === "" ? "" : `${attributeOf(level, "num-prefix") ?? ""}${formatted}${attributeOf(level, "num-suffix") ?? "."}`.trim();
		},
		isHidden: (style) => styles.get(style ?? "")?.isHidden ?? false,
	};
}

export function addStyles(root: XmlElement | null, styles: Styles): void {
	if (root !== null) for (const style of topmostDescendants(root, ...styleElements)) styles.add(style);
}

function styleOf(element: XmlElement): Style {
	const text = elementByPath(element, "text-properties");
	return {
		parent: attributeOf(element, "parent-style-name"),
		isBold: attributeOf(text, "font-weight") === "bold",
		isItalic: attributeOf(text, "font-style") === "italic",
		isHidden:
			attributeOf(elementByPath(element, "table-properties"), "display") === "false" ||
			attributeOf(elementByPath(element, "drawing-page-properties"), "visibility") === "hidden" ||
			attributeOf(text, "display") === "none",
		script: scriptOf(attributeOf(text, "text-position") ?? ""),
	};
}

/** Superscript or subscript: `super 58%`, or a shift from the baseline such as `-33% 58%`. */
function scriptOf(position: string): Script | null {
	const shift = Number.parseInt(position, 10);
	if (position.startsWith("super") || shift > 0) return "above";
	return position.startsWith("sub") || shift < 0 ? "below" : null;
}
