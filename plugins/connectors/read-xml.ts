/** Reads untrusted XML: calls back for each element when it closes, with its path and its own text. Only the five standard entities are known. */

import { SaxesParser } from "saxes";

/** Sitemaps have three levels, the answers of S3 four. */
const depthMax = 32;
/** The longest address or object name that could be of use. */
const textCharactersMax = 8_192;

/**
 * @param closed gets `urlset/url/loc` and the text between its tags; prefixes of names are left out.
 * @throws Error when it is no well-formed XML.
 */
export function readXml(xml: string, closed: (path: string, text: string) => void): void {
	const parser = new SaxesParser({ xmlns: false });
	const open: { readonly path: string; text: string }[] = [];
	parser.on("error", (error) => {
		throw error;
	});
	parser.on("opentag", ({ name }) => {
		if (open.length >= depthMax) throw new Error("elements are nested too deeply");
		const bare = name.slice(name.indexOf(":") + 1);
		const parent = open.at(-1);
		open.push({ path: parent === undefined ? bare : `${parent.path}/${bare}`, text: "" });
	});
	const add = (text: string) => {
		const element = open.at(-1);
		if (element !== undefined) element.text = (element.text + text).slice(0, textCharactersMax);
	};
	parser.on("text", add);
	parser.on("cdata", add);
	parser.on("closetag", () => {
		const element = open.pop();
		if (element !== undefined) closed(element.path, element.text.trim());
	});
	parser.write(xml).close();
}
