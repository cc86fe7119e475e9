/** Closes up letter-spaced words, as in some headings. */

import type { Glyph } from "./right-to-left.ts";

/** Three single characters in a row. */
const threeSingleCharacters = / [^ .] [^ .] [^ .] /;

/** This many single letters are a letter-spaced word. Fewer are enough if the file has real spaces between words. */
const [lettersMin, lettersBesideSpace] = [6, 4];
const charactersMin = 6;
/** A gap this many times the median gap of the line separates words. */
const wordGap = 1.5;

/** Whether a text may be letter-spaced. A fast test, since it is called for every span. */
export function maybeLetterSpaced(text: string): boolean {
	return text.length > charactersMin && threeSingleCharacters.test(text);
}

/** Removes the spaces that MuPDF inserted between the letters of a word. Spaces that are in the file stay. */
export function closeSpacedWords(glyphs: readonly Glyph[]): string {
	const gaps = glyphs.filter(({ isInserted }) => isInserted).map(({ left, right }) => right - left);
	const medianGap = gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
	let result = "";
	for (let index = 0; index < glyphs.length; ) {
		const end = endOfRun(glyphs, index);
		const run = glyphs.slice(index, end);
		const letters = run.filter(({ text }) => text !== " ").length;
		const isSpaced = letters >= (run.some(({ text, isInserted }) => text === " " && !isInserted) ? lettersBesideSpace : lettersMin);
		result += (isSpaced ? run.filter((glyph) => !(glyph.isInserted && glyph.right - glyph.left < medianGap * wordGap)) : run).map(({ text }) => text).join("");
		index = end;
	}
	return result;
}

/** The end of the run of single letters that begins at `from`; the next character if there is no such run. */
function endOfRun(glyphs: readonly Glyph[], from: number): number {
	const isSpace = (index: number) => glyphs[index] === undefined || glyphs[index]?.text === " ";
	const isSingleLetter = (index: number) => /^[\p{L}\p{N}&’'-]$/u.test(glyphs[index]?.text ?? "") && isSpace(index - 1) && isSpace(index + 1);
	let end = from;
	while (end < glyphs.length && (isSpace(end) || isSingleLetter(end))) end++;
	return Math.max(from + 1, end);
}
