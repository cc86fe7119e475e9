/** Reads notebooks: Markdown, code and output. Runs in the sandbox. */

import type { Engine, Warning } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import { addFragment } from "../html/html-fragment.ts";
import { addMarkdown } from "../markdown/markdown-outline.ts";
import { paragraphsOf } from "../text/plain-text.ts";
import { readText } from "../text/read-text.ts";
import { type Output, readNotebook } from "./cells.ts";

/** Longer output is a log, and is cut. */
const outputCharactersMax = 20_000;

const engine: Engine<Content, SandboxResult> = async (content) => {
	const { cells, title, language } = readNotebook(readText(content));
	const outline = createOutline();
	let truncatedCount = 0;
	for (const { kind, source, outputs } of cells) {
		if (kind === "code") outline.code(source.trimEnd(), language);
		else if (kind === "markdown") addMarkdownText(source, outline);
		else addPlain(source, outline);
		for (const output of outputs) {
			addOutput({ ...output, text: output.text.slice(0, outputCharactersMax) }, outline);
			if (output.text.length > outputCharactersMax) truncatedCount++;
		}
	}
	const heading = outline.blocks.find((block) => block.kind === "heading" && block.level === 1);
	const warnings: readonly Warning[] =
		truncatedCount === 0 ? [] : [{ code: "OUTPUT_CUT", message: `${truncatedCount} outputs were cut after ${outputCharactersMax} characters` }];
	return { extraction: completeExtraction({ blocks: outline.blocks, titles: [title, heading?.text], type: "text" }), warnings };
};
export default engine;

function addOutput({ kind, text }: Output, outline: Outline): void {
	if (kind === "html") addFragment(text, null, outline);
	else if (kind === "markdown") addMarkdownText(text, outline);
	else outline.code(text.replace(/^\n+|\s+$/g, ""), null);
}

function addMarkdownText(markdown: string, outline: Outline): void {
	try {
		addMarkdown(markdown, outline);
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown; // nested too deeply
		addPlain(markdown, outline);
	}
}

function addPlain(text: string, outline: Outline): void {
	for (const block of paragraphsOf(text)) outline.paragraph(block.text);
}
