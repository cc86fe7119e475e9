/** Finds the quote of a memory in the text: character by character, else ignoring white space and kinds of quotation marks. */

import type { Chunk } from "cairn-memory";

export interface QuotePlace {
	readonly chunk: Chunk;
	readonly span: readonly [begin: number, end: number];
}

/** Fewer letters stand everywhere and prove nothing. */
const lettersMin = 4;
const charactersMax = 1_000;
const marks: readonly (readonly [alike: RegExp, any: string])[] = [
	[/['’‘`]/g, "['’‘`]"],
	[/["“”„«»]/g, '["“”„«»]'],
	[/[-–—‐‑]/g, "[-–—‐‑]"],
];

/** Null when they stand nowhere: then it was made up. */
export function findQuote(quote: string, chunks: readonly Chunk[]): QuotePlace | null {
	const wanted = quote.trim();
	if (wanted.length > charactersMax || (wanted.match(/[\p{L}\p{N}]/gu) ?? []).length < lettersMin) return null;
	for (const chunk of chunks) {
		const begin = chunk.text.indexOf(wanted);
		if (begin >= 0) return { chunk, span: [begin, begin + wanted.length] };
	}
	const loose = looseness(wanted);
	for (const chunk of chunks) {
		const match = loose.exec(chunk.text);
		if (match !== null) return { chunk, span: [match.index, match.index + match[0].length] };
	}
	return null;
}

/** Takes time in proportion to the text: between two words there is nothing to choose. */
function looseness(wanted: string): RegExp {
	const words = wanted.split(/\s+/).map((word) => marks.reduce((pattern, [alike, any]) => pattern.replace(alike, any), escaped(word)));
	return new RegExp(words.join("\\s+"), "u");
}

/** A hyphen needs none outside of brackets, and becomes a class of its own. */
function escaped(word: string): string {
	return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
