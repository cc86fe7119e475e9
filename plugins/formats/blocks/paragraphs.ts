/** Plain text → paragraphs, separated by blank lines. One linear pass, so it is safe outside of the sandbox. */

import type { Extraction } from "cairn-memory";
import { completeExtraction, type ReadableBlock } from "cairn-memory/words";

export function extractParagraphs(text: string): Extraction {
	return completeExtraction({ blocks: paragraphsOf(text), type: "text" });
}

/** One object, shared by all paragraphs, since a long log may have a million. */
const noPosition = { headings: [], place: {} } as const;

/** Keeps indentation, which source code and poems need. */
export function paragraphsOf(text: string): readonly ReadableBlock[] {
	const blocks: ReadableBlock[] = [];
	let lines: string[] = [];
	const endParagraph = () => {
		if (lines.length > 0) blocks.push({ kind: "paragraph", text: lines.join("\n"), ...noPosition });
		lines = [];
	};
	for (const line of text.split(/[\n\f\u2029]/)) {
		const trimmed = line.trimEnd();
		if (trimmed === "") endParagraph();
		else lines.push(trimmed);
	}
	endParagraph();
	return blocks;
}
