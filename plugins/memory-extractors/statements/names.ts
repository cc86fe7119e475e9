/** Whether a sentence begins with a name and says something of it: `Klara now works …`, `Jun's wedding was …`. */

import { isStopWord } from "cairn-memory/words";
import { auxiliaries, isAdverb, isBase, isPast, isThird, isTimeless } from "./verbs.ts";

/** Capitalised words that begin a sentence and are no names. */
const notNames =
	/^(?:everyone|everybody|everything|someone|somebody|something|anyone|anybody|anything|nobody|nothing|people|things?|whoever|whatever|which|today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|one|two|three|many|most|some|few|such|another|next|last|maybe|perhaps|sounds|looks|seems|works|thanks|congrats|congratulations|happy|good|great|nice|hope|step|minutes|photo|figure|time|life|week|day|note)$/i;
/** How many words may stand between `Jun's` and its verb. */
const ownedWordsMax = 3;
const nameWordsMax = 4;

/** The number of words before the verb; 0 when it is no such sentence. */
export function nameLength(text: string): number {
	const words = text.split(/\s+/, nameWordsMax + ownedWordsMax + 4).map((word) => word.replaceAll("’", "'").replace(/[,;:.!]+$/, ""));
	const [first = ""] = words;
	if (
		!/^\p{Lu}/u.test(first) ||
		notNames.test(first) ||
		isStopWord(first.toLowerCase()) ||
		auxiliaries.has(first.toLowerCase()) ||
		isAdverb(first.toLowerCase()) ||
		/.ing$/.test(first)
	)
		return 0;
	let length = 1;
	while (length < nameWordsMax && continuesName(words, length)) length++;
	if (isBase(first.toLowerCase()) && length === 1) return 0;
	const isOwner = /(?:'s|s')$/.test(words[length - 1] ?? "");
	if (isOwner) while (length < nameWordsMax + ownedWordsMax && isNoun(words[length] ?? "")) length++;
	let verb = length;
	while (isAdverb(words[verb] ?? "") || /^(?:no|longer)$/.test(words[verb] ?? "")) verb++;
	return isVerb(words[verb] ?? "", isOwner ? "" : (words[length - 1] ?? "")) ? length : 0;
}

/** `Elena Novak`, `Nadia and Henrik`, `Hotel Meidan`, `Postgres 17`. */
function continuesName(words: readonly string[], i: number): boolean {
	const word = words[i] ?? "";
	if (/'s$/.test(words[i - 1] ?? "")) return false;
	return /^(?:\p{Lu}|\d)/u.test(word) || (/^(?:and|de|van|von|of)$/.test(word) && /^\p{Lu}/u.test(words[i + 1] ?? ""));
}

function isNoun(word: string): boolean {
	return /^[\p{L}-]+(?:'s)?$/u.test(word) && !auxiliaries.has(word) && !isAdverb(word) && (!isThird(word) || isBase(word)) && !isPast(word);
}

/** A plural such as `Dogs` takes no singular verb, and is no name. */
function isVerb(word: string, before: string): boolean {
	const isPlural = /[^s]s$/.test(before) && !/'s$/.test(before);
	return isThird(word) || isPast(word) || isTimeless(word) || (auxiliaries.has(word) && !(isPlural && /^(?:are|have|do|don't|aren't|haven't)$/.test(word)));
}
