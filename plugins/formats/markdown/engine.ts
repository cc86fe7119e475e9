/** Reads Markdown: headings, paragraphs, lists, tables and code. Runs in the sandbox. */

import type { Engine } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { paragraphsOf } from "../text/plain-text.ts";
import { readText } from "../text/read-text.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { addMarkdown } from "./markdown-outline.ts";

const engine: Engine<Content, SandboxResult> = async (content) => {
	const { body, title, description, language, about } = splitFrontMatter(readText(content));
	const metadata = { description, language, about, type: "text" } as const;
	try {
		const outline = createOutline();
		addMarkdown(body, outline);
		const { blocks } = outline;
		const firstHeading = blocks.find((block) => block.kind === "heading" && block.level === 1);
		// A file with only comments, rules and definitions has no blocks, but it is not empty.
		const blocksOrText = blocks.length > 0 ? blocks : paragraphsOf(body);
		return { extraction: completeExtraction({ ...metadata, blocks: blocksOrText, titles: [title, firstHeading?.text] }), warnings: [] };
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown; // a stack overflow is a RangeError too; it happens if nesting grows line by line
		const warnings = [{ code: "MARKDOWN_TOO_DEEP", message: "the Markdown is nested too deeply and was read as plain text" }];
		return { extraction: completeExtraction({ ...metadata, blocks: paragraphsOf(body), titles: [title] }), warnings };
	}
};
export default engine;
