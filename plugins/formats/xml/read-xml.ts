/** XML bytes → elements: the whole tree, or one wanted element after the other. Entities of a DTD are never expanded. */

import { fail } from "cairn-memory";
import { SaxesParser } from "saxes";
import type { XmlElement, XmlNode } from "./xml-element.ts";

/** Deeper nesting is no document; readers of the tree call themselves for each level. */
const depthMax = 400;
const sliceBytes = 256 * 1024;

export interface XmlReading {
	/** What was wrong first, null when nothing was. Reading went on behind it. */
	readonly damage: string | null;
}

interface Growing extends XmlElement {
	readonly children: XmlNode[];
}

/** The root element; null when there is none. */
export function readXml(bytes: Uint8Array): XmlElement | null {
	let root: XmlElement | null = null;
	streamXml(bytes, null, (element) => {
		root ??= element;
	});
	return root;
}

/**
 * Hands over the outermost elements with a wanted name, each whole, and forgets it: a sheet of a million rows takes the memory
 * of one. Null wants the root. Answering `false` ends the reading.
 * @param enter hears of every element outside of those, as it begins.
 * @throws FILE_BROKEN when elements are nested too deeply.
 */
export function streamXml(
	bytes: Uint8Array,
	wanted: ReadonlySet<string> | null,
	visit: (element: XmlElement) => unknown,
	enter?: (element: XmlElement) => void,
): XmlReading {
	const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
	const open: Growing[] = [];
	let depth = 0;
	let isDone = false;
	let damage: string | null = null;

	parser.on("error", ({ message }) => {
		damage ??= message;
	});
	parser.on("opentag", ({ name, attributes }) => {
		depth++;
		if (depth > depthMax) throw fail("FILE_BROKEN", "its elements are nested too deeply");
		const local = name.slice(name.indexOf(":") + 1);
		if (isDone) return;
		if (open.length === 0 && wanted !== null && !wanted.has(local)) {
			enter?.({ name: local, attributes, children: [] });
			return;
		}
		const element: Growing = { name: local, attributes, children: [] };
		open.at(-1)?.children.push(element);
		open.push(element);
	});
	parser.on("closetag", () => {
		depth--;
		// Elements that are not wanted were never opened: those that are open are the innermost ones.
		const element = open.pop();
		if (element !== undefined && open.length === 0 && !isDone) isDone = visit(element) === false;
	});
	const addText = (text: string) => {
		open.at(-1)?.children.push(text);
	};
	parser.on("text", addText);
	parser.on("cdata", addText);

	const decoder = new TextDecoder(encodingOf(bytes));
	for (let at = 0; at < bytes.length && !isDone; at += sliceBytes) parser.write(decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: true }));
	if (!isDone) parser.close();
	// What was still open when the text ended has been read as far as it went.
	const [unfinished] = open;
	if (unfinished !== undefined && !isDone) visit(unfinished);
	return { damage };
}

/** By its mark, then as its first line says; what cannot be decoded is read as UTF-8. */
function encodingOf(bytes: Uint8Array): string {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
	const declared = /^[^<]{0,3}<\?xml[^>]{1,100}encoding\s*=\s*["']([\w.:-]+)/.exec(Buffer.from(bytes.subarray(0, 200)).toString("latin1"))?.[1] ?? "utf-8";
	try {
		return declared.toLowerCase().startsWith("utf-16") ? "utf-8" : new TextDecoder(declared).encoding;
	} catch {
		return "utf-8";
	}
}
