/** A chapter of an e-book → blocks, by the readers of web pages. */

import type { Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { isWebAddress } from "../blocks/inline-text.ts";
import type { Outline } from "../blocks/outline.ts";
import { addBlocks } from "../html/html-blocks.ts";
import { withoutSilent } from "../html/html-boilerplate.ts";
import { attribute, findAll } from "../html/html-markup.ts";
import { decodeText } from "../text/decode-text.ts";

/** Elements that HTML closes by itself; every other one that XML closed at once would stay open. */
const voidTags = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

const headingTags = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** @param name what the table of contents calls it, for a chapter that begins without a heading. */
export function addChapter(bytes: Uint8Array, name: string | null, outline: Outline): void {
	const root = parse(decodeText(bytes, null));
	dropInnerAddresses(root);
	const nodes = withoutSilent(root.children);
	if (name !== null && findAll(nodes, ...headingTags).length === 0) outline.heading(1, name);
	addBlocks(nodes, null, outline);
}

/** A link to another page of the book, or a picture in it, leads nowhere outside of the file. */
function dropInnerAddresses(root: Root): void {
	for (const element of findAll(root.children, "a", "img")) {
		for (const name of ["href", "src"]) if (!isWebAddress(attribute(element, name) ?? "")) delete element.properties[name];
	}
}

/** Chapters are XML with the entities of HTML: read as HTML, once `<a id="x"/>` is written as HTML has it. */
function parse(xhtml: string): Root {
	const html = xhtml
		.replace(/^\s*<\?xml[^>]{0,500}\?>/, "")
		.replace(/<([a-z][\w:-]{0,40})((?:\s[^<>]{0,2000})?)\/>/gi, (whole, tag: string, attributes: string) =>
			voidTags.test(tag) ? whole : `<${tag}${attributes}></${tag}>`,
		);
	const root = unified().use(rehypeParse).parse(html);
	const [body] = findAll(root.children, "body");
	return body === undefined ? root : { ...root, children: [body] };
}
