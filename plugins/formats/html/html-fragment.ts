/** HTML inside of another format, a mail or a feed say → blocks. */

import type { Root } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import type { Outline } from "../blocks/outline.ts";
import { addBlocks } from "./html-blocks.ts";
import { withoutSilent } from "./html-boilerplate.ts";
import { wordsOf } from "./html-markup.ts";

export function parseFragment(html: string): Root {
	return unified().use(rehypeParse, { fragment: true }).parse(html);
}

/** The words alone when the elements are nested deeper than their readers can follow. */
export function addFragment(html: string, base: string | null, outline: Outline): void {
	try {
		addBlocks(withoutSilent(parseFragment(html).children), base, outline);
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		outline.paragraph(html.replace(/<[^<>]*>/g, " ").replace(/\s+/g, " "));
	}
}

/** The words of a piece of HTML on one line; of a text that only might be HTML, the text. */
export function wordsOfFragment(html: string): string {
	if (!/[<&]/.test(html)) return html.replace(/\s+/g, " ").trim();
	try {
		return wordsOf(withoutSilent(parseFragment(html).children));
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		return html
			.replace(/<[^<>]*>/g, " ")
			.replace(/\s+/g, " ")
			.trim();
	}
}
