/**
 * Restores letters that MuPDF drops: it takes a letter at the position of an equal one for fake bold. MuPDF reports the alef of a
 * lam-alef ligature at the end of the ligature, where the next alef begins: of `الا` one alef would be lost.
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
/** In points. */
const tolerance = 0.05;

/** Adds alefs that are drawn where a ligature ends and that MuPDF has not reported. */
export function withLostLetters(blocks: Contents["blocks"], page: Page): Contents["blocks"] {
	if (!blocks.some((spans) => spans.some((span) => span.glyphs?.some(endsLigature)))) return blocks;
	const told = lettersAt(blocks.flatMap((spans) => spans.flatMap(lettersOf)));
	const drawn = lettersAt(drawnAlefs(page));
	const lostIn = (span: Span) =>
		(span.glyphs ?? []).filter(endsLigature).flatMap((end): Glyph[] => {
			const letter = told(end, span) === undefined ? drawn(end, span) : undefined;
			return letter === undefined ? [] : [{ text: end.text, left: end.left, right: end.left + letter.width, isPutIn: false, isFound: true }];
		});
	return blocks.map((spans) => spans.map((span) => withLetters(span, lostIn(span))));
}

function withLetters(span: Span, lost: readonly Glyph[]): Span {
	if (lost.length === 0) return span;
	const right = Math.max(...lost.map((letter) => letter.right));
	return { ...span, glyphs: [...(span.glyphs ?? []), ...lost], box: unionOf(span.box, [span.box[0], span.box[1], right, span.box[3]]) };
}

/** Indexes letters by where they begin. @returns a function that finds the one where a ligature ends, if it is the ligature's last letter */
function lettersAt(letters: readonly Letter[]): (end: Glyph, span: Span) => Letter | undefined {
	const byPlace = Map.groupBy(letters, ({ x }) => Math.round(x / tolerance));
	return ({ text, left }, { box }) => {
		const step = Math.round(left / tolerance);
		const near = [step - 1, step, step + 1].flatMap((place) => byPlace.get(place) ?? []);
		return near.find((letter) => letter.text === text.normalize("NFKC") && letter.y >= box[1] && letter.y <= box[3]);
	};
}

function lettersOf({ glyphs = [], box }: Span): readonly Letter[] {
	const alefs = glyphs.filter((glyph) => alef.test(glyph.text) && !endsLigature(glyph));
	return alefs.map(({ text, left, right }) => ({ text: text.normalize("NFKC"), x: left, y: (box[1] + box[3]) / 2, width: right - left }));
}

/** An alef without a width of its own. */
function endsLigature({ text, left, right }: Glyph): boolean {
	return right - left < tolerance && alef.test(text);
}

/** Reads the alefs with a width from the page itself. */
function drawnAlefs(page: Page): readonly Letter[] {
	const letters: Letter[] = [];
	const read = (text: Text, matrix: Matrix) => {
		text.walk(alefWalker(matrix, letters));
		text.destroy();
	};
	const device = new mupdf.Device({ fillText: read, strokeText: (text, _, matrix) => read(text, matrix), ignoreText: read });
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
		showGlyph(font, own, glyph, code) {
			const text = code > 0 ? String.fromCodePoint(code) : "";
			if (glyph < 0 || !alef.test(text)) return;
			const [a, b, , , x, y] = mupdf.Matrix.concat(own, matrix);
			letters.push({ text: text.normalize("NFKC"), x, y, width: font.advanceGlyph(glyph) * Math.hypot(a, b) });
		},
	};
}
