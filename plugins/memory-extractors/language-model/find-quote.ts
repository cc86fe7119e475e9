/** Finds the quote of a memory in the text: literally, or otherwise ignoring differences in white space, quotation marks and dashes. */

import type { Chunk } from "cairn-memory";

export interface QuotePlace {
	readonly chunk: Chunk;
	readonly span: readonly [begin: number, end: number];
}

/** Quotes with fewer letters occur by chance and prove nothing. */
const lettersMin = 4;
const charactersMax = 1_000;
const interchangeableCharacters: readonly (readonly [alike: RegExp, any: string])[] = [
	[/['’‘`]/g, "['’‘`]"],
	[/["“”„«»]/g, '["“”„«»]'],
	[/[-–—‐‑]/g, "[-–—‐‑]"],
];

/** Null if the quote is in none of the chunks: the model has made it up. */
export function findQuote(quote: string, chunks: readonly Chunk[]): QuotePlace | null {
	const wanted = quote.trim();
	if (wanted.length > charactersMax || (wanted.match(/[\p{L}\p{N}]/gu) ?? []).length < lettersMin) return null;
	for (const chunk of chunks) {
		const begin = chunk.text.indexOf(wanted);
		if (begin >= 0) return { chunk, span: [begin, begin + wanted.length] };
	}
	const loose = loosePattern(wanted);
	for (const chunk of chunks) {
		const match = loose.exec(chunk.text);
		if (match !== null) return { chunk, span: [match.index, match.index + match[0].length] };
	}
	return null;
}

/** A pattern without ambiguity between words, so that matching takes linear time. */
function loosePattern(wanted: string): RegExp {
	const words = wanted
		.split(/\s+/)
		.map((word) => interchangeableCharacters.reduce((pattern, [alike, any]) => pattern.replace(alike, any), escapeForRegExp(word)));
	return new RegExp(words.join("\\s+"), "u");
}

/** Hyphens are not escaped: they need it only inside brackets, and are replaced by a character class here. */
function escapeForRegExp(word: string): string {
	return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
