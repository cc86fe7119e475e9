/** Plain text → paragraphs, separated by blank lines. One linear pass, so it is safe outside of the sandbox. */

import { completeExtraction, type Extraction, type ReadableBlock } from "cairn-memory";

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
