/** Reads e-books: chapter after chapter, as the book orders them. Runs in the sandbox. */

import { completeExtraction, type Engine, fail, type Remark } from "cairn-memory";
import { createOutline, type Outline } from "../outline.ts";
import type { Reading } from "../read-in-sandbox.ts";
import { openZip, type ZipArchive } from "../zip-archive.ts";
import { type Book, bytesOf, readBook } from "./book.ts";
import { addChapter } from "./chapter.ts";

export interface EpubInput {
	readonly bytes: Uint8Array;
}

const engine: Engine<EpubInput, Reading> = async ({ bytes }, report) => {
	const zip = openZip(bytes);
	const remarks: Remark[] = [];
	const book = readBook(zip, remarks);
	const outline = createOutline();
	for (const [index, path] of book.chapters.entries()) {
		readChapter(zip, path, book, outline, remarks);
		report({ done: index + 1, total: book.chapters.length, unit: "chapter" });
	}
	if (outline.blocks.length === 0 && remarks.length > 0) throw fail("FILE_BROKEN", "none of its chapters could be read");
	const heading = outline.blocks.find(({ kind }) => kind === "heading");
	const { title, description, language } = book;
	// A blurb may be a page of its own, with markup.
	const plain = description?.replace(/<[^<>]{0,500}>/g, " ") ?? null;
	return { extraction: completeExtraction({ blocks: outline.blocks, titles: [title, heading?.text], description: plain, language, type: "text" }), remarks };
};
export default engine;

function readChapter(zip: ZipArchive, path: string, book: Book, outline: Outline, remarks: Remark[]): void {
	const bytes = bytesOf(zip, path, remarks);
	if (bytes === null) {
		if (!zip.has(path)) remarks.push({ code: "CHAPTER_MISSING", message: `the chapter ${path} is not in the book` });
		return;
	}
	try {
		addChapter(bytes, book.names.get(path) ?? null, outline);
	} catch (thrown) {
		if (!(thrown instanceof RangeError) || /out of memory/i.test(thrown.message)) throw thrown;
		remarks.push({ code: "PART_DAMAGED", message: `the chapter ${path} was left out: its elements are nested too deeply` });
	}
}
