/** Reads e-books chapter by chapter, in reading order. Runs in the sandbox. */

import { type Engine, fail, type Warning } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { BytesInput, SandboxResult } from "../blocks/content.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import { openZip, type ZipArchive } from "../zip/zip-archive.ts";
import { type Book, bytesOf, readBook } from "./book.ts";
import { addChapter } from "./chapter.ts";

const engine: Engine<BytesInput, SandboxResult> = async ({ bytes }, report) => {
	const zip = openZip(bytes);
	const warnings: Warning[] = [];
	const book = readBook(zip, warnings);
	const outline = createOutline();
	for (const [index, path] of book.chapters.entries()) {
		readChapter(zip, path, book, outline, warnings);
		report({ done: index + 1, total: book.chapters.length, unit: "chapter" });
	}
	if (outline.blocks.length === 0 && warnings.length > 0) throw fail("FILE_BROKEN", "none of its chapters could be read");
	const heading = outline.blocks.find(({ kind }) => kind === "heading");
	const { title, description, language } = book;
	// The description may contain HTML.
	const plainDescription = description?.replace(/<[^<>]{0,500}>/g, " ") ?? null;
	return {
		extraction: completeExtraction({ blocks: outline.blocks, titles: [title, heading?.text], description: plainDescription, language, type: "text" }),
		warnings,
	};
};
export default engine;

function readChapter(zip: ZipArchive, path: string, book: Book, outline: Outline, warnings: Warning[]): void {
	const bytes = bytesOf(zip, path, warnings);
	if (bytes === null) {
		if (!zip.has(path)) warnings.push({ code: "CHAPTER_MISSING", message: `the chapter ${path} is not in the book` });
		return;
	}
	try {
		addChapter(bytes, book.names.get(path) ?? null, outline);
	} catch (thrown) {
		if (!(thrown instanceof RangeError) || /out of memory/i.test(thrown.message)) throw thrown;
		warnings.push({ code: "PART_DAMAGED", message: `the chapter ${path} was left out: its elements are nested too deeply` });
	}
}
