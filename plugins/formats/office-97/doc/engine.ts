/** Reads Word files from before 2007: the text, then notes, comments, text boxes, headers and footers. Runs in the sandbox. */

import { completeExtraction, type Engine, fail } from "cairn-memory";
import type { BytesInput, SandboxResult } from "../../blocks/content.ts";
import { createOutline, type Outline } from "../../blocks/outline.ts";
import { guarded, openLegacyFile } from "../../cfb/legacy-file.ts";
import { packedFiles } from "../../ooxml/embedded-files.ts";
import { addBody } from "./body.ts";
import { readHead } from "./file-header.ts";
import { readLists } from "./lists.ts";
import { type DocParagraph, paragraphReader } from "./paragraphs.ts";
import { readText } from "./pieces.ts";

/** The parts of a document, which are stored one after another. */
const parts = { text: 0, footnotes: 1, heads: 2, macros: 3, comments: 4, endnotes: 5, boxes: 6 } as const;

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const file = openLegacyFile(bytes);
	const main = file.stream("WordDocument");
	if (main === null) throw fail("FILE_BROKEN", "it has no stream WordDocument");
	report({ done: 0, total: 1, unit: "part" });
	const outline = createOutline();
	const title = guarded(() => addAll(main, file.stream, outline));
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

/** @returns the title in the text, null when there is none. */
function addAll(main: Buffer, stream: (name: string) => Buffer | null, outline: Outline): string | null {
	const head = readHead(main, stream);
	const text = readText(main, head);
	const read = paragraphReader(main, head, text);
	const lists = readLists(head);
	const from = (part: number) => head.lengths.slice(0, part).reduce((sum, length) => sum + length, 0);
	const part = (number: number): Generator<DocParagraph> => read(from(number), from(number + 1));
	const title = addBody(part(parts.text), lists, outline);
	for (const number of [parts.footnotes, parts.endnotes, parts.boxes]) addBody(part(number), lists, outline);
	for (const { text: said } of part(parts.comments)) if (said !== "") outline.paragraph(`Comment: ${said}`);
	addRunningHeads(part(parts.heads), outline);
	return title;
}

/** Adds headers and footers, each once, behind the text, which they would interrupt. Mere page numbers are left out. */
function addRunningHeads(paragraphs: Iterable<DocParagraph>, outline: Outline): void {
	const said = new Set<string>();
	for (const { text } of paragraphs) {
		if (!/\p{L}/u.test(text) || said.has(text)) continue;
		said.add(text);
		outline.paragraph(text);
	}
}
