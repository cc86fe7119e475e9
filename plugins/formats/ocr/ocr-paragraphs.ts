/** Groups the lines that OCR read into paragraphs with their boxes. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import type { OcrLine } from "./ocr.ts";

/** Left, top, right, bottom. */
export type Box = readonly [number, number, number, number];

/** Adds paragraphs. Line breaks are kept, since they matter in forms and receipts; hyphenated words are joined. */
export function addOcrParagraphs(lines: readonly OcrLine[], placeOf: (box: Box) => Place, outline: Outline): void {
	let paragraph: OcrLine[] = [];
	for (const line of lines) {
		paragraph.push(line);
		if (!line.isLast) continue;
		addParagraph(paragraph, placeOf, outline);
		paragraph = [];
	}
	addParagraph(paragraph, placeOf, outline);
}

function addParagraph(lines: readonly OcrLine[], placeOf: (box: Box) => Place, outline: Outline): void {
	const [first] = lines;
	if (first === undefined) return;
	const text = lines
		.map((line) => line.text)
		.join("\n")
		.replace(/(\p{Ll})-\n(?=\p{Ll})/gu, "$1");
	outline.paragraph(text, { place: placeOf(lines.map((line) => line.box).reduce(unionOf, first.box)) });
}

export function unionOf(left: Box, second: Box): Box {
	return [Math.min(left[0], second[0]), Math.min(left[1], second[1]), Math.max(left[2], second[2]), Math.max(left[3], second[3])];
}
