/** XML bytes → elements: the whole tree, or a stream of wanted elements. Entities of a DTD are never expanded. */

import { fail } from "cairn-memory";
import { SaxesParser } from "saxes";
import type { XmlElement, XmlNode } from "./xml-element.ts";

/** Readers of the tree are recursive, and no real document is nested deeper. */
const depthMax = 400;
const sliceBytes = 256 * 1024;

export interface XmlReading {
	/** The first error, after which reading continued; null when there was none. */
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
 * Calls `visit` with each outermost element of a wanted name and then drops it: a sheet of a million rows takes the memory of
 * one. Null wants the root. Returning `false` ends the reading.
 * @param enter is called for every other element, when it begins.
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
		// Unwanted elements are not on the stack, so the top is the element that closes.
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
	// Elements still open at the end of a truncated file are kept as they are.
	const [unfinished] = open;
	if (unfinished !== undefined && !isDone) visit(unfinished);
	return { damage };
}

/** By the byte order mark, then by the XML declaration; an unknown encoding is read as UTF-8. */
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
