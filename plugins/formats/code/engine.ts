/** Reads source code: the whole file becomes one block with its language. Runs in the sandbox. */

import { completeExtraction, type Engine, fail } from "cairn-memory";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { createOutline } from "../blocks/outline.ts";
import { readText } from "../text/read-text.ts";

export interface CodeInput {
	readonly content: Content;
	readonly language: string | null;
}

const engine: Engine<CodeInput, SandboxResult> = async ({ content, language }) => {
	const text = readText(content)
		.replace(/^(?:[^\S\n]*\n)+/, "")
		.trimEnd();
	if (text === "") throw fail("CONTENT_EMPTY");
	const outline = createOutline();
	outline.code(text, language);
	return { extraction: completeExtraction({ blocks: outline.blocks, type: "text" }), warnings: [] };
};
export default engine;
