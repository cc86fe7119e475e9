/** XML bytes → elements: the whole tree, or a stream of wanted elements. Entities of a DTD are never expanded. */

import { fail } from "cairn-memory";
import { SaxesParser } from "saxes";
import type { XmlElement, XmlNode } from "./xml-element.ts";

/** Limits the recursion of code that walks the tree. No real document is nested deeper. */
const depthMax = 400;
const sliceBytes = 256 * 1024;

export interface XmlReading {
	/** The message of the first error, after which reading continued; null if there was none. */
	readonly damage: string | null;
}

interface OpenElement extends XmlElement {
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
 * Calls `visit` with each element of a wanted name that is not inside another one, and then drops it: a sheet of a million rows
 * takes the memory of one row. If `wanted` is null, `visit` gets the root. Reading ends when `visit` returns `false`.
 * @param enter is called at the start tag of every element outside of the wanted ones.
 * @throws FILE_BROKEN when elements are nested too deeply.
 */
export function streamXml(
	bytes: Uint8Array,
	wanted: ReadonlySet<string> | null,
	visit: (element: XmlElement) => unknown,
	enter?: (element: XmlElement) => void,
): XmlReading {
	const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
	const open: OpenElement[] = [];
	let depth = 0;
	let isDone = false;
	let damage: string | null = null;

	parser.on("error", ({ message }) => {
		damage ??= message;
	});
	parser.on("opentag", ({ name, attributes }) => {
		depth++;
		if (depth > depthMax) throw fail("FILE_BROKEN", "its elements are nested too deeply");
		const localName = name.slice(name.indexOf(":") + 1);
		if (isDone) return;
		if (open.length === 0 && wanted !== null && !wanted.has(localName)) {
			enter?.({ name: localName, attributes, children: [] });
			return;
		}
		const element: OpenElement = { name: localName, attributes, children: [] };
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
	for (let offset = 0; offset < bytes.length && !isDone; offset += sliceBytes)
		parser.write(decoder.decode(bytes.subarray(offset, offset + sliceBytes), { stream: true }));
	if (!isDone) parser.close();
	// An element that is still open at the end of a truncated file is used as far as it goes.
	const [unfinished] = open;
	if (unfinished !== undefined && !isDone) visit(unfinished);
	return { damage };
}

/** The encoding by the byte order mark, otherwise by the XML declaration. An unknown encoding is read as UTF-8. */
function encodingOf(bytes: Uint8Array): string {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
	const declaredEncoding =
		/^[^<]{0,3}<\?xml[^>]{1,100}encoding\s*=\s*["']([\w.:-]+)/.exec(Buffer.from(bytes.subarray(0, 200)).toString("latin1"))?.[1] ?? "utf-8";
	try {
		return declaredEncoding.toLowerCase().startsWith("utf-16") ? "utf-8" : new TextDecoder(declaredEncoding).encoding;
	} catch {
		return "utf-8";
	}
}
