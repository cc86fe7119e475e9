/** Equations of RTF: groups named like the elements of OMML, with the prefix `m`. */

import type { Piece } from "../blocks/inline-text.ts";
import { formulaPiece } from "../blocks/inline-text.ts";
import { readOmml } from "../math/omml.ts";
import type { XmlElement } from "../xml/xml-element.ts";

export interface RtfMath {
	readonly open: () => void;
	/** The first control word of a group is its name; in a run, further ones are formatting. */
	readonly word: (word: string, number: number | null) => void;
	readonly text: (text: string) => void;
	readonly close: () => void;
	/** Returns the collected pieces and starts anew. */
	readonly take: () => readonly Piece[];
}

interface Growing {
	name: string;
	text: string;
	readonly looks: XmlElement[];
	readonly children: XmlElement[];
}

const begun = (): Growing => ({ name: "", text: "", looks: [], children: [] });
/** The equation reader is recursive. */
const depthMax = 200;
/** Math variants by number. */
const scripts = ["roman", "script", "fraktur", "double-struck", "sans-serif", "monospace"];
const styles = ["p", "b", "i", "bi"];

export function createRtfMath(): RtfMath {
	let open: Growing[] = [begun()];
	const within = () => open.at(-1) ?? begun();
	return {
		open() {
			open.push(begun());
		},
		word(word, number) {
			const group = within();
			if (word === "mscr") group.looks.push(setting("scr", scripts[number ?? 0] ?? ""));
			else if (word === "msty") group.looks.push(setting("sty", styles[number ?? 0] ?? ""));
			else if (word === "mnor") group.looks.push(setting("nor", "on"));
			else if (group.name === "" && /^m[a-zA-Z]+$/.test(word)) group.name = word.slice(1);
		},
		text(text) {
			within().text += text;
		},
		close() {
			const ended = open.pop();
			if (ended === undefined) return;
			if (open.length === 0) open.push(begun());
			// A group without a name only has formatting.
			if (ended.name === "" || (ended.name !== "r" && open.length > depthMax)) {
				within().text += ended.text;
				for (const child of ended.children) within().children.push(child);
			} else within().children.push(elementOf(ended));
		},
		take() {
			while (open.length > 1) this.close();
			const children = within().children;
			open = [begun()];
			return readOmml({ name: "oMath", attributes: {}, children }).map(formulaPiece);
		},
	};
}

function setting(name: string, value: string): XmlElement {
	return { name, attributes: { val: value }, children: [] };
}

function elementOf({ name, text, looks, children }: Growing): XmlElement {
	if (name === "r")
		return {
			name,
			attributes: {},
			children: [
				{ name: "rPr", attributes: {}, children: looks },
				{ name: "t", attributes: {}, children: [text] },
			],
		};
	return { name, attributes: { val: text.trim() }, children };
}
