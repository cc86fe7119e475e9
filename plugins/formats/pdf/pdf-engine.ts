/** Reads PDFs: the text layer where a page has a usable one, else OCR. Runs in the sandbox. */

import { completeExtraction, type Engine, fail, type Warning } from "cairn-memory";
import type { Document } from "mupdf";
import type { SandboxResult } from "../blocks/content.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import { isUniform } from "../ocr/gray-image.ts";
import { loadOcr, type Ocr } from "../ocr/ocr.ts";
import type { OcrModel } from "../ocr/ocr-models.ts";
import { addOcrParagraphs } from "../ocr/ocr-paragraphs.ts";
import { attachedFiles } from "./attached-files.ts";
import { bookmarksOf } from "./bookmarks.ts";
import { withWholeWords } from "./letters/cut-words.ts";
import { mupdf } from "./mupdf-memory.ts";
import { addPageBlocks, sizesOf } from "./page-blocks.ts";
import { emptyPage, needsOcr, type PageText, readPageText, withoutUnknownSigns } from "./page-text.ts";
import { renderPage } from "./render-page.ts";
import { withoutRunningLines } from "./running-lines.ts";
import { createTableWriter } from "./tables/table-writer.ts";

export interface PdfInput {
	readonly bytes: Uint8Array;
	readonly models: readonly OcrModel[];
}

/**
 * OCR stops this long before the time limit, so that the last page is finished and the result is returned; at half of the limit
 * where that is shorter.
 */
const reservedMs = 60_000;

/** 150 to 300 dpi read equally well; 300 takes 1.6 times as long. */
const scanDotsPerInch = 200;
const pointsPerInch = 72;
/** On a page that has some text, OCR is only used above this confidence. */
const sureConfidence = 0.5;
/** The warning for a scan that there was no time for. */
const skipped = "PAGE_SKIPPED";

mupdf.setLog(null);

const engine: Engine<PdfInput, SandboxResult> = async (input, report, { timeoutMs }) => {
	const deadline = performance.now() + Math.max(timeoutMs - reservedMs, timeoutMs / 2);
	const document = open(input.bytes);
	try {
		const warnings: Warning[] = [];
		const pages = readAllPages(document, warnings);
		const outline = createOutline();
		const sizes = sizesOf(pages, bookmarksOf(document));
		const target = { outline, tables: createTableWriter(outline), sizes };
		let started: Promise<Ocr> | null = null;
		const ocr = () => {
			started ??= loadOcr(input.models);
			return started;
		};
		const unread = new Set(warnings.map(({ place }) => place?.page));
		for (const [index, page] of withWholeWords(withoutRunningLines(pages.map(withoutUnknownSigns)), sizes.body).entries()) {
			// Judged with running heads: for a page that has only those, OCR would find no more.
			const isScan = needsOcr(pages[index] ?? page) && !unread.has(index + 1);
			const isRead = isScan && (await tryOcr(document, index, page, { ocr, deadline, outline, warnings }));
			if (!isRead) addPageBlocks(page, index + 1, target);
			report({ done: index + 1, total: pages.length, unit: "page" });
		}
		const attachments = attachedFiles(document, warnings);
		if (attachments.length > 0) outline.paragraph(`Attachments: ${attachments.map(({ path }) => path).join(", ")}`);
		if (outline.blocks.length === 0) demandPages(pages.length, warnings, timeoutMs);
		return { extraction: completeExtraction({ blocks: outline.blocks, ...factsOf(document, outline), type: "pdf" }), warnings, attachments };
	} finally {
		document.destroy();
	}
};
export default engine;

/** Throws the reason when no page could be read. */
function demandPages(pages: number, warnings: readonly Warning[], timeoutMs: number): void {
	if (warnings.some(({ code }) => code === skipped)) throw fail("PROCESS_TIMEOUT", timeoutMs / 1_000);
	if (warnings.length >= pages) throw fail("FILE_BROKEN", warnings[0]?.message ?? "it has no pages");
}

function open(bytes: Uint8Array): Document {
	try {
		const document = mupdf.Document.openDocument(bytes, "application/pdf");
		if (document.needsPassword()) throw fail("FILE_ENCRYPTED");
		if (document.countPages() < 1) throw fail("FILE_BROKEN", "it has no pages");
		return document;
	} catch (thrown) {
		throw unreadable(thrown);
	}
}

