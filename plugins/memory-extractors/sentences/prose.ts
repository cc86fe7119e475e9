/** Picks the sentences of an article or a manual that stand alone: declarative, with a named or definite subject, and telling. */

import { isStopWord } from "cairn-memory";
import { nameLength } from "./names.ts";
import { auxiliaries, finiteVerbAt, isBase, isPast } from "./verbs.ts";

export interface Telling {
	/** As read, without marks and without the connective at its beginning. */
	readonly text: string;
	readonly salience: number;
	/** Says of somebody by name how they live: what notes about people are made of, and never too much. */
	readonly isPersonal: boolean;
}

/** A sentence must have at least as many words to say something, and no more to be one memory. */
const wordsMin = 5;
/** `Jonas lives in Oslo` is short, and all there is to say. */
const personalWordsMin = 3;
const wordsMax = 45;
/** A named subject with a definition, a date, a number or a second name passes; a bland sentence does not. */
const salienceMin = 2;
/** A note of a few lines was written down because each of them matters. */
const noteSalienceMin = 1;
const subjectWordsMax = 12;
/** They point back to a sentence that the memory will not have beside it. */
const pointing =
	/^(?:it|its|they|their|them|he|she|his|her|this|that|these|those|there|here|such|both|another|other|others|some|many|most|several|few|each|either|one|we|our|you|your|i|my|who|what|which|how|why|when|where|whether|if|as|because|since|while|although|though|unless|until|after|before|once|then|now|instead|note|assume|suppose|consider|even|throughout|for example|in this|in these|to|let|please|not|no|yes|see|figure|table|all|and|or|also|thus|so|but|by|with|from|at)\b/i;
const connective =
	/^(?:however|moreover|furthermore|therefore|thus|consequently|additionally|in addition|for instance|for example|nevertheless|meanwhile|finally|indeed|of course|similarly|in fact|as a result|today|currently),\s+/i;
/** A name or a heading before a sentence, as minutes and notes have it. */
const label = /^\p{Lu}[\p{L}-]*(?: [\p{L}-]+)?\s*:\s+(?=\p{Lu})/u;
/** They speak to a reader. */
const address = /\b(?:you|your|yours|we|our|ours|us|I|my)\b/;
/** `The first is`, `An example of this`: a subject that lives in another sentence. */
const borrowed =
	/^the (?:first|second|third|last|latter|former|other|others|same|following|next|rest|result|reason|answer|problem|idea|difference|one)$|\b(?:this|these|those|its|such|their)\b/i;
const unclear =
	/\b(?:above|below|previous(?:ly)? (?:section|chapter)|this (?:chapter|section|page|guide|article|book|tutorial|document)|click|copyright|all rights reserved|cookies?|subscribe|newsletter|sign up|log in|isbn|et al)\b|https?:|www\.|[{}<>|=\\]|\[\d+\]|\.{3}|…|\s\.$|\bin (?:this|the following) \w+/i;
/** What people do, have and are, said of one who is named right before. */
const personal =
	/^\p{Lu}[\p{Ll}'’-]+(?: \p{Lu}[\p{Ll}'’.-]+){0,2} (?:(?:now|still|no longer|usually|always|never|also|recently|just) )?(?:(?:is|was) (?:\d+ years|allergic|married|engaged|divorced|pregnant|retired|vegetarian|vegan|from|born|afraid|fluent|based|called)|has (?:an?|no|two|three|four|five|\d+) |lives|lived|works|worked|moved|likes|liked|loves|loved|hates|dislikes|prefers|enjoys|owns|plays|studies|studied|speaks|wants|plans|needs|married|drives|uses|collects|repairs|repaired|reports to|resigned|became|retired|runs|manages|organi[sz]es?|will|prescribed|wrote|broke|passed|failed|signed|visited|moved out|elected|prefers|bought|sold|adopted|started|quit|joined|left|graduated|teaches|grew up|turned|weighs|earns|avoids|(?:can't|cannot|doesn't|does not) (?:eat|drink|like|live|work|drive|swim|speak))\b/u;
/** Two capitals that are no person. */
const borrowedName = /^(?:North|South|East|West|New|Old|Great|Saint|Project|Hotel|Lake|Mount|Cape|Port|Hall|Room|Chapter|Section|Part|Version)\b/;
const weak = /\b(?:may|might|could|perhaps|possibly|probably|would|should|can)\b/i;
const strong =
	/\b(?:is|was|are|were) (?:an? |the |one of |called|named|known|founded|born|located|based|built|made|used|defined|owned|led|written|completed|moved|set|due|scheduled|elected|appointed|approved|released|published|established|required|responsible)|\b(?:founded|invented|discovered|launched|released|acquired|approved|decided|requires?|consists?|contains?|costs?|measures|reports to|leads|owns|married|died|won|joined|became|opened|replaced|must)\b|\b(?:is|are|was|were) (?:about |around |over |at )?[\d$€£]/i;

