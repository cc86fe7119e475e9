/** A sentence that states several things of its speaker, taken apart: `I am a nurse and my brother sells boats`. */

import { auxiliaries, isAdverb, isPast, isThird, isTimeless } from "./verbs.ts";

/** Shorter is no fact of its own. */
const wordsMin = 4;
const charactersMax = 800;
const border = /(?:,\s+|\s+)(?:and|but|plus|while)\s+(?=(?:I|my|our|we)\b)|;\s+|\s+[–—]\s+|\s*(?:\.{2,}|…)\s*(?=(?:I|my|our|we)\b)/u;
/** Where the whole states nothing, what follows may. */
const anyBorder =
	/(?:,\s+|\s+)(?:and|but|plus|while|so|because|cause|since|although|though)\s+(?=(?:I|my|our|we)\b)|,\s+which (?:\w+ )?means (?:that )?(?=(?:I|my|we)\b)|,\s+(?=(?:I|my|we)\b)|;\s+|\s+[–—]\s+|\s*(?:\.{2,}|…)\s*(?=(?:I|my|our|we)\b)/iu;
/** What hangs on a condition or a thought does so to the end. */
const hanging =
	/\b(?:when|whenever|if|because|since|while|although|though|that|who|which|what|how|where|whether|after|before|until|unless|than|as|think|know|said|told|says|hope|wish|between|both|either|neither|not only|so)\b/i;
/** The part points into the one before it. */
const pointing = /\b(?:it|its|them|they|their|he|she|him|her|his|that|there|one|this|those|these|too|instead|both|same|ones?)\b/i;
/** What is over stays beside what came after it. */
const over = /\b(?:no longer|not|\w+n['’]t|anymore|any more|instead|used to|stopped|quit|left|gave up)\b/i;

/** The parts, each with a subject of its own; the sentence alone where they belong together. */
export function clausesOf(text: string): readonly string[] {
	const parts = text.length > charactersMax ? [text] : text.split(border);
	if (parts.length === 1 || parts.slice(0, -1).some((part) => hanging.test(part) || over.test(part))) return [text];
	const isApart = parts.every((part, i) => standsAlone(part) && (i === 0 || !pointing.test(part)));
	return isApart ? parts : [text];
}

/** The parts of a sentence that as a whole states nothing. */
export function remainsOf(text: string): readonly string[] {
	const parts = text.length > charactersMax ? [text] : text.split(anyBorder);
	return parts.length === 1 ? [] : parts.filter((part, i) => standsAlone(part) && (i === 0 || !pointing.test(part)));
}

function standsAlone(part: string): boolean {
	const words = part.toLowerCase().replaceAll("’", "'").split(/\s+/);
	return words.length >= wordsMin && /^(?:I|my|our|we)\b/i.test(part) && hasVerb(words);
}

/** `my brother named Tom` has none. */
function hasVerb(words: readonly string[]): boolean {
	if (/^(?:i|we)(?:'(?:m|ve|ll|d|re))?$/.test(words[0] ?? "")) return true;
	return words
		.slice(2)
		.some((word) => auxiliaries.has(word) || ((isThird(word) || isPast(word) || isTimeless(word)) && !isAdverb(word) && !/^(?:called|named)$/.test(word)));
}
