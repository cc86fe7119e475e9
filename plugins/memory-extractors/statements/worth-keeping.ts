/** Decides whether a statement is worth keeping: whether it states something that somebody may want to know later. */

import { isIdle, withoutOpinionStart } from "./noise.ts";
import { pathTo, type Sentence } from "./read-sentences.ts";
import { auxiliaries, isAdverb, isBaseForm, isOnlyVerb, isPastForm, isSameInPast } from "./verbs.ts";
import { nameLength, type WordFeatures, wordFeatures } from "./word-features.ts";

const questionStart =
	/^(?:(?:so|and|but|then|ok|hey|or) )?(?:(?:what|who|whom|whose|which|when|where|why|how)\b(?:['’]s)?\s+(?:is|are|was|were|do|does|did|can|could|would|should|will|have|has|about|many|much|long|often|old|come|else|the|if)\b|(?:do|does|did|are|is|was|were|can|could|would|will|should|have|has|may|shall|any)\s+(?:you|i|we|they|he|she|it|there|your|my|the|this|that|anyone|plans?|idea)\b)/i;
/** A request to somebody. */
const request =
	/^(?:(?:then|so|and|but|also|or|just|now),? )?(?:please|let['’]?s|let me|go ahead|tell|show|give|write|explain|summari[sz]e|translate|list|generate|create|draft|rewrite|fix|find|help|suggest|recommend|compare|describe|calculate|check|define|search|look|make|add|remove|update|delete|change|send|open|run|try|imagine|assume|act|pretend|consider|wait|stop|continue|proceed|forget|ignore|remind|don['’]?t|do not|be|bring|come|keep|start|think|remember|read|click|press|subscribe|see|note|enjoy)\b/i;
/** A lasting instruction, not a single request: `use pnpm, not npm`, `always answer in Dutch`. */
const lastingInstruction =
	/^(?:please )?(?:always|never|from now on|in (?:the )?future|by default|going forward|whenever you|every time you)\b(?! (?:been|had|did|was|got|heard|seen|thought|knew|a\b|the\b|fun|nice|good))|^(?:please )?(?:use|prefer|write|answer|reply|speak|call me|address me|name|avoid|keep|format|sign)\b.*\b(?:not|instead of|rather than|over|without|only|unless|in (?:\p{Lu}\p{L}+|metric|bullet|plain|british))\b|^(?:please )?(?:call me|(?:don['’]?t|do not) (?:use|call|write|add|ever|mention|suggest|touch|change|edit|delete|remove|push|commit|deploy)|avoid|stick to)\b/iu;
const advice = /\byou(?:['’]d| should| could| can| might| may| must| need to| have to| ought| better| want to| will| would|['’]ll)\b/i;
/** A promise to the other speaker, or something that was done for them. */
const promise =
	/\b(?:I|we)(?:['’]ll|['’]ve| will| have| can offer| am| are|['’]m)\b(?!.*\b(?:help you with|happy to|glad to|sorry|afraid|assist you|here to)\b)|\b(?:booked|confirmed|scheduled|refund(?:ed)?|shipped|delivered|reserved|cancelled|approved|changed to|all set)\b/i;
const orderWords =
	/\byou(?:r|['’]re)\b|\b(?:case|order|booking|ticket|reference|invoice|appointment|delivery|warranty|deposit|account|contract|price|fee|costs?|free|pay|paid|due|opens?|closes?|address|phone|number|code|deadline|arrives?|comes|starts?|ends?|until|before|after|by|from)\b/i;
const secondPerson = /(?<![\p{L}])you(?:r|rs|rself|['’]\p{L}+)?(?![\p{L}])/iu;
/** Words that no complete sentence ends with: the speaker broke off or was interrupted. */
const brokenOff =
	/(?:^|[^\p{L}])(?:the|an?|of|to|and|but|or|so|if|because|cause|than|is|are|was|were|my|your|our|their|very|that the|you know|i mean|probably|just|like|with|from)[.,!…—–-]*$|[—–-][.]*$/iu;
const lastCharacters = 20;
/** A single letter of a word that was begun and not finished: `the switch, f the buttons`. */
const unfinishedWord = /[\p{Ll},] [bcfghjklnpqrvwz] \p{Ll}/u;
const stammer = /(?<![\p{L}])(?:eh+|er+m?|um+|uh+)(?![\p{L}])/giu;
const boilerplate =
	/\b(?:click|copyright|all rights reserved|cookies? (?:policy|settings)|subscribe|sign up|log in|isbn|unsubscribe|privacy policy)\b|[{}<>=\\]{2}|\s\.$|<\/?\p{L}+[ >]/iu;
const crossReference = /^(?:see|figure|table|chapter|section|page)\b/i;
const charactersMax = 600;
/** A longer sentence in a chat or transcript is thinking aloud and is left out. */
const personCharactersMax = 400;
/** A sentence without names and numbers is mostly an opinion; it is kept if it has at least this many significant words. */
const opinionSignificantMin = 5;
/** Where something is: `The key is under the geranium`. */
const locationStatement =
	/^(?:the|this year['’]s|next) (?:\p{L}+ ){1,4}?(?:is|are|was|will be|stays?)(?: now| still| always)? (?:in|on|at|under|behind|near|next to|opposite|inside|above|below|with|by|from)\b|^the \p{L}+['’]s (?:now |still )?(?:in|on|at|under|behind|near|with)\b/iu;
/** A sentence without a known verb and without numbers is kept if it has at least this many significant words. */
const verblessSignificantMin = 5;
/** If an assistant's turn has more characters than this, it is a generated text without facts about the user. */
const assistantTurnCharactersMax = 700;

/** @param text the sentence without greetings and laughter. @param turnLength the number of characters of the whole turn */
export function isWorthKeeping(text: string, sentence: Sentence, talkers: ReadonlySet<string>, turnLength: number): boolean {
	if (text.length > charactersMax || text.length < 4 || text.includes("?") || text.includes("？") || boilerplate.test(text)) return false;
	const { speaker } = sentence.context;
	const features = wordFeatures(text, talkers);
	if (isBroken(text, features)) return false;
	if (features.significantCount === 0 && !(features.hasNumber && features.words.length > 1)) return false;
	if (sentence.kind === "row") return features.words.length > 1;
	if (speaker === null) return isWorthyInDocument(text, features, sentence);
	if (speaker.role === "writer" && isWorthyInDocument(text, features, sentence)) return true;
	if (speaker.role === "assistant") return turnLength <= assistantTurnCharactersMax && isWorthyFromAssistant(text, features);
	if (speaker.role === "person" && (text.length > personCharactersMax || /^[[(]/.test(text))) return false;
	return features.isForeign ? isWorthyInOtherLanguage(text, features) : isWorthyFromPerson(text, features, sentence);
}

/** Text in capital letters, such as clauses of a licence. */
const allCapitals = /^[^\p{Ll}]{60,}$/u;

/** For documents: whether the sentence states something about the topic of the document. */
function isWorthyInDocument(text: string, features: WordFeatures, { kind, context }: Sentence): boolean {
	if (questionStart.test(text) || crossReference.test(text) || isIdle(text) || (kind === "text" && /:\s*$/.test(text)) || allCapitals.test(text)) return false;
	const hasSpecific = features.hasNumber || features.hasName || nameLength(text) > 0;
	if (isImperative(text)) return features.hasNumber && features.significantCount >= 2;
	if (advice.test(text) && !hasSpecific) return false;
	if (kind === "item" && (isListEntry(text, features) || (!features.hasVerb && attendance.test(context.headings.at(-1) ?? "")))) return false;
	// Below a heading or a day an item need not be a whole sentence, since that says what it is about.
	if (kind === "item" && (pathTo(context).length > 0 || context.day !== null)) return features.significantCount >= 2 || hasSpecific;
	if (!features.hasVerb && !features.isForeign) return features.hasNumber && features.significantCount >= 2;
	return features.significantCount >= (hasSpecific ? 2 : 3);
}

/** `No updates`, `Sails: nothing new`, `Lotte is not here`. */
const nothingToTell =
	/^(?:[^:]{0,40}: )?(?:(?:no|not much) (?:new |further |more )?(?:updates?|changes?|progress|concerns?|discussion|news)\b|nothing (?:new|more|else|right now|to (?:report|discuss|add|share))\b|(?:\p{Lu}\S+ )?(?:is|was) not (?:here|present|there)\b.{0,25}$|(?:skip(?:ped)?|n\/a|none|tbd)\W*$)/iu;

/** Below these, there are names with their roles. */
const attendance = /^(?:(?:members? )?(?:present|attend(?:ees|ing|ance)|participants?|absent|regrets|apologies|roll call|invited|observers)\b.{0,30})$/i;

/** Whether it is an entry of a list of names, links, titles or contents, which states nothing. */
function isListEntry(text: string, { hasVerb, significantCount }: WordFeatures): boolean {
	if (
		/^(?:[^:]{0,40}: ?)?<?(?:https?:|www\.)\S*(?: \S+)?$/.test(text) ||
		/#\d+\)?\.?$/.test(text.trim()) ||
		/[-–—] (?:@[\w-]+(?:, | and | )?)+\.?$/.test(text.trim()) ||
		nothingToTell.test(text)
	)
		return true;
	if (hasVerb || text.includes(": ")) return false;
	const plain = text.replace(/\([^)]*\)/g, " ").replace(/[.,;]+(?= |$)/g, "");
	const hasOnlyNames = /^(?:@?[\p{Lu}@][\p{L}\p{N}@'’._/-]*|and|&|of|de|van|von|\s|-)+$/u.test(plain) && !/\d/.test(plain);
	return hasOnlyNames || (significantCount < 3 && !/\d/.test(text));
}

/** Whether the speaker broke off or stammers. */
function isBroken(text: string, { words: features, significantCount }: WordFeatures): boolean {
	return (
		brokenOff.test(text.slice(-lastCharacters)) ||
		unfinishedWord.test(text) ||
		(text.match(stammer)?.length ?? 0) * 6 > features.length ||
		(/(?:\.{2,}|…)\s*$/.test(text) && significantCount < 3)
	);
}

/** For assistants and agents: whether something is promised, booked, counted or due. */
function isWorthyFromAssistant(text: string, features: WordFeatures): boolean {
	if (isIdle(text) || isImperative(text) || questionStart.test(text)) return false;
	const hasSpecific = features.hasNumber || features.hasName;
	if (promise.test(text)) return hasSpecific && features.significantCount >= 1;
	return features.hasNumber && features.significantCount >= 2 && orderWords.test(text);
}

const linkAlone = /^\S*https?:\S+$/i;

/** For people: whether the sentence is about their life, or about something with a name or a number. */
function isWorthyFromPerson(text: string, features: WordFeatures, { context }: Sentence): boolean {
	if (lastingInstruction.test(text) && features.significantCount >= 2) return true;
	if (questionStart.test(text) || isIdle(text) || linkAlone.test(text)) return false;
	const hasSpecific = features.hasNumber || features.hasName || nameLength(text) > 0;
	if (isImperative(text) || request.test(text)) return context.to === null && features.hasNumber && features.significantCount >= 3;
	if (advice.test(text) && !/\bI(?:['’]|\b)/.test(text)) return features.hasNumber && features.significantCount >= 3;
	if (!features.hasVerb && !features.hasNumber && features.significantCount < verblessSignificantMin) return false;
	const statedFeatures = wordFeatures(withoutOpinionStart(text));
	if (secondPerson.test(text) && !/(?<![\p{L}])(?:I|[Mm]y)(?![\p{L}])/u.test(statedFeatures.isFirstPerson ? text : ""))
		return features.hasNumber && features.significantCount >= 3;
	if (statedFeatures.isFirstPerson) return features.significantCount >= 2 || (features.significantCount === 1 && (hasSpecific || hasNoun(features)));
	if (hasSpecific) return features.significantCount >= 2 || (features.hasNumber && features.significantCount >= 1 && features.hasVerb);
	return features.hasVerb && features.significantCount >= (locationStatement.test(text) ? 2 : opinionSignificantMin);
}

function isWorthyInOtherLanguage(text: string, features: WordFeatures): boolean {
	return features.significantCount >= (features.hasNumber || features.hasName ? 2 : 3) && text.length >= 8;
}

/** Whether there is a significant noun: `I have a cat` has one; `I just got` and `I was able to adjust` do not. */
function hasNoun({ words: features }: WordFeatures): boolean {
	return features.some(
		(word, i) => word.length > 2 && wordFeatures(word).significantCount === 1 && !isOnlyVerb(word) && !isPastForm(word) && features[i - 1] !== "to",
	);
}

/** Whether the sentence is an imperative, which begins with a verb: `Go to …`, `Call the office at …`. */
function isImperative(text: string): boolean {
	const words = text.split(/\s+/, 3).map((word) =>
		word
			.toLowerCase()
			.replaceAll("’", "'")
			.replace(/[,:;]$/, ""),
	);
	const firstIndex = words.findIndex((word) => !isAdverb(word) || word === "please");
	const [first = "", second = ""] = words.slice(Math.max(0, firstIndex));
	if (firstIndex > 0 && isSameInPast(first)) return false; // `finally let the car go`: the subject is left out
	if (/^(?:please|don't|do|let's)$/.test(first)) return true;
	if (isOnlyVerb(first)) return !/^(?:is|are|was|were|has|had|will)$/.test(second);
	return (
		isBaseForm(first) &&
		!auxiliaries.has(first) &&
		/^(?:the|a|an|your|it|them|this|that|these|all|some|any|me|us|to|with|at|in|on|up|out|off|down)$/.test(second)
	);
}
