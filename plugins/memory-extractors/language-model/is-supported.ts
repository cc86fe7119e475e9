/** Whether a memory says what its quote says. A model may misread, make up, or obey what it reads; this does not ask it. */

import { indexWords, isStopWord, normalize } from "cairn";

/** Of the telling words of a memory, so many stand in the quote or around it; the others are the model's way to put it. */
const shareMin = 0.5;
/** What every memory may say although the document does not. */
const own = new Set(indexWords("user said says is are has have was were will name named called"));

export interface Claim {
	readonly text: string;
	readonly quote: string;
	/** The chunk of the quote and what stands above it: a pronoun's name is there. */
	readonly around: string;
	/** Days that were worked out, as `2026-01-31`. */
	readonly dates: readonly string[];
}

export function isSupported({ text, quote, around, dates }: Claim): boolean {
	const telling = [...new Set(indexWords(text))].filter((word) => !isStopWord(word) && !own.has(word));
	if (telling.length === 0) return false;
	const inQuote = new Set(indexWords(quote));
	if (!telling.some((word) => inQuote.has(word))) return false;
	const known = new Set([...inQuote, ...indexWords(around)]);
	if (telling.filter((word) => known.has(word)).length < shareMin * telling.length) return false;
	return numbersIn(text).every((number) => stands(number, around, quote, dates)) && namesIn(text).every((name) => stands(name, around, quote, []));
}

/** A number that stands nowhere is made up, unless it is part of a day that was worked out. */
function numbersIn(text: string): readonly string[] {
	return text.match(/\d+/g) ?? [];
}

/** Words with a capital inside of a sentence. In German that is every noun, and those must stand there as well. */
function namesIn(text: string): readonly string[] {
	const months =
		/^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|User)$/;
	return [...text.matchAll(/(?<=[\p{Ll}\p{N},;]\s)\p{Lu}[\p{L}\p{M}]+/gu)].map(([name]) => name).filter((name) => !months.test(name));
}

function stands(part: string, around: string, quote: string, dates: readonly string[]): boolean {
	const plain = normalize(part);
	if (normalize(quote).includes(plain) || normalize(around).includes(plain)) return true;
	return dates.some((date) => date.split("-").some((piece) => Number(piece) === Number(part)));
}
