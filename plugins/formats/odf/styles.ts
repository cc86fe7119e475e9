/** The styles of an OpenDocument file: emphasis, titles, lists, hidden text. */

import { formatListNumber } from "../blocks/format-list-number.ts";
import type { Script } from "../blocks/scripted-text.ts";
import { attributeOf, elementByPath, elementsOf, numberOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";

export interface Styles {
	readonly emphasis: (style: string | null) => { readonly isBold: boolean; readonly isItalic: boolean; readonly script: Script | null };
	/** The level of a title or subtitle; null for body text. */
	readonly titleLevel: (style: string | null) => number | null;
	/** The marker of the item with this number; empty for a bullet. */
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

/** Number formats of OpenDocument → Word's names for them. */
const formats: Readonly<Record<string, string>> = { a: "lowerLetter", A: "upperLetter", i: "lowerRoman", I: "upperRoman", "": "none" };
const parentsMax = 20;
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
			for (let steps = 0; name !== null && steps < parentsMax; steps++) {
				if (name === "Title") return 1;
				if (name === "Subtitle") return 2;
				name = styles.get(name)?.parent ?? null;
			}
			return null;
		},
		marker(list, depth, number) {
			const level = lists.get(list ?? "")?.get(depth);
			if (level === undefined || level.name !== "list-level-style-number") return "";
			const format = formats[attributeOf(level, "num-format") ?? ""] ?? "decimal";
			const counted = formatListNumber(format, number);
			return counted === "" ? "" : `${attributeOf(level, "num-prefix") ?? ""}${counted}${attributeOf(level, "num-suffix") ?? "."}`.trim();
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

/** `super 58%`, or the shift from the baseline: `-33% 58%`. */
function scriptOf(position: string): Script | null {
	const raised = Number.parseInt(position, 10);
	if (position.startsWith("super") || raised > 0) return "above";
	return position.startsWith("sub") || raised < 0 ? "below" : null;
}
