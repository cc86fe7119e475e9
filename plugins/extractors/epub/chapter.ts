/** A chapter of an e-book → blocks, by the readers of web pages. */

import type { Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { decodeText } from "../decode-text.ts";
import { addBlocks } from "../html-blocks.ts";
import { withoutSilent } from "../html-furniture.ts";
import { findAll } from "../html-markup.ts";
import type { Outline } from "../outline.ts";

/** Elements that HTML closes by itself; every other one that XML closed at once would stay open. */
const voidTags = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

const headingTags = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** @param name what the table of contents calls it, for a chapter that begins without a heading. */
export function addChapter(bytes: Uint8Array, name: string | null, outline: Outline): void {
	const nodes = withoutSilent(parse(decodeText(bytes, null)).children);
	if (name !== null && findAll(nodes, ...headingTags).length === 0) outline.heading(1, name);
	addBlocks(nodes, null, outline);
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
