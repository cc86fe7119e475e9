/** Lines read by OCR → paragraphs with their boxes. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import type { OcrLine } from "./ocr.ts";

export type Box = readonly [number, number, number, number];

/** Keeps line breaks, which matter in forms and receipts, but joins hyphenated words. */
export function addOcrParagraphs(lines: readonly OcrLine[], place: (box: Box) => Place, outline: Outline): void {
	let paragraph: OcrLine[] = [];
	for (const line of lines) {
		paragraph.push(line);
		if (!line.isLast) continue;
		add(paragraph, place, outline);
		paragraph = [];
	}
	add(paragraph, place, outline);
}

function add(lines: readonly OcrLine[], place: (box: Box) => Place, outline: Outline): void {
	const [first] = lines;
	if (first === undefined) return;
	const text = lines
		.map((line) => line.text)
		.join("\n")
		.replace(/(\p{Ll})-\n(?=\p{Ll})/gu, "$1");
	outline.paragraph(text, { place: place(lines.map((line) => line.box).reduce(unionOf, first.box)) });
}

export function unionOf(one: Box, other: Box): Box {
	return [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.max(one[2], other[2]), Math.max(one[3], other[3])];
}
