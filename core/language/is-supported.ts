/** Whether the words, names and numbers of a memory occur in its source. This is checked without a model, since a model may misread, invent, or obey the text. */

import { indexWords, isStopWord, normalize } from "../ranking/words.ts";
import { matchesAny } from "./compare-words.ts";

/** The share of a memory's significant words that must occur in the quote or around it; the model may choose the other words. */
const shareMin = 0.5;
/** Words that every memory may use, even if the document does not. */
const alwaysAllowed = new Set(indexWords("user said says is are has have was were will name named called"));

export interface Claim {
	readonly text: string;
	readonly quote: string;
	/** The chunk of the quote and the text above it, where the name is that a pronoun refers to. */
	readonly context: string;
	/** Dates computed from the text, such as "next Friday", in the form `2026-01-31`. */
	readonly dates: readonly string[];
}

export function isSupported({ text, quote, context, dates }: Claim): boolean {
	const significant = [...new Set(indexWords(text))].filter((word) => !isStopWord(word) && !alwaysAllowed.has(word));
	if (significant.length === 0) return false;
	const inQuote = [...new Set(indexWords(quote))];
	if (!significant.some((word) => matchesAny(word, inQuote))) return false;
	const sourceWords = [...new Set([...inQuote, ...indexWords(context)])];
	if (significant.filter((word) => matchesAny(word, sourceWords)).length < shareMin * significant.length) return false;
	// A number that is nowhere in the document is invented, unless it is part of a computed date.
	const source = `${quote}\n${context}`;
	const numbers = new Set([...numbersIn(source), ...dates.flatMap((date) => date.split("-").flatMap((piece) => [piece, String(Number(piece))]))]);
	const words = normalize(source).split(wordSeparator);
	return numbersIn(text).every((number) => numbers.has(number)) && namesIn(text).every((name) => matchesAny(name, words));
}

const wordSeparator = /[^\p{L}\p{N}\p{M}]+/u;

/** The numbers of a text without thousands separators: `1,200` is `1200`. */
function numbersIn(text: string): readonly string[] {
	return text.replaceAll(/(?<=\d)[.,'’ ](?=\d{3}(?!\d))/g, "").match(/\d+/g) ?? [];
}

/** Capitalised words at the beginning of a sentence that are not names, in common languages. */
const sentenceStarts = new Set(
	"der die das ein eine den dem des und les une des est los las una uno del por para gli dos uma het een den det och som ett med quando when since while after before during according both each every many most some several people someone everyone there here today yesterday tomorrow".split(
		" ",
	),
);
const calendar = new Set(
	"january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday".split(" "),
);

/** The capitalised words of a text, including its first. In German these are all nouns, which must occur in the source too. */
function namesIn(text: string): readonly string[] {
	const capitalised = [...text.matchAll(/(?:^["“„«'‘]?|(?<=[\p{Ll}\p{N},;]\s|\bDr\.\s|\bM(?:rs?|s)\.\s))(\p{Lu}[\p{L}\p{M}]+)/gu)].map(([, name]) =>
		normalize(name ?? ""),
	);
	return capitalised.filter((name) => !isStopWord(name) && !sentenceStarts.has(name) && !calendar.has(name) && name !== "user");
}
