/** Reads untrusted XML: calls back at the end of each element with its path and its own text. Only the five predefined entities are resolved. */

import { SaxesParser } from "saxes";

/** Sitemaps have three levels of elements, responses of S3 four. */
const depthMax = 32;
/** Longer than any URL or object name. */
const textCharactersMax = 8_192;

/**
 * @param onElement gets the path, such as `urlset/url/loc`, and the text; namespace prefixes are removed.
 * @throws Error when the XML is not well-formed.
 */
export function readElements(xml: string, onElement: (path: string, text: string) => void): void {
	const parser = new SaxesParser({ xmlns: false });
	const open: { readonly path: string; text: string }[] = [];
	parser.on("error", (error) => {
		throw error;
	});
	parser.on("opentag", ({ name }) => {
		if (open.length >= depthMax) throw new Error("elements are nested too deeply");
		const localName = name.slice(name.indexOf(":") + 1);
		const parent = open.at(-1);
		open.push({ path: parent === undefined ? localName : `${parent.path}/${localName}`, text: "" });
	});
	const add = (text: string) => {
		const element = open.at(-1);
		if (element !== undefined) element.text = (element.text + text).slice(0, textCharactersMax);
	};
	parser.on("text", add);
	parser.on("cdata", add);
	parser.on("closetag", () => {
		const element = open.pop();
		if (element !== undefined) onElement(element.path, element.text.trim());
	});
	parser.write(xml).close();
}
