/** What a speaker says of themself or of something they name, as a bare statement; null for small talk, questions and requests. */

import { isStopWord } from "cairn-memory";
import { nameLength } from "./names.ts";
import { isSmallTalk } from "./small-talk.ts";
import { lacksSubject, withSubject } from "./subjects.ts";
import { auxiliaries, finiteVerbAt, isAdverb, isBase } from "./verbs.ts";

/** Words of answer and feeling before the statement proper. They go when a comma, a stop or a new subject follows. */
const openers =
	"yes|yeah|yea|yep|yup|no(?! longer)|nope|nah|well|oh|wow|whoa|hey|hi|hello|hiya|cool|nice|great|good|awesome|neat|sweet|lovely|amazing|interesting|perfect|haha+|hehe|lol|ha|ok(?:ay)?|al(?:l )?right|sure|anyways?|anyhow|actually|honestly|frankly|basically|(?:un)?fortunately|(?:un)?luckily|thankfully|hopefully|sadly|surprisingly|apparently|obviously|seriously|first(?:ly| of all)|secondly|thirdly|besides|otherwise|btw|by the way|fyi|thanks(?: (?:so|very) much| a lot)?|thank you(?: (?:so|very) much)?|right|true|sorry|me too|same here|hm+|ah+|aw+|ugh|u[hm]+|man|dude|gosh|you know(?: what)?|i mean|maybe(?= (?:ha|haha|lol|so|not)\\b)|not (?:yet|really|at all|always|anymore)|meanwhile|let['’]s see|just so you know|(?:please )?remember(?: that)?|(?:please )?note(?: that)?|for the record|as (?:i|we) (?:said|mentioned|told you)(?: (?:before|earlier|already))?|of course|absolutely|definitely|exactly|totally|in fact|to be (?:honest|fair)|i(?:['’]m| am) (?:doing )?(?:good|fine|great|well|ok|okay|alright)|i (?:do|did|have|am|was|can|will|agree|see|understand)(?: too)?|as well|there";
