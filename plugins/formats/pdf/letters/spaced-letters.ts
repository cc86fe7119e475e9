/** Closes up letter-spaced words, as in some headings. */

import type { Glyph } from "./right-to-left.ts";

/** A quick test, called for every span: three single characters in a row. */
const maybeSpaced = / [^ .] [^ .] [^ .] /;

/** So many single letters are a letter-spaced word; fewer are enough where real spaces separate the words. */
const [lettersMin, lettersBesideSpace] = [6, 4];
const shortest = 6;
/** A gap this many times the usual one of the line separates words. */
const wordGap = 1.5;

export function maybeSpacedOut(text: string): boolean {
	return text.length > shortest && maybeSpaced.test(text);
}

/** MuPDF inserts a space for each gap; these are distinguished from spaces in the file. */
export function closedUp(glyphs: readonly Glyph[]): string {
	const gaps = glyphs.filter(({ isPutIn }) => isPutIn).map(({ left, right }) => right - left);
	const usual = gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
	let read = "";
	for (let at = 0; at < glyphs.length; ) {
		const end = endOfRun(glyphs, at);
		const run = glyphs.slice(at, end);
		const letters = run.filter(({ text }) => text !== " ").length;
		const isSpaced = letters >= (run.some(({ text, isPutIn }) => text === " " && !isPutIn) ? lettersBesideSpace : lettersMin);
		read += (isSpaced ? run.filter((glyph) => !(glyph.isPutIn && glyph.right - glyph.left < usual * wordGap)) : run).map(({ text }) => text).join("");
		at = end;
	}
	return read;
}

/** The end of a run of single letters; for anything else, one character further. */
function endOfRun(glyphs: readonly Glyph[], from: number): number {
	const isSpace = (at: number) => glyphs[at] === undefined || glyphs[at]?.text === " ";
	const standsAlone = (at: number) => /^[\p{L}\p{N}&’'-]$/u.test(glyphs[at]?.text ?? "") && isSpace(at - 1) && isSpace(at + 1);
	let end = from;
	while (end < glyphs.length && (isSpace(end) || standsAlone(end))) end++;
	return Math.max(from + 1, end);
}
