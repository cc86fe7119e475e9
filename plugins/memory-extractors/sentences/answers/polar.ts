/** Yes and no to a question state something: `Do you have kids?` – `No.` → `I do not have kids`. */

import { isStopWord } from "cairn-memory";
import { kin } from "../kinship.ts";
import { isBase, isPast, withS } from "../verbs.ts";
import { turned } from "./asked.ts";
import { pastOf } from "./past.ts";

const asked = /^(are|were|do|did|have|can|will) you (ever |still |always )?(.+)$/i;
const askedOfKin = new RegExp(
	`^(is|are|was|were|does|do|has|have) (your (?:(?:older|younger|big|little) )?(?:${kin}|parents|kids|children|family|brothers|sisters|siblings|dogs|cats)) (.+)$`,
	"i",
);
const auxiliary = "(?:am|do|did|have|can|will|was|would)";
const yes = new RegExp(
	`^(?:(?:yes|yeah|yea|yep|yup|sure|of course|absolutely|definitely|certainly|indeed|correct|oh|why|well|actually)[\\s,.!]+)*(?:yes|yeah|yea|yep|yup|of course|absolutely|definitely|certainly|indeed|correct|(?:i|we|they|he|she) (?:sure |really |actually |definitely |certainly |totally )*(?:${auxiliary}|is|are|does|has|were))(?=$|[\\s]*[,.!;:…—-])[\\s,.!;:…—-]*`,
	"i",
);
const no = new RegExp(
	`^(?:(?:no|nope|nah|oh|well|actually|unfortunately|sadly|sorry)[\\s,.!]+)*(?:no|nope|nah|not (?:really|yet|at all|anymore|currently|at the moment)|never(?: have)?|(?:i|we|they|he|she) (?:really |actually )?(?:['’]m not|(?:${auxiliary}|is|are|does|has|were) (?:not|never)|never (?:have|did)|(?:do|did|have|was|would|is|are|does|has|were)n['’]t|can['’]t|cannot|won['’]t)(?: (?:yet|really|actually|unfortunately))?)(?=$|[\\s]*[,.!;:…—-])[\\s,.!;:…—-]*`,
	"i",
);
const sometimes = /^(sometimes|rarely|occasionally|always|often|usually|not often|all the time)(?=[\s]*(?:$|[,.!;]))/i;
/** `Yes, two old cats.` */
const possessed =
	/^\p{L}+(?: i (?:do|have))?[,.! ]+((?:just |only )?(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several) (?:[\p{L}'’-]+ ){0,3}?[\p{L}'’-]+(?: and (?:an?|one|two|three|\d+) (?:[\p{L}'’-]+ ?){1,3})?)[.!]*$/iu;
/** After yes or no somebody may take it back. */
const takenBack =
	/^(?:not (?:always|like|exactly|only|just|quite|sure)\b|.*\b(?:kidding|joking|just curious)\b|\b(?:but|actually|well|yes|no|sort of|kind of|maybe)\b.*\b(?:yes|no|do|am|have|not|used to|did)\b|way|problem|worries|kidding|idea|doubt|thanks)/i;
/** What is asked to be polite, to begin a talk, or to get something. */
const idle: Readonly<Record<string, RegExp>> = {
	are: /^(?:ok|okay|sure|good|fine|well|alright|all right|doing|ready|kidding|joking|serious|around|free|up|in|excited|enjoying|happy|sad|busy|tired|hungry|alone|saying|talking|asking|feeling|having|able|aware|looking|new|interested in (?:hearing|talking)|a (?:bot|robot|human|person)|familiar|curious|going)\b(?! to \p{Lu})/iu,
	were: /^(?:ok|okay|able|sure|good|aware|saying|talking|asking|kidding)\b/i,
	do: /^(?:know|think|mean|mind|need|agree|believe|feel|understand|see|remember|hear|say|wonder|recommend|suggest|get|do|find|consider|suppose|want to (?:talk|hear|know|see|share|tell|chat|try|come|join|go|play|meet)|have (?:a (?:minute|moment|second|question|favou?rite|suggestion|recommendation|good|nice)|time|any (?:plans|advice|tips|questions|suggestions|ideas|recommendations|favou?rites?)|fun)|like to (?:talk|chat))\b/i,
	did: /^(?:know|hear|see|get|say|mean|think|enjoy|like|have|manage|try|do|notice|ask|tell|sleep|find|forget|remember|want|need|decide)\b/i,
	have: /^(?:heard|noticed|thought|considered|decided|had|got|tried|seen|done|read|finished|ever\b)/i,
	will: /^(?:be|let|do|tell|help|send|give|try|have|get|take|make|please)\b/i,
};
const abilities =
	/^(?:swim|cook|drive|dance|sing|ski|skate|surf|sail|ride|draw|paint|knit|sew|bake|type|juggle|whistle|climb|dive|fish|hunt|shoot|weld|play (?:\w+ )?\p{L}+|speak \p{Lu}?\p{L}+|read (?:music|\p{Lu}\p{L}+)|eat \p{L}+|drink \p{L}+)/iu;

/** In the first person; null when the answer is neither yes nor no, or nothing worth keeping was asked. */
export function polarAnswer(question: string, answer: string): string | null {
	const reply = replyOf(answer, question);
	if (reply === null) return null;
	const [, kinAux, whose, does] = askedOfKin.exec(question) ?? [];
	if (kinAux !== undefined && whose !== undefined && does !== undefined) return ofKin(kinAux.toLowerCase(), turned(whose), turned(does), reply);
	const counted = /^do you (?:have|own) /i.test(question) && reply === "yes" ? possessed.exec(answer)?.[1] : undefined;
	if (counted !== undefined) return `I have ${counted}`;
	const [, aux = "", when, rest] = asked.exec(question) ?? [];
	const verb = aux.toLowerCase();
	if (rest === undefined || idle[verb]?.test(rest) === true || (verb === "can" && !abilities.test(rest))) return null;
	// `Do you grandkids …`, `do you like, have …`: it is not asked what it seems.
	const [first = "", second = ""] = rest.toLowerCase().split(" ");
	if (/,$/.test(first) || (/^d/.test(verb) && !isBase(first) && isBase(second))) return null;
	if (rest.split(" ").every((word) => isStopWord(word.toLowerCase()))) return null;
	return stated(verb, when?.trim().toLowerCase(), turned(rest), reply);
}

/** `yes`, `no`, or how often. */
type Reply = string;

function replyOf(answer: string, question: string): Reply | null {
	const [often] = sometimes.exec(answer) ?? [];
	if (often !== undefined) return often.toLowerCase();
	for (const [reply, words] of [
		["no", no],
		["yes", yes],
	] as const) {
		const [found] = words.exec(answer) ?? [];
		if (found === undefined) continue;
		const rest = answer.slice(found.length);
		return takenBack.test(rest) || (reply === "yes" && saysItself(rest, question)) ? null : reply;
	}
	return null;
}

/** `Yes, I have a flat in Oslo` says by itself that there is a flat. */
function saysItself(rest: string, question: string): boolean {
	const said = new Set(rest.toLowerCase().match(/\p{L}+/gu) ?? []);
	return (question.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => !isStopWord(word) && !isBase(word) && said.has(word));
}

function stated(aux: string, when: string | undefined, rest: string, reply: Reply): string | null {
	const isYes = reply === "yes";
	if (!isYes && reply !== "no") return aux === "do" && isBase(rest.split(" ")[0] ?? "") ? `I ${reply} ${rest}` : null;
	const bare = rest.replace(/\bany (?=\p{L})/giu, "").replace(/ yet$/i, "");
	if (!isYes && when === "still") return aux === "are" ? `I am no longer ${rest}` : aux === "do" ? `I no longer ${rest}` : null;
	if (isYes) return agreed(aux, when, bare);
	if (aux === "are") return `I am not ${rest}`;
	if (aux === "were") return `I was not ${rest}`;
	if (aux === "do" || aux === "did") return `I ${aux} not ${rest}`;
	if (aux === "have" && !isDone(rest)) return null;
	return `I ${aux} ${when === "ever" ? "never" : "not"} ${rest}`;
}

function agreed(aux: string, when: string | undefined, rest: string): string | null {
	const adverb = when === "still" || when === "always" ? `${when} ` : "";
	if (aux === "are") return `I am ${adverb}${rest}`;
	if (aux === "were") return `I was ${adverb}${rest}`;
	if (aux === "do") return `I ${adverb}${rest}`;
	if (aux === "did") return pastTold(rest);
	if (aux === "have" && !isDone(rest)) return null;
	return `I ${aux} ${adverb}${rest}`;
}

function isDone(rest: string): boolean {
	const [verb = ""] = rest.toLowerCase().split(" ");
	return isPast(verb) || verb === "been";
}

function pastTold(rest: string): string | null {
	const [verb = ""] = rest.split(" ");
	return isBase(verb.toLowerCase()) ? `I ${pastOf(verb.toLowerCase())}${rest.slice(verb.length)}` : null;
}

function ofKin(aux: string, whose: string, does: string, reply: Reply): string | null {
	if (reply !== "yes" && reply !== "no") return null;
	if (/^(?:doing|ok|okay|well|good|fine|alright|there|excited|happy)\b/i.test(does)) return null;
	if (reply === "no") return `${whose} ${aux} not ${does}`;
	if (aux === "do") return `${whose} ${does}`;
	if (aux !== "does") return `${whose} ${aux} ${does}`;
	const [verb = ""] = does.split(" ");
	return isBase(verb) ? `${whose} ${withS(verb)}${does.slice(verb.length)}` : null;
}
