/**
 * Restores letters that MuPDF drops. MuPDF ignores a letter at the position of an equal one, which it takes for fake bold. It reports
 * the alef of a lam-alef ligature at the end of the ligature, where the next alef may begin, so one alef of `الا` would be lost.
 */

import type { Matrix, Page, Text } from "mupdf";
import { unionOf } from "../../ocr/ocr-paragraphs.ts";
import { mupdf } from "../mupdf-memory.ts";
import type { Glyph } from "./right-to-left.ts";
import type { Contents, Span } from "./structured-text.ts";

interface Letter {
	readonly text: string;
	readonly x: number;
	readonly y: number;
	readonly width: number;
}

/** Alef and its presentation forms. */
const alef = /^[اأإآ\ufe81-\ufe84\ufe87\ufe88\ufe8d\ufe8e]$/;
/** Positions closer than this count as the same, in points. */
const tolerance = 0.05;

/** Adds the alefs that are drawn at the end of a ligature and that MuPDF has not reported. */
export function restoreLostLetters(blocks: Contents["blocks"], page: Page): Contents["blocks"] {
	if (!blocks.some((spans) => spans.some((span) => span.glyphs?.some(endsLigature)))) return blocks;
	const reportedAt = lettersAt(blocks.flatMap((spans) => spans.flatMap(lettersOf)));
	const drawnAt = lettersAt(drawnAlefs(page));
	const lostLettersOf = (span: Span) =>
		(span.glyphs ?? []).filter(endsLigature).flatMap((end): Glyph[] => {
			const letter = reportedAt(end, span) === undefined ? drawnAt(end, span) : undefined;
			return letter === undefined ? [] : [{ text: end.text, left: end.left, right: end.left + letter.width, isInserted: false, isRestored: true }];
		});
	return blocks.map((spans) => spans.map((span) => addLetters(span, lostLettersOf(span))));
}

function addLetters(span: Span, lostLetters: readonly Glyph[]): Span {
	if (lostLetters.length === 0) return span;
	const right = Math.max(...lostLetters.map((letter) => letter.right));
	return { ...span, glyphs: [...(span.glyphs ?? []), ...lostLetters], box: unionOf(span.box, [span.box[0], span.box[1], right, span.box[3]]) };
}

/** Indexes letters by their position. @returns a function that finds the letter at the end of a ligature that equals its last letter */
function lettersAt(letters: readonly Letter[]): (end: Glyph, span: Span) => Letter | undefined {
	const byStep = Map.groupBy(letters, ({ x }) => Math.round(x / tolerance));
	return ({ text, left }, { box }) => {
		const step = Math.round(left / tolerance);
		const near = [step - 1, step, step + 1].flatMap((key) => byStep.get(key) ?? []);
		return near.find((letter) => letter.text === text.normalize("NFKC") && letter.y >= box[1] && letter.y <= box[3]);
	};
}

function lettersOf({ glyphs = [], box }: Span): readonly Letter[] {
	const alefs = glyphs.filter((glyph) => alef.test(glyph.text) && !endsLigature(glyph));
	return alefs.map(({ text, left, right }) => ({ text: text.normalize("NFKC"), x: left, y: (box[1] + box[3]) / 2, width: right - left }));
}

/** Whether it is an alef without a width, which is the end of a ligature. */
function endsLigature({ text, left, right }: Glyph): boolean {
	return right - left < tolerance && alef.test(text);
}

/** The alefs that the page draws, read from its drawing commands. */
function drawnAlefs(page: Page): readonly Letter[] {
	const letters: Letter[] = [];
	const walkText = (text: Text, matrix: Matrix) => {
		text.walk(alefWalker(matrix, letters));
		text.destroy();
	};
	const device = new mupdf.Device({ fillText: walkText, strokeText: (text, _, matrix) => walkText(text, matrix), ignoreText: walkText });
	try {
		page.run(device, mupdf.Matrix.identity);
		device.close();
		return letters;
	} finally {
		device.destroy();
	}
}

function alefWalker(matrix: Matrix, letters: Letter[]): Parameters<Text["walk"]>[0] {
	return {
		showGlyph(font, glyphMatrix, glyph, code) {
			const text = code > 0 ? String.fromCodePoint(code) : "";
			if (glyph < 0 || !alef.test(text)) return;
			const [a, b, , , x, y] = mupdf.Matrix.concat(glyphMatrix, matrix);
			letters.push({ text: text.normalize("NFKC"), x, y, width: font.advanceGlyph(glyph) * Math.hypot(a, b) });
		},
	};
}