/** MuPDF's error when memory is exhausted, or damaged by a stack overflow. */
const outOfMemory = /alloc \(.*\) failed/;

/**
 * MuPDF throws plain errors for damaged files. WebAssembly traps and memory errors are different: every later file in this process
 * would fail as well. They are rethrown unchanged, which ends the process.
 */
export function unreadable(thrown: unknown): Error {
	if (!(thrown instanceof Error) || thrown.name === "ServiceError" || thrown instanceof WebAssembly.RuntimeError) return thrown as Error;
	if (outOfMemory.test(thrown.message)) return thrown;
	return fail("FILE_BROKEN", thrown.message.toLowerCase().slice(0, 200)).because(thrown);
}

function readAllPages(document: Document, warnings: Warning[]): readonly PageText[] {
	return Array.from({ length: document.countPages() }, (_, index) => {
		try {
			return readPageText(document, index);
		} catch (thrown) {
			warnings.push(pageWarning(thrown, index));
			return emptyPage;
		}
	});
}

interface OcrCall {
	/** Created on first use, and shared by all pages. */
	readonly ocr: () => Promise<Ocr>;
	readonly deadline: number;
	readonly outline: Outline;
	readonly warnings: Warning[];
}

/** Whether the page was read or skipped; if not, its text layer is used. */
async function tryOcr(document: Document, index: number, { lines }: PageText, { ocr, deadline, outline, warnings }: OcrCall): Promise<boolean> {
	const place = { page: index + 1 };
	if (performance.now() > deadline) {
		warnings.push({ code: skipped, message: `page ${place.page} is a scan, and the time for reading scans was used up`, place });
		return false;
	}
	try {
		const { image, scale } = renderPage(document, index, scanDotsPerInch / pointsPerInch);
		if (isUniform(image)) return false;
		const { lines: read, confidence } = (await ocr())(image);
		Bun.gc(true); // page images have 20 MB each; collecting them takes a hundredth of the time of OCR
		const saysMore = confidence >= sureConfidence && lettersIn(read) >= lettersIn(lines);
		if (read.length === 0 || (lines.length > 0 && !saysMore)) return false;
		addOcrParagraphs(read, (box) => ({ ...place, box: [box[0] / scale, box[1] / scale, box[2] / scale, box[3] / scale] }), outline);
		return true;
	} catch (thrown) {
		warnings.push(pageWarning(thrown, index));
		return false;
	}
}

function lettersIn(lines: readonly { readonly text: string }[]): number {
	return lines.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
}

function pageWarning(thrown: unknown, index: number): Warning {
	const error = unreadable(thrown);
	if (error.name !== "ServiceError") throw error;
	return { code: "PAGE_UNREADABLE", message: `page ${index + 1} could not be read: ${error.message}`, place: { page: index + 1 } };
}

function factsOf(document: Document, { blocks }: Outline) {
	const top = blocks.find((block) => block.kind === "heading" && block.level === 1 && block.place.page === 1);
	return { titles: [top?.text, documentTitle(document)], description: metadataOf(document, "info:Subject"), language: languageOf(document) };
}

/** The title, unless it is a file name or a default that programs set. */
function documentTitle(document: Document): string | null {
	const title = metadataOf(document, "info:Title");
	if (title === null || /^(?:untitled.*|title|document ?\d*|(?:powerpoint )?presentation ?\d*|book ?\d*|microsoft \w+ - .*|\S*\.[a-z]{2,4})$/i.test(title))
		return null;
	return title;
}

function metadataOf(document: Document, key: string): string | null {
	try {
		const fact = document.getMetaData(key)?.trim() ?? "";
		return fact === "" || /^(?:unspecified|unknown|none)$/i.test(fact) ? null : fact;
	} catch {
		return null; // a damaged information dictionary counts as empty
	}
}

function languageOf(document: Document): string | null {
	try {
		const language = document.asPDF()?.getTrailer().get("Root", "Lang");
		return language?.isString() ? language.asString() : null;
	} catch {
		return null;
	}
}
