/** Reads Word files from before 2007: the text, then notes, comments, text boxes, headers and footers. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../../blocks/content.ts";
import { createOutline, type Outline } from "../../blocks/outline.ts";
import { openLegacyFile, withDamageErrors } from "../../cfb/legacy-file.ts";
import { packedFiles } from "../../ooxml/embedded-files.ts";
import { addBody } from "./body.ts";
import { readHeader } from "./file-header.ts";
import { readLists } from "./lists.ts";
import { type DocParagraph, paragraphReader } from "./paragraphs.ts";
import { readText } from "./pieces.ts";

/** The numbers of the parts of a document, which are stored one after another. */
const partNumbers = { text: 0, footnotes: 1, headers: 2, macros: 3, comments: 4, endnotes: 5, boxes: 6 } as const;

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const file = openLegacyFile(bytes);
	const main = file.stream("WordDocument");
	if (main === null) throw fail("FILE_BROKEN", "it has no stream WordDocument");
	report({ done: 0, total: 1, unit: "part" });
	const outline = createOutline();
	const title = withDamageErrors(() => addParts(main, file.stream, outline));
	report({ done: 1, total: 1, unit: "part" });
	const firstHeading = outline.blocks.find(({ kind }) => kind === "heading");
	const { properties } = file;
	const titles = [title, properties.title, firstHeading?.text];
	return {
		extraction: completeExtraction({ blocks: outline.blocks, titles, description: properties.description, type: "text" }),
		warnings: [],
		attachments: packedFiles(file.root.storages.get("ObjectPool")?.storages),
	};
};
export default engine;

/** @returns the title in the text; null if there is none. */
function addParts(main: Buffer, stream: (name: string) => Buffer | null, outline: Outline): string | null {
	const header = readHeader(main, stream);
	const text = readText(main, header);
	const readParagraphs = paragraphReader(main, header, text);
	const lists = readLists(header);
	const startOf = (part: number) => header.lengths.slice(0, part).reduce((sum, length) => sum + length, 0);
	const paragraphsOf = (part: number): Generator<DocParagraph> => readParagraphs(startOf(part), startOf(part + 1));
	const title = addBody(paragraphsOf(partNumbers.text), lists, outline);
	for (const part of [partNumbers.footnotes, partNumbers.endnotes, partNumbers.boxes]) addBody(paragraphsOf(part), lists, outline);
	for (const comment of paragraphsOf(partNumbers.comments)) if (comment.text !== "") outline.paragraph(`Comment: ${comment.text}`);
	addHeadersAndFooters(paragraphsOf(partNumbers.headers), outline);
	return title;
}

/** Adds each header and footer once, after the text, which they would interrupt. Those without letters, such as page numbers, are left out. */
function addHeadersAndFooters(paragraphs: Iterable<DocParagraph>, outline: Outline): void {
	const seen = new Set<string>();
	for (const { text } of paragraphs) {
		if (!/\p{L}/u.test(text) || seen.has(text)) continue;
		seen.add(text);
		outline.paragraph(text);
	}
}
