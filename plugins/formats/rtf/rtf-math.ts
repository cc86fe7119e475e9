/** Reads equations of RTF: groups that are named like the elements of OMML, with the prefix `m`. */

import type { Piece } from "../blocks/inline-text.ts";
import { formulaPiece } from "../blocks/inline-text.ts";
import { readOmml } from "../math/omml.ts";
import type { XmlElement } from "../xml/xml-element.ts";

export interface RtfMath {
	readonly open: () => void;
	/** Takes a control word. The first one of a group is its name; further ones in a run are formatting. */
	readonly word: (word: string, number: number | null) => void;
	readonly text: (text: string) => void;
	readonly close: () => void;
	/** Returns the collected pieces and resets the reader. */
	readonly takePieces: () => readonly Piece[];
}

interface OpenGroup {
	name: string;
	text: string;
	readonly properties: XmlElement[];
	readonly children: XmlElement[];
}

const newGroup = (): OpenGroup => ({ name: "", text: "", properties: [], children: [] });
/** Limits the recursion of the equation reader. */
const depthMax = 200;
/** Names of math variants and styles in OMML, by their number in RTF. */
const variantNames = ["roman", "script", "fraktur", "double-struck", "sans-serif", "monospace"];
const styleNames = ["p", "b", "i", "bi"];

export function createRtfMath(): RtfMath {
	let openGroups: OpenGroup[] = [newGroup()];
	const currentGroup = () => openGroups.at(-1) ?? newGroup();
	return {
		open() {
			openGroups.push(newGroup());
		},
		word(word, number) {
			const group = currentGroup();
			if (word === "mscr") group.properties.push(setting("scr", variantNames[number ?? 0] ?? ""));
			else if (word === "msty") group.properties.push(setting("sty", styleNames[number ?? 0] ?? ""));
			else if (word === "mnor") group.properties.push(setting("nor", "on"));
			else if (group.name === "" && /^m[a-zA-Z]+$/.test(word)) group.name = word.slice(1);
		},
		text(text) {
			currentGroup().text += text;
		},
		close() {
			const closedGroup = openGroups.pop();
			if (closedGroup === undefined) return;
			if (openGroups.length === 0) openGroups.push(newGroup());
			// A group without a name contains only formatting.
			if (closedGroup.name === "" || (closedGroup.name !== "r" && openGroups.length > depthMax)) {
				currentGroup().text += closedGroup.text;
				for (const child of closedGroup.children) currentGroup().children.push(child);
			} else currentGroup().children.push(elementOf(closedGroup));
		},
		takePieces() {
			while (openGroups.length > 1) this.close();
			const children = currentGroup().children;
			openGroups = [newGroup()];
			return readOmml({ name: "oMath", attributes: {}, children }).map(formulaPiece);
		},
	};
}

function setting(name: string, value: string): XmlElement {
	return { name, attributes: { val: value }, children: [] };
}

function elementOf({ name, text, properties, children }: OpenGroup): XmlElement {
	if (name === "r")
		return {
			name,
			attributes: {},
			children: [
				{ name: "rPr", attributes: {}, children: properties },
				{ name: "t", attributes: {}, children: [text] },
			],
		};
	return { name, attributes: { val: text.trim() }, children };
}