const opener = new RegExp(
	String.raw`^(?:(?:hi|hello|hey)(?: there)?(?: \p{L}+)?(?=[,!.])|${openers}|so|and|but|also|plus)(?:\s*[,.!;:…—–-]+\s*|\s+(?=(?:i|i['’](?:m|ve|ll|d)|my|we|our|(?:but|and|so|because|cause) (?:i|my|we)|(?:${openers})(?=[,.! ]))\b))`,
	"iu",
);
/** They join a sentence to the one before, which the memory will not have beside it. */
const joint =
	/^(?:(?:and|but|plus|(?:cuz|['’]?cause|because)(?!.*, (?:I|we|my|our|the|he|she|they|it)\b))\s+(?!(?:so|then) on\b)|(?:so|also|then|alright)\s+(?=(?:the|my|when|with|in|on|at|last|this|every|now|since|after|for|if)\b))/i;
/** What may be, and is no fact yet. */
const musing =
	/^(?:may ?be|perhaps|possibly)[, ]+(?:(?:I|we)\b(?:['’](?:ll|d)\b| (?:can|could|should|will|would|might|need|have to|must|may)\b)|(?:it|that|this|there|you|some|one)\b)/i;
/** What somebody does not know is nothing known of anybody: `dunno where she lives`. */
const notKnowing =
	/^(?:I(?:['’]ve| have)? )?(?:(?:really|just|honestly|still|actually) )*(?:dunno|idk|no (?:idea|clue)|not a clue|not (?:quite |too |entirely )?sure)\b/i;
/** `Maybe I was wrong` → `I maybe was wrong`: how sure it is stays with it. */
const unsure = /^(?:maybe|perhaps|possibly)[, ]+I(?= )/i;
/** A question hung onto a statement: `…, do you?` */
const tailQuestion =
	/[,;.]?\s*(?:\b(?:and|but|so)\s+)?(?:\b(?:what|how|where|who|which|when|why|do|did|are|were|have|would|could|can|will|any)\b[^,.;?]*|\byou\b(?: too)?|\bright|\bhuh|\bisn['’]t it|\bno)\s*\?+\s*$/i;
const tailNoise = /(?:[,\s]*(?:\b(?:haha+|lol|hehe|thanks|thank you|too|as well|though|tho)\b|[:;]-?[()DP]|\p{Extended_Pictographic}\uFE0F?))+\s*(?=[.!]*$)/iu;
const questionStart =
	/^(?:what|who|whom|whose|which|when|where|why|how)\b(?:['’]s)?\s+(?:is|are|was|were|do|does|did|can|could|would|should|will|have|has|about|many|much|long|often|old|come)\b|^(?:do|does|did|are|is|was|were|can|could|would|will|should|have|has|may|shall)\s+(?:you|i|we|they|he|she|it|there|your|my|the|this|that|anyone)\b/i;
/** What a person asks an assistant to do. */
const request =
	/^(?:(?:then|so|and|but|also),? )?(?:please|kindly|let['’]?s|let me|go ahead|tell|show|give|write|explain|summari[sz]e|translate|list|generate|create|draft|rewrite|fix|find|help|suggest|recommend|compare|describe|calculate|check|compute|convert|define|search|look|make|add|remove|update|delete|change|send|open|run|try|check|imagine|assume|act|pretend|consider|wait|stop|continue|proceed|never mind|forget|ignore|don['’]t|do not)\b/i;
const askingOne =
	/^I(?:['’]d| would)? (?:just )?(?:need|want|like|love|was hoping for|am looking for)?\s*(?:you|your help|help|some help|an? (?:example|explanation|summary|answer|list))\b/i;
/** Beginnings that carry a wish or a thought about the talk itself. */
const aboutTheTalk =
	/^I(?:['’](?:m|ll|d|ve)| am| will| would| have| was| do| did)? ?(?:just |also |really |so |do |totally |can |could |don['’]t |definitely )*(?:hope|guess|bet|see(?= you| ya| what| why| how| that| your|[,.]|$)|suppose|apologi[sz]e|appreciate|wonder|doubt|imagine|agree|understand|mean|hear|know(?! (?:how|\p{Lu}))|sorry|glad|sure|not sure|curious|happy (?:to|for|that)|kidding|joking|let you|get back|talk to you|look into|look it up|check (?:it|that|them)|try (?:it|that)|think so|believe so|be (?:right )?back|say)\b/iu;
/** What is guessed or felt of the other one is the other's to say. */
const ofTheOther = /\bI(?:['’]m| am) (?:so |very |really |pretty |quite )?(?:sure|glad|happy|sorry|certain)(?: that)? you(?:r\b|['’]|\b)/i;
/** Subjects that mean nothing outside the talk. */
const vague =
	/^(?:it|that|this|these|those|they|there|he|she|you|your|who|what|which|such|same|one|ones|some|someone|anyone|everyone|something|nothing|both)\b(?!\s+(?:of\s+)?(?:my|our)\b)/i;
const own = /\b(?:I|i)\b|\b(?:my|we|our|me|us|mine|myself)\b/i;
/** What somebody wants to be called is a fact, though it is asked for. */
const callMe = /^(?:please |you can |just )?call me (?=\p{Lu})/iu;
const introduction = /^(?:I am|I['’]m|My name is|This is) (?=\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+){0,2}[.!,]*$)/u;
/** What is never done, or was: a verb alone tells. */
const habitual = /\b(?:can['’]t|cannot|don['’]t|do not|never|always|no longer|used to|stopped|quit|gave up|hardly|as (?:much|often) as I can)\b/i;
const idleVerbs =
	/\b(?:think|know|care|mind|remember|understand|agree|see|mean|believe|say|tell|want|need|get|go|do|wait|stop|help|like|love|try|start|work)\b/i;
const fillers = new Set(
	"really too also much very lot lots so just pretty super yes definitely absolutely totally well either actually thing things stuff good great nice fun cool awesome okay ok bit maybe know think guess sure do did does am sound sounds feel same like love lol haha".split(
		" ",
	),
);
const charactersMax = 400;
const openersMax = 6;
const echoWordsMax = 4;

/** The statement in the speaker's own words, with a subject. */
export function statementOf(sentence: string): string | null {
	let text = withoutMarks(sentence);
	if (text.length > charactersMax || text.includes("```") || /https?:\/\/\S+\s*$/.test(text)) return null;
	text = withoutOpeners(text);
	if (text.includes("?")) text = text.replace(tailQuestion, "").trim();
	if (text.includes("?") || questionStart.test(text)) return null;
	text = text.replace(tailNoise, "").trim();
	if (musing.test(text) || notKnowing.test(text)) return null;
	text = withSubject(text.replace(unsure, "I maybe")).replace(callMe, "My name is ").replace(introduction, "My name is ");
	if (ofTheOther.test(text)) return null;
	if (lacksSubject(text) || isEcho(text)) return null;
	if (request.test(text) || askingOne.test(text) || aboutTheTalk.test(text) || vague.test(text) || isSmallTalk(text)) return null;
	return saysSomething(text) ? text.replace(/[\s.!,;:…]+$/u, "") : null;
}

function withoutMarks(sentence: string): string {
	return sentence
		.replace(/(\*\*|__|`)/g, "")
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
		.trim();
}

/** @param isTalk whether somebody speaks; what joins two sentences of an article shows that the second leans on the first. */
export function withoutOpeners(text: string, isTalk = true): string {
	let rest = text;
	for (let i = 0; i < openersMax; i++) {
		const [found] = opener.exec(rest) ?? (isTalk ? joint.exec(rest) : null) ?? [];
		if (found === undefined || found.length >= rest.length) return rest;
		rest = rest.slice(found.length);
	}
	return rest;
}

/** It is about the speaker or about something named, has a verb, and a word that tells. */
function saysSomething(text: string): boolean {
	const words = text
		.toLowerCase()
		.replaceAll("’", "'")
		.split(/[^\p{L}\p{N}'-]+/u)
		.filter((word) => word !== "");
	const verb = finiteVerbAt(words);
	const isOwn = /^I\b/.test(text);
	if (verb < 0 && !(isOwn && words.length > 2)) return false;
	if (!own.test(text) && !isNamed(text)) return false;
	if (/\byou\b/.test(text) && !own.test(text)) return false;
	const telling = words.filter((word) => !isStopWord(word) && !fillers.has(word) && !auxiliaries.has(word) && !/^i'/.test(word) && !isAdverb(word));
	const nouns = telling.filter((word) => !isBase(word));
	return nouns.length > 0 || telling.length > 1 || (telling.length === 1 && habitual.test(text) && !idleVerbs.test(text));
}

/** `Klara is`, `I never have`: the rest stands in the question. */
function isEcho(text: string): boolean {
	const words = text
		.toLowerCase()
		.replaceAll("’", "'")
		.split(/[^\p{L}\p{N}']+/u)
		.filter((word) => word !== "");
	return words.length <= echoWordsMax && auxiliaries.has(words.at(-1) ?? "");
}

/** A proper name with its verb, or `the …`, at the beginning. */
function isNamed(text: string): boolean {
	return /^the\s/i.test(text) || nameLength(text) > 0;
}
