/** The question at the end of a sentence, bare: `So, do you still live in Ghent?` → `do you still live in Ghent`. */

import { withoutOpeners } from "../said.ts";

const questionWords = "what|which|where|when|who|whom|how|are|were|is|was|do|does|did|have|has|can|will";
const begin = new RegExp(String.raw`(?:^|[,;:.–—-]\s+|\b(?:and|but|so|or)\s+)((?:${questionWords})(?:['’](?:s|re))?\s(?!of\b).*)$`, "iu");
/** They stand before or behind what is asked. */
const loose =
	/\s+(?:(?:or|and) (?:something|anything|so|not|what|whatever)|too|also|as well|then|though|these days|right now|at the moment|currently|now|exactly|by the way|anyway|usually|normally|typically|yourself|if (?:you don['’]t mind|I may|I can)(?: .*)?)$/i;
const looseInside = /\b(?:actually|really|even|currently|usually|normally|typically|by any chance|guys|all) (?=\p{L})/giu;
/** What they mean stands elsewhere, and a choice of two is no question of yes and no. */
const unclear =
	/\b(?:it|its|that|this|these|those|them|they|their|he|she|him|her|his|there|here|one|ones|I|me|my|mine|we|us|our|anything|something|anyone|someone|anybody|somebody|everything|anywhere|else|either|same|such|or)\b/i;

/** There `you` is the one who does it: `since you moved`. */
const inClause = /\b(since|when|whenever|as|if|that|before|after|while|because|where|how|what|until|once|than|though|although) you\b/gi;

export function askedIn(sentence: string): string | null {
	const mark = sentence.lastIndexOf("?");
	if (mark < 0 || mark < sentence.length - 4) return null;
	const [, found] = begin.exec(withoutOpeners(sentence.slice(0, mark).trim())) ?? [];
	if (found === undefined) return null;
	let bare = found.replaceAll("’", "'").replace(looseInside, "");
	for (let i = 0; i < 2; i++) bare = bare.replace(loose, "");
	return unclear.test(bare) || bare.length > 120 ? null : bare.charAt(0).toLowerCase() + bare.slice(1);
}

/** What was asked of the other, as the other says it: `your` → `my`. */
export function turned(words: string): string {
	return words
		.replace(/\byours\b/gi, "mine")
		.replace(/\byourself\b/gi, "myself")
		.replace(/\byour\b/gi, "my")
		.replace(inClause, "$1 I")
		.replace(/\byou\b/gi, "me");
}
