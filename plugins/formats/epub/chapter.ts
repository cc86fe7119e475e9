/** Adds a chapter of an e-book as blocks, with the HTML reader. */

import type { Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { isExternalUrl } from "../blocks/inline-text.ts";
import type { Outline } from "../blocks/outline.ts";
import { addBlocks } from "../html/html-blocks.ts";
import { visibleContent } from "../html/html-boilerplate.ts";
import { attribute, findAll } from "../html/html-markup.ts";
import { decodeText } from "../text/decode-text.ts";

/** Void elements of HTML. Any other self-closing element would stay open if parsed as HTML. */
const voidTags = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

const headingTags = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** @param name the chapter's name in the table of contents, which is used if the chapter has no heading */
export function addChapter(bytes: Uint8Array, name: string | null, outline: Outline): void {
	const root = parse(decodeText(bytes, null));
	removeInternalLinks(root);
	const nodes = visibleContent(root.children);
	if (name !== null && findAll(nodes, ...headingTags).length === 0) outline.heading(1, name);
	addBlocks(nodes, null, outline);
}

/** Removes links within the book, which do not work outside of the file. */
function removeInternalLinks(root: Root): void {
	for (const element of findAll(root.children, "a", "img")) {
		for (const name of ["href", "src"]) if (!isExternalUrl(attribute(element, name) ?? "")) delete element.properties[name];
	}
}

/** Parses a chapter. It is XHTML with entities of HTML, so it is parsed as HTML after self-closing elements are expanded. */
function parse(xhtml: string): Root {
	const html = xhtml
		.replace(/^\s*<\?xml[^>]{0,500}\?>/, "")
		.replace(/<([a-z][\w:-]{0,40})((?:\s[^<>]{0,2000})?)\/>/gi, (match, tag: string, attributes: string) =>
			voidTags.test(tag) ? match : `<${tag}${attributes}></${tag}>`,
		);
	const root = unified().use(rehypeParse).parse(html);
	const [body] = findAll(root.children, "body");
	return body === undefined ? root : { ...root, children: [body] };
}