/** The sentence as a memory could keep it, with its worth; null when it does not stand alone. */
export function tellingSentence(sentence: string, isNote: boolean): Telling | null {
	const text = sentence
		.replace(/(\*\*|__|`)/g, "")
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
		.trim()
		.replace(label, "")
		.replace(connective, (found) => (/^(?:today|currently)/i.test(found) ? found : ""));
	if (!/[.!]["”’)]?$/.test(text) || unclear.test(text) || pointing.test(text) || address.test(text)) return null;
	const words = text.split(/\s+/);
	const isPersonal = isAboutSomebody(text) && !isStopWord((words[0] ?? "").toLowerCase());
	if (words.length < (isPersonal ? personalWordsMin : wordsMin) || words.length > wordsMax || !isBalanced(text)) return null;
	const verb = finiteVerbAt(
		words.map((word) =>
			word
				.toLowerCase()
				.replace(/^[("'“]+|[)"'”,.;:]+$/g, "")
				.replaceAll("’", "'"),
		),
	);
	if (verb < 1 || verb > subjectWordsMax || !hasDefiniteSubject(words, verb)) return null;
	const salience = salienceOf(text, words, verb) + (isPersonal ? salienceMin : 0);
	return salience < (isNote ? noteSalienceMin : salienceMin) ? null : { text: text.charAt(0).toUpperCase() + text.slice(1), salience, isPersonal };
}

/** Two names, or one with a verb of people, and the verb right after. */
function isAboutSomebody(text: string): boolean {
	if (personal.test(text)) return true;
	const names = nameLength(text);
	return names > 0 && names < 4 && /^(?:\p{Lu}[\p{Ll}'’-]+ ){2}/u.test(text) && !borrowedName.test(text);
}

/** Brackets and quotes that open also close; otherwise it is a piece of something. */
function isBalanced(text: string): boolean {
	return text.split("(").length === text.split(")").length && text.split('"').length % 2 === 1 && /^["“'‘(]?[\p{L}\p{N}]/u.test(text);
}

/** `The council`, `Marie Curie`, `A neutron star is a`, `Photosynthesis is`: not `Running quickly`. */
function hasDefiniteSubject(words: readonly string[], verb: number): boolean {
	const [first = "", second = ""] = words;
	if (borrowed.test(words.slice(0, verb).join(" "))) return false;
	if (isImperative(first.toLowerCase(), second, verb) || isPast(first.toLowerCase())) return false;
	if (/^the$/i.test(first)) return verb > 1;
	const isDefinition = /^(?:is|are)$/.test(words[verb] ?? "") && /^(?:an?|the|one)$/.test(words[verb + 1] ?? "");
	if (/^an?$/i.test(first)) return isDefinition && verb > 1;
	if (/^in$/i.test(first)) return /^(?:\d{4},?|\p{Lu}\p{L}+)/u.test(second);
	return /^\p{Lu}/u.test(first) && !/ly,?$/.test(first) && !isStopWord(first.toLowerCase()) && !/ing$/.test(first) && !auxiliaries.has(first.toLowerCase());
}

/** `Call the office at …` asks; `Work is …` tells. */
function isImperative(first: string, second: string, verb: number): boolean {
	return (isBase(first) && verb > 1) || /^(?:whether|that|how|why)$/.test(second);
}

function salienceOf(text: string, words: readonly string[], verb: number): number {
	const names = words.slice(1).filter((word) => /^\p{Lu}\p{Ll}/u.test(word)).length;
	let salience = Math.min(2, names * 0.5);
	if (/\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|every|half|third)\b/i.test(text)) salience += 1;
	if (strong.test(text)) salience += 1.5;
	if (/^(?:the\s|\p{Lu}\p{L}+\s+\p{Lu})/iu.test(text) && verb <= 5) salience += 0.5;
	if (nameLength(text) > 0) salience += 0.5;
	if (/\b(?:not|no|never|nobody|\w+n['’]t)\b/.test(text)) salience += 0.5;
	if (weak.test(text)) salience -= 1;
	if (words.length > 30) salience -= 0.5;
	if (/["“”]/.test(text)) salience -= 0.5;
	return salience;
}
