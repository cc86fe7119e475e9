/** Whether a memory says what its quote says, decided without a model: a model may misread, invent, or obey the text. */

import { indexWords, isStopWord, normalize } from "../ranking/words.ts";
import { matchesAny } from "./plainly.ts";

/** This share of a memory's significant words has to be in the quote or around it; the model words the rest. */
const shareMin = 0.5;
/** Words that every memory may use although the document does not. */
const own = new Set(indexWords("user said says is are has have was were will name named called"));

export interface Claim {
	readonly text: string;
	readonly quote: string;
	/** The chunk of the quote and what stands above it: a pronoun's name is there. */
	readonly around: string;
	/** Computed dates, as `2026-01-31`. */
	readonly dates: readonly string[];
}

export function isSupported({ text, quote, around, dates }: Claim): boolean {
	const significant = [...new Set(indexWords(text))].filter((word) => !isStopWord(word) && !own.has(word));
	if (significant.length === 0) return false;
	const inQuote = [...new Set(indexWords(quote))];
	if (!significant.some((word) => matchesAny(word, inQuote))) return false;
	const known = [...new Set([...inQuote, ...indexWords(around)])];
	if (significant.filter((word) => matchesAny(word, known)).length < shareMin * significant.length) return false;
	// A number that is nowhere in the document is invented, unless it is part of a computed date.
	const said = `${quote}\n${around}`;
	const numbers = new Set([...numbersIn(said), ...dates.flatMap((date) => date.split("-").flatMap((piece) => [piece, String(Number(piece))]))]);
	const words = normalize(said).split(notInWords);
	return numbersIn(text).every((number) => numbers.has(number)) && namesIn(text).every((name) => matchesAny(name, words));
}

const notInWords = /[^\p{L}\p{N}\p{M}]+/u;

/** `1,200` is 1200. */
function numbersIn(text: string): readonly string[] {
	return text.replaceAll(/(?<=\d)[.,'’ ](?=\d{3}(?!\d))/g, "").match(/\d+/g) ?? [];
}

/** What a sentence begins with that is no name, in languages that are written often. */
const openings = new Set(
	"der die das ein eine den dem des und les une des est los las una uno del por para gli dos uma het een den det och som ett med quando when since while after before during according both each every many most some several people someone everyone there here today yesterday tomorrow".split(
		" ",
	),
);
const calendar = new Set(
	"january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday".split(" "),
);

/** Words with a capital: the first, which says of whom it is, and those inside. In German that is every noun, and those must stand there as well. */
function namesIn(text: string): readonly string[] {
	const capitals = [...text.matchAll(/(?:^["“„«'‘]?|(?<=[\p{Ll}\p{N},;]\s|\bDr\.\s|\bM(?:rs?|s)\.\s))(\p{Lu}[\p{L}\p{M}]+)/gu)].map(([, name]) =>
		normalize(name ?? ""),
	);
	return capitals.filter((name) => !isStopWord(name) && !openings.has(name) && !calendar.has(name) && name !== "user");
}
