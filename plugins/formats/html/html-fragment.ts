/** Reads HTML inside another format, such as a mail or a feed. */

import type { Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import type { Outline } from "../blocks/outline.ts";
import { addBlocks } from "./html-blocks.ts";
import { visibleContent } from "./html-boilerplate.ts";
import { wordsOf } from "./html-markup.ts";

export function parseFragment(html: string): Root {
	return unified().use(rehypeParse, { fragment: true }).parse(html);
}

/** Adds a fragment as blocks; only its text if its elements are nested too deeply for the recursive code. */
export function addFragment(html: string, base: string | null, outline: Outline): void {
	try {
		addBlocks(visibleContent(parseFragment(html).children), base, outline);
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		outline.paragraph(html.replace(/<[^<>]*>/g, " ").replace(/\s+/g, " "));
	}
}

/** The text of an HTML fragment on one line. */
export function textOfFragment(html: string): string {
	if (!/[<&]/.test(html)) return html.replace(/\s+/g, " ").trim();
	try {
		return wordsOf(visibleContent(parseFragment(html).children));
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		return html
			.replace(/<[^<>]*>/g, " ")
			.replace(/\s+/g, " ")
			.trim();
	}
}
