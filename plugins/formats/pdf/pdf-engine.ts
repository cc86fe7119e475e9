/** Reads PDFs: for each page the text layer if it is usable, otherwise OCR. Runs in the sandbox. */

import { type Engine, fail, type Warning } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { Document } from "mupdf";
import type { SandboxResult } from "../blocks/content.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";
import { isUniform } from "../ocr/gray-image.ts";
import { loadOcr, type Ocr } from "../ocr/ocr.ts";
import type { OcrModel } from "../ocr/ocr-models.ts";
import { addOcrParagraphs } from "../ocr/ocr-paragraphs.ts";
import { attachedFiles } from "./attached-files.ts";
import { bookmarksOf } from "./bookmarks.ts";
import { joinWordsAcrossPages } from "./letters/cut-words.ts";
import { mupdf } from "./mupdf-memory.ts";
import { damageError, openPdf } from "./open-pdf.ts";
import { addPageBlocks, sizesOf } from "./page-blocks.ts";
import { emptyPage, needsOcr, type PageText, readPageText, withoutReplacementCharacters } from "./page-text.ts";
import { renderPage } from "./render-page.ts";
import { removeRunningLines } from "./running-lines.ts";
import { createTableWriter } from "./tables/table-writer.ts";
import { structureTreeOf } from "./tags/structure-tree.ts";
import { createTaggedItems } from "./tags/tagged-items.ts";

export interface PdfInput {
	readonly bytes: Uint8Array;
	readonly models: readonly OcrModel[];
}

/**
 * OCR stops this long before the time limit, so that the last page can be finished and the result returned. If the time limit is
 * short, OCR stops at half of it.
 */
const reservedMs = 60_000;

/** OCR reads scans equally well at 150 to 300 dpi, but takes 1.6 times as long at 300. */
const scanDotsPerInch = 200;
const pointsPerInch = 72;
/** On a page that has some text, the result of OCR is used only from this confidence on. */
const sureConfidence = 0.5;
/** The code of the warning for a scan that there was no time for. */
const pageSkipped = "PAGE_SKIPPED";

mupdf.setLog(null);

const engine: Engine<PdfInput, SandboxResult> = async (input, report, { timeoutMs }) => {
	const deadline = performance.now() + Math.max(timeoutMs - reservedMs, timeoutMs / 2);
	const document = openPdf(input.bytes);
	try {
		const warnings: Warning[] = [];
		const structure = structureTreeOf(document);
		const pages = readAllPages(document, structure !== null, warnings);
		const outline = createOutline();
		const sizes = sizesOf(pages, bookmarksOf(document));
		const target = { outline, tables: createTableWriter(outline), sizes, structure, items: createTaggedItems() };
		let ocrLoading: Promise<Ocr> | null = null;
		const loadOcrOnce = () => {
			ocrLoading ??= loadOcr(input.models);
			return ocrLoading;
		};
		const damagedPages = new Set(warnings.map(({ place }) => place?.page));
		for (const [index, page] of joinWordsAcrossPages(removeRunningLines(pages.map(withoutReplacementCharacters)), sizes.body).entries()) {
			// The page with its headers and footers decides: if it has only those, OCR would find no more.
			const isScan = needsOcr(pages[index] ?? page) && !damagedPages.has(index + 1);
			const isRead = isScan && (await tryOcr(document, index, page, { ocr: loadOcrOnce, deadline, outline, warnings }));
			if (!isRead) addPageBlocks(page, index + 1, target);
			report({ done: index + 1, total: pages.length, unit: "page" });
		}
		const attachments = attachedFiles(document, warnings);
		if (attachments.length > 0) outline.paragraph(`Attachments: ${attachments.map(({ path }) => path).join(", ")}`);
		if (outline.blocks.length === 0) requirePages(pages.length, warnings, timeoutMs);
		return { extraction: completeExtraction({ blocks: outline.blocks, ...metadataFor(document, outline), type: "pdf" }), warnings, attachments };
	} finally {
		document.destroy();
	}
};
export default engine;

/** Throws the reason if no page could be read. */
function requirePages(pages: number, warnings: readonly Warning[], timeoutMs: number): void {
	if (warnings.some(({ code }) => code === pageSkipped)) throw fail("PROCESS_TIMEOUT", timeoutMs / 1_000);
	if (warnings.length >= pages) throw fail("FILE_BROKEN", warnings[0]?.message ?? "it has no pages");
}

function readAllPages(document: Document, isTagged: boolean, warnings: Warning[]): readonly PageText[] {
	return Array.from({ length: document.countPages() }, (_, index) => {
		try {
			return readPageText(document, index, isTagged);
		} catch (thrown) {
			warnings.push(pageWarning(thrown, index));
			return emptyPage;
		}
	});
}

interface OcrCall {
	/** Loads OCR on first use. All pages share it. */
	readonly ocr: () => Promise<Ocr>;
	readonly deadline: number;
	readonly outline: Outline;
	readonly warnings: Warning[];
}

/** Reads a page with OCR. @returns whether its text was added; if not, the text layer is used */
async function tryOcr(document: Document, index: number, { lines }: PageText, { ocr: loadOcrOnce, deadline, outline, warnings }: OcrCall): Promise<boolean> {
	const place = { page: index + 1 };
	if (performance.now() > deadline) {
		warnings.push({ code: pageSkipped, message: `page ${place.page} is a scan and was not read: the time limit for OCR was reached`, place });
		return false;
	}
	try {
		const { image, scale } = renderPage(document, index, scanDotsPerInch / pointsPerInch);
		if (isUniform(image)) return false;
		const { lines: ocrLines, confidence } = (await loadOcrOnce())(image);
		Bun.gc(true); // frees the page image of 20 MB; this takes a hundredth of the time of OCR
		const isBetter = confidence >= sureConfidence && lettersIn(ocrLines) >= lettersIn(lines);
		if (ocrLines.length === 0 || (lines.length > 0 && !isBetter)) return false;
		addOcrParagraphs(ocrLines, (box) => ({ ...place, box: [box[0] / scale, box[1] / scale, box[2] / scale, box[3] / scale] }), outline);
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
	const error = damageError(thrown);
	if (error.name !== "ServiceError") throw error;
	return { code: "PAGE_UNREADABLE", message: `page ${index + 1} could not be read: ${error.message}`, place: { page: index + 1 } };
}

function metadataFor(document: Document, { blocks }: Outline) {
	const firstHeading = blocks.find((block) => block.kind === "heading" && block.level === 1 && block.place.page === 1);
	return { titles: [firstHeading?.text, documentTitle(document)], description: metadataOf(document, "info:Subject"), language: languageOf(document) };
}

/** The title in the metadata, unless it is a file name or a default that programs set. */
function documentTitle(document: Document): string | null {
	const title = metadataOf(document, "info:Title");
	if (title === null || /^(?:untitled.*|title|document ?\d*|(?:powerpoint )?presentation ?\d*|book ?\d*|microsoft \w+ - .*|\S*\.[a-z]{2,4})$/i.test(title))
		return null;
	return title;
}

function metadataOf(document: Document, key: string): string | null {
	try {
		const value = document.getMetaData(key)?.trim() ?? "";
		return value === "" || /^(?:unspecified|unknown|none)$/i.test(value) ? null : value;
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
