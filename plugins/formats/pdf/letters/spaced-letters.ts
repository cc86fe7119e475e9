/** Words whose letters were set apart, as in some headings: the gaps between them are no spaces. */

import type { Glyph } from "./right-to-left.ts";

/** Three single signs one after the other; asked for every stretch of every page. */
const maybeSpaced = / [^ .] [^ .] [^ .] /;

/** So many letters in a row are a word set apart; fewer do where the space after a word has been written beside the gaps. */
const [lettersMin, lettersBesideSpace] = [6, 4];
const shortest = 6;
/** A gap this much wider than the usual one of a line lies between words. */
const wordGap = 1.5;

export function maybeSpacedOut(text: string): boolean {
	return text.length > shortest && maybeSpaced.test(text);
}

/** MuPDF puts a space into each gap; those that were written are others. */
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

/** Letters alone between spaces, from there on; of anything else one sign. */
function endOfRun(glyphs: readonly Glyph[], from: number): number {
	const isSpace = (at: number) => glyphs[at] === undefined || glyphs[at]?.text === " ";
	const standsAlone = (at: number) => /^[\p{L}\p{N}&’'-]$/u.test(glyphs[at]?.text ?? "") && isSpace(at - 1) && isSpace(at + 1);
	let end = from;
	while (end < glyphs.length && (isSpace(end) || standsAlone(end))) end++;
	return Math.max(from + 1, end);
}
