/** Reads HTML: the content of a page as blocks, without its boilerplate. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { readText } from "../text/read-text.ts";
import { addBlocks } from "./html-blocks.ts";
import { contentOfPage } from "./html-boilerplate.ts";
import { declaredCharset, headOf } from "./html-head.ts";
import { findAll, wordsOf } from "./html-markup.ts";

export interface HtmlInput {
	readonly content: Content;
	readonly address: string | null;
}

const engine: Engine<HtmlInput, SandboxResult> = async ({ content, address }) => {
	const declared = content.bytes !== null && content.charset === null ? { ...content, charset: declaredCharset(content.bytes) } : content;
	const html = readText(declared);
	try {
		return { extraction: extractPage(unified().use(rehypeParse).parse(html), address), warnings: [] };
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		throw fail("FILE_BROKEN", "its elements are nested too deeply").because(thrown);
	}
};
export default engine;

function extractPage(root: Root, address: string | null) {
	const head = headOf(root, address);
	const base = URL.parse(head.base ?? "", address ?? undefined)?.href ?? address;
	const outline = createOutline();
	addBlocks(contentOfPage(root), base, outline);
	const { blocks } = outline;
	const top = blocks.find((block) => block.kind === "heading" && block.level === 1);
	const [anyTop] = findAll(root.children, "h1");
	return completeExtraction({
		blocks,
		titles: [top?.text, head.title, anyTop === undefined ? null : wordsOf(anyTop.children)],
		description: head.description,
		language: head.language,
		type: "webpage",
		about: head.about,
	});
}
