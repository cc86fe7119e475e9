/** Text that needs no decoding: cleaned, and as paragraphs, which blank lines separate. Linear passes, so it is safe outside of the sandbox. */

import type { Extraction } from "cairn-memory";
import { fail } from "cairn-memory";
import { completeExtraction, type ReadableBlock } from "cairn-memory/words";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what is looked for
const terminalCommand = /\x1b\[[0-9;?]{0,20}[A-Za-z]/g;

/** Well-formed: no byte order mark, no NUL, no lone surrogate, no colours of a terminal; lines end with a line feed. */
export function cleanText(text: string): string {
	// Each step copies the text, which may be a hundred megabytes, and most texts need none.
	let clean = text.startsWith("\uFEFF") ? text.slice(1) : text;
	if (clean.includes("\0")) clean = clean.replaceAll("\0", "");
	if (clean.includes("\r")) clean = clean.replace(/\r\n?/g, "\n");
	if (clean.includes("\x1b[")) clean = clean.replace(terminalCommand, "");
	return clean.isWellFormed() ? clean : clean.toWellFormed();
}

/**
 * Cleans a text that came from a client. Separate from `readText`, so that the server does not load encoding detection.
 *
 * @throws CONTENT_EMPTY when it is blank.
 */
export function givenText(text: string): string {
	const clean = cleanText(text);
	if (!/\S/.test(clean)) throw fail("CONTENT_EMPTY");
	return clean;
}

export function extractParagraphs(text: string): Extraction {
	return completeExtraction({ blocks: paragraphsOf(text), type: "text" });
}

/** Shared by all: a long log has a million paragraphs. */
const nowhere = { headings: [], place: {} } as const;

/** Indentation is kept, for source code and poems. */
export function paragraphsOf(text: string): readonly ReadableBlock[] {
	const blocks: ReadableBlock[] = [];
	let lines: string[] = [];
	const close = () => {
		if (lines.length > 0) blocks.push({ kind: "paragraph", text: lines.join("\n"), ...nowhere });
		lines = [];
	};
	for (const line of text.split(/[\n\f\u2029]/)) {
		const written = line.trimEnd();
		if (written === "") close();
		else lines.push(written);
	}
	close();
	return blocks;
}
