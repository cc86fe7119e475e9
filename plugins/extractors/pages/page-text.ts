/** The text layer of a PDF page: its lines with size, weight and place, and whether it can be trusted. */

import type { Document } from "mupdf";
import type { Box } from "./ocr-paragraphs.ts";

export interface Line {
	readonly text: string;
	readonly box: Box;
	/** Of its letters, in points. */
	readonly size: number;
	readonly isBold: boolean;
	/** Which of the page's blocks it stands in. */
	readonly block: number;
}

export interface PageText {
	readonly width: number;
	readonly height: number;
	readonly lines: readonly Line[];
	/** The share of the page that pictures cover, from 0 up; more than 1 where they overlap. */
	readonly pictured: number;
}

/** What MuPDF tells of a page as JSON, as far as it is read here. */
interface StructuredPage {
	readonly blocks: readonly {
		readonly type: string;
		readonly bbox: Rectangle;
		readonly lines?: readonly { readonly bbox: Rectangle; readonly font: { readonly weight: string; readonly size: number }; readonly text: string }[];
	}[];
}
interface Rectangle {
	readonly x: number;
	readonly y: number;
	readonly w: number;
	readonly h: number;
}

export function readPageText(document: Document, index: number): PageText {
	const page = document.loadPage(index);
	try {
		const [left, top, right, bottom] = page.getBounds();
		const structured = page.toStructuredText("dehyphenate,preserve-images");
		try {
			const { blocks } = JSON.parse(structured.asJSON()) as StructuredPage;
			const [width, height] = [right - left, bottom - top];
			return { width, height, lines: linesOf(blocks), pictured: picturedShare(blocks, width * height) };
		} finally {
			structured.destroy();
		}
	} finally {
		page.destroy();
	}
}

function linesOf(blocks: StructuredPage["blocks"]): readonly Line[] {
	const lines: Line[] = [];
	for (const [block, { lines: found = [] }] of blocks.entries()) {
		for (const { bbox, font, text } of found) {
			const words = cleaned(text);
			if (words !== "")
				lines.push({ text: words, box: [bbox.x, bbox.y, bbox.x + bbox.w, bbox.y + bbox.h], size: font.size, isBold: font.weight === "bold", block });
		}
	}
	return lines;
}

/** Arabic lam-alef ligatures come out of PDFs with their letters swapped: `اإل` for `الإ`. A plain `لا` cannot be told apart. */
function cleaned(text: string): string {
	return text
		.replaceAll("\0", "")
		.replace(/[\p{Cc}\s]+/gu, " ")
		.replace(/ا([أإآ])ل/g, "ال$1")
		.toWellFormed()
		.trim();
}

function picturedShare(blocks: StructuredPage["blocks"], area: number): number {
	const covered = blocks.filter((block) => block.type === "image").reduce((sum, { bbox }) => sum + bbox.w * bbox.h, 0);
	return area > 0 ? covered / area : 0;
}

/** Fewer characters on a page that is one big picture are a stamp or a page number, not its text. */
const sparseCharacters = 100;
const fullPageShare = 0.5;

/** Whether the page must be read from its picture: no text, next to none on a scan, or signs without sense. */
export function needsOcr({ lines, pictured }: PageText): boolean {
	const text = lines
		.map((line) => line.text)
		.join("")
		.replace(/\s+/g, "");
	if (text === "" || (text.length < sparseCharacters && pictured > fullPageShare)) return true;
	return isGarbage(text);
}

/** A font without a map to characters yields signs at random: few letters, or many that stand for "unknown". */
function isGarbage(text: string): boolean {
	const characters = [...text];
	const unknown = characters.filter((character) => /[\uFFFD\p{Co}]/u.test(character)).length;
	const readable = characters.filter((character) => /[\p{L}\p{M}\p{N}]/u.test(character)).length;
	return unknown > characters.length * 0.05 || readable < characters.length * 0.5;
}
