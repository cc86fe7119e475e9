/** Splits a long text into pieces of limited length: between sentences if possible, else between words, else between characters. */

import { type Span, sentenceSpans, trimmed } from "./sentence-spans.ts";

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: "word" });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** A better boundary is used only if the piece keeps at least this share of the allowed length. */
const filledShareMin = 0.4;

export type SplitAt = "sentences" | "lines";

/** Spans of at most `unitsMax` UTF-16 units, in order, without the whitespace between them. The time is linear, since each piece reads only its own window. */
export function splitText(text: string, unitsMax: number, splitAt: SplitAt = "sentences"): readonly Span[] {
	const width = Math.max(1, Math.floor(unitsMax));
	const spans: Span[] = [];
	for (let from = 0; from < text.length; ) {
		from += leadingSpace(text, from);
		const to = text.length - from <= width ? text.length : from + boundary(text.slice(from, from + width + 1), width, splitAt);
		const span = trimmed(text, from, to);
		if (span !== null) spans.push(span);
		from = to;
	}
	return spans;
}

function leadingSpace(text: string, from: number): number {
	let end = from;
	while (end < text.length && /\s/.test(text.charAt(end))) end++;
	return end - from;
}

/** Where to cut a window that is one unit longer than the width. */
function boundary(window: string, width: number, splitAt: SplitAt): number {
	const lengthMin = width * filledShareMin;
	const line = splitAt === "lines" ? window.lastIndexOf("\n") : -1;
	if (line >= lengthMin) return line;
	const sentence = splitAt === "sentences" ? sentenceEnd(window) : 0;
	if (sentence >= lengthMin) return sentence;
	const word = lastStart(wordSegmenter, window, width);
	if (word >= lengthMin) return word;
	const grapheme = lastStart(graphemes, window, width);
	if (grapheme > 0) return grapheme;
	return (window.charCodeAt(width) & 0xfc00) === 0xdc00 && width > 1 ? width - 1 : width; // one character with a thousand accents
}

/** The end of the last sentence that is followed by another one in the window; 0 if there is none. */
function sentenceEnd(window: string): number {
	const spans = sentenceSpans(window);
	return spans.length > 1 ? (spans.at(-2)?.[1] ?? 0) : 0;
}

/** Where the last segment begins that starts at or before the width. */
function lastStart(segmenter: Intl.Segmenter, window: string, width: number): number {
	const tail = Math.max(0, width - 256); // no word is longer than this
	const from = (window.charCodeAt(tail) & 0xfc00) === 0xdc00 ? tail - 1 : tail;
	let last = 0;
	for (const { index } of segmenter.segment(window.slice(from))) {
		if (from + index > width) break;
		if (index > 0) last = from + index;
	}
	return last;
}
