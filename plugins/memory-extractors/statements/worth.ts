/** Whether a statement is worth keeping: it states something, and somebody could want to know it later. */

import { isIdle, thought } from "./noise.ts";
import type { Sentence } from "./read-sentences.ts";
import { auxiliaries, isAdverb, isBase, isPast, isPlainVerb, isTimeless } from "./verbs.ts";
import { nameLength, type Words, wordsOf } from "./words.ts";

const questionStart =
	/^(?:(?:so|and|but|then|ok|hey|or) )?(?:(?:what|who|whom|whose|which|when|where|why|how)\b(?:['’]s)?\s+(?:is|are|was|were|do|does|did|can|could|would|should|will|have|has|about|many|much|long|often|old|come|else|the|if)\b|(?:do|does|did|are|is|was|were|can|could|would|will|should|have|has|may|shall|any)\s+(?:you|i|we|they|he|she|it|there|your|my|the|this|that|anyone|plans?|idea)\b)/i;
/** What is asked of somebody. */
const request =
	/^(?:(?:then|so|and|but|also|or|just|now),? )?(?:please|kindly|let['’]?s|let me|go ahead|tell|show|give|write|explain|summari[sz]e|translate|list|generate|create|draft|rewrite|fix|find|help|suggest|recommend|compare|describe|calculate|check|compute|convert|define|search|look|make|add|remove|update|delete|change|send|open|run|try|imagine|assume|act|pretend|consider|wait|stop|continue|proceed|forget|ignore|remind|don['’]?t|do not|be|bring|come|keep|start|think|remember|read|click|press|subscribe|see|note|enjoy)\b/i;
/** A rule for all that comes, and no single wish: `use pnpm, not npm`, `always answer in Dutch`. */
const rule =
	/^(?:please )?(?:always|never|from now on|in (?:the )?future|by default|going forward|whenever you|every time you)\b(?! (?:been|had|did|was|got|heard|seen|thought|knew|a\b|the\b|fun|nice|good))|^(?:please )?(?:use|prefer|write|answer|reply|speak|call me|address me|name|avoid|keep|format|sign)\b.*\b(?:not|instead of|rather than|over|without|only|unless|in (?:\p{Lu}\p{L}+|metric|bullet|plain|british))\b|^(?:please )?(?:call me|(?:don['’]?t|do not) (?:use|call|write|add|ever|mention|suggest|touch|change|edit|delete|remove|push|commit|deploy)|avoid|stick to)\b/iu;
const advice = /\byou(?:['’]d| should| could| can| might| may| must| need to| have to| ought| better| want to| will| would|['’]ll)\b/i;
/** What somebody undertakes or has done for the other. */
const promise =
	/\b(?:I|we)(?:['’]ll|['’]ve| will| have| can offer| am| are|['’]m)\b(?!.*\b(?:help you with|happy to|glad to|sorry|afraid|assist you|here to)\b)|\b(?:booked|confirmed|scheduled|refund(?:ed)?|shipped|delivered|reserved|cancelled|approved|changed to|all set)\b/i;
const record =
	/\byou(?:r|['’]re)\b|\b(?:case|order|booking|ticket|reference|invoice|appointment|delivery|warranty|deposit|account|contract|price|fee|costs?|free|pay|paid|due|opens?|closes?|address|phone|number|code|deadline|arrives?|comes|starts?|ends?|until|before|after|by|from)\b/i;
const second = /(?<![\p{L}])you(?:r|rs|rself|['’]\p{L}+)?(?![\p{L}])/iu;
/** Words that no sentence ends with: somebody broke off, or was cut short. */
const brokenOff =
	/(?:^|[^\p{L}])(?:the|an?|of|to|and|but|or|so|if|because|cause|than|is|are|was|were|my|your|our|their|very|that the|you know|i mean|probably|just|like|with|from)[.,!…—–-]*$|[—–-][.]*$/iu;
const lastCharacters = 20;
/** `the f the buttons`: a word that was begun and left. */
const cutWord = /[\p{Ll},] [bcfghjklnpqrvwz] \p{Ll}/u;
const stammer = /(?<![\p{L}])(?:eh+|er+m?|um+|uh+)(?![\p{L}])/giu;
const boilerplate =
	/\b(?:click|copyright|all rights reserved|cookies? (?:policy|settings)|subscribe|sign up|log in|isbn|unsubscribe|privacy policy)\b|[{}<>=\\]{2}|\s\.$|<\/?\p{L}+[ >]/iu;
const pointing = /^(?:see|figure|table|chapter|section|page)\b/i;
const charactersMax = 600;
/** Who speaks so long without a stop thinks aloud. */
const spokenCharactersMax = 400;
/** What somebody says of nothing named is mostly an opinion; with so many telling words it may be more. */
const opinionTellingMin = 5;
/** `The key is under the geranium`. */
const placed =
	/^(?:the|this year['’]s|next) (?:\p{L}+ ){1,4}?(?:is|are|was|will be|stays?)(?: now| still| always)? (?:in|on|at|under|behind|near|next to|opposite|inside|above|below|with|by|from)\b|^the \p{L}+['’]s (?:now |still )?(?:in|on|at|under|behind|near|with)\b/iu;
/** So many telling words say something although no verb is known among them. */
const verblessTellingMin = 5;
/** An assistant that writes more in one turn writes a text, and tells nothing of anybody. */
const essayLength = 700;

/** @param text without what greets before it and laughs behind it. */
export function isWorthKeeping(text: string, sentence: Sentence, talkers: ReadonlySet<string>, turnLength: number): boolean {
	if (text.length > charactersMax || text.length < 4 || text.includes("?") || text.includes("？") || boilerplate.test(text)) return false;
	const { speaker } = sentence.context;
	const words = wordsOf(text, talkers);
	if (isBroken(text, words)) return false;
	if (words.telling === 0 && !(words.hasFigure && words.all.length > 1)) return false;
	if (sentence.kind === "row") return words.all.length > 1;
	if (speaker === null) return statesOfThings(text, words, sentence);
	if (speaker.role === "writer" && statesOfThings(text, words, sentence)) return true;
	if (speaker.role === "assistant") return turnLength <= essayLength && statesForLater(text, words);
	if (speaker.role === "person" && (text.length > spokenCharactersMax || /^[[(]/.test(text))) return false;
	return words.isForeign ? saysInOtherTongue(text, words) : saysOfLife(text, words, sentence);
}

/** Clauses of a licence. */
const shouted = /^[^\p{Ll}]{60,}$/u;

/** In a document: it states something of the thing that the document is about. */
function statesOfThings(text: string, words: Words, { kind, context }: Sentence): boolean {
	if (questionStart.test(text) || pointing.test(text) || isIdle(text) || (kind === "text" && /:\s*$/.test(text)) || shouted.test(text)) return false;
	const hasSpecific = words.hasFigure || words.hasName || nameLength(text) > 0;
	if (isImperative(text)) return words.hasFigure && words.telling >= 2;
	if (advice.test(text) && !hasSpecific) return false;
	if (kind === "item") return context.headings.length > 0 && !isEntry(text, words) && (words.telling >= 2 || hasSpecific);
	if (!words.hasVerb && !words.isForeign) return words.hasFigure && words.telling >= 2;
	return words.telling >= (hasSpecific ? 2 : 3);
}

/** An entry of a list of names, links, titles or contents, where nothing is stated. */
function isEntry(text: string, { hasVerb, telling }: Words): boolean {
	if (
		/^(?:[^:]{0,40}: ?)?<?(?:https?:|www\.)\S*(?: \S+)?$/.test(text) ||
		/#\d+\)?\.?$/.test(text.trim()) ||
		/^(?:no|not much) (?:new |further |more )?(?:updates?|changes?|progress|concerns?|discussion)\b/i.test(text)
	)
		return true;
	if (hasVerb || text.includes(": ")) return false;
	const plain = text.replace(/\([^)]*\)/g, " ").replace(/[.,;]+(?= |$)/g, "");
	const isNamesAlone = /^(?:@?[\p{Lu}@][\p{L}\p{N}@'’._/-]*|and|&|of|de|van|von|\s|-)+$/u.test(plain) && !/\d/.test(plain);
	return isNamesAlone || (telling < 3 && !/\d/.test(text));
}

/** Somebody broke off, or stammers. */
function isBroken(text: string, { all, telling }: Words): boolean {
	return (
		brokenOff.test(text.slice(-lastCharacters)) ||
		cutWord.test(text) ||
		(text.match(stammer)?.length ?? 0) * 6 > all.length ||
		(/(?:\.{2,}|…)\s*$/.test(text) && telling < 3) ||
		/\[(?:inaudible|crosstalk)/i.test(text)
	);
}

/** From an assistant or an agent: what is promised, booked, counted or due, and no talk. */
function statesForLater(text: string, words: Words): boolean {
	if (isIdle(text) || isImperative(text) || questionStart.test(text)) return false;
	const hasSpecific = words.hasFigure || words.hasName;
	if (promise.test(text)) return hasSpecific && words.telling >= 1;
	return words.hasFigure && words.telling >= 2 && record.test(text);
}

/** From a person: their life, and what they name. */
function saysOfLife(text: string, words: Words, { context }: Sentence): boolean {
	if (rule.test(text) && words.telling >= 2) return true;
	if (questionStart.test(text) || isIdle(text)) return false;
	const hasSpecific = words.hasFigure || words.hasName || nameLength(text) > 0;
	if (isImperative(text) || request.test(text)) return context.to === null && words.hasFigure && words.telling >= 3;
	if (advice.test(text) && !/\bI(?:['’]|\b)/.test(text)) return words.hasFigure && words.telling >= 3;
	if (!words.hasVerb && !words.hasFigure && words.telling < verblessTellingMin) return false;
	const held = wordsOf(thought(text));
	if (second.test(text) && !/(?<![\p{L}])(?:I|[Mm]y)(?![\p{L}])/u.test(held.isOwn ? text : "")) return words.hasFigure && words.telling >= 3;
	if (held.isOwn) return words.telling >= 2 || (words.telling === 1 && (hasSpecific || hasNoun(words)));
	if (hasSpecific) return words.telling >= 2 || (words.hasFigure && words.telling >= 1 && words.hasVerb);
	return words.hasVerb && words.telling >= (placed.test(text) ? 2 : opinionTellingMin);
}

function saysInOtherTongue(text: string, words: Words): boolean {
	return words.telling >= (words.hasFigure || words.hasName ? 2 : 3) && text.length >= 8;
}

/** `I have a cat` tells of something; `I just got` and `I was able to adjust` do not. */
function hasNoun({ all }: Words): boolean {
	return all.some((word, i) => word.length > 2 && wordsOf(word).telling === 1 && !isPlainVerb(word) && !isPast(word) && all[i - 1] !== "to");
}

/** A verb in front, and nobody who does it: `Go to …`, `Call the office at …`. */
function isImperative(text: string): boolean {
	const words = text.split(/\s+/, 3).map((word) =>
		word
			.toLowerCase()
			.replaceAll("’", "'")
			.replace(/[,:;]$/, ""),
	);
	const at = words.findIndex((word) => !isAdverb(word) || word === "please");
	const [first = "", second = ""] = words.slice(Math.max(0, at));
	if (at > 0 && isTimeless(first)) return false; // finally let the car go
	if (/^(?:please|don't|do|let's)$/.test(first)) return true;
	if (isPlainVerb(first)) return !/^(?:is|are|was|were|has|had|will)$/.test(second);
	return (
		isBase(first) && !auxiliaries.has(first) && /^(?:the|a|an|your|it|them|this|that|these|all|some|any|me|us|to|with|at|in|on|up|out|off|down)$/.test(second)
	);
}
