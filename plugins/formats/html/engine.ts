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
	readonly url: string | null;
}

const engine: Engine<HtmlInput, SandboxResult> = async ({ content, url }) => {
	const withCharset = content.bytes !== null && content.charset === null ? { ...content, charset: declaredCharset(content.bytes) } : content;
	const html = readText(withCharset);
	try {
		return { extraction: extractPage(unified().use(rehypeParse).parse(html), url), warnings: [] };
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		throw fail("FILE_BROKEN", "its elements are nested too deeply").because(thrown);
	}
};
export default engine;

function extractPage(root: Root, url: string | null) {
	const head = headOf(root, url);
	const base = URL.parse(head.base ?? "", url ?? undefined)?.href ?? url;
	const outline = createOutline();
	addBlocks(contentOfPage(root, head.isArticle), base, outline);
	const { blocks } = outline;
	const firstHeading = blocks.find((block) => block.kind === "heading" && block.level === 1);
	const [anyHeading] = findAll(root.children, "h1");
	return completeExtraction({
		blocks,
		titles: [firstHeading?.text, head.title, anyHeading === undefined ? null : wordsOf(anyHeading.children)],
		description: head.description,
		language: head.language,
		type: "webpage",
		about: head.about,
	});
}
