/** Turns what a speaker says of themself into a sentence about them: `I live with my son` → `Ana lives with their son`. */

import { isStopWord } from "cairn-memory";
import { createStandIn, type StandIn } from "./stand-in.ts";
import { auxiliaries, canBeVerb, isAdverb, isBase, isPast, isPlainVerb, isTimeless, modals, withS } from "./verbs.ts";

/** Whose pronouns are meant: the speaker's own, or, when an assistant confirms something, the other one's. */
export type Person = "first" | "second";

interface Token {
	readonly text: string;
	readonly word: string;
}

/** What the verb that comes next must agree with. */
type Awaiting = "one" | "many" | null;

const tokenPattern = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*|[^\p{L}\p{M}\p{N}]+/gu;
const singular: Readonly<Record<string, string>> = {
	am: "is",
	are: "is",
	were: "was",
	have: "has",
	do: "does",
	"don't": "doesn't",
	"haven't": "hasn't",
	"aren't": "isn't",
	"ain't": "isn't",
	"weren't": "wasn't",
};
const endings: Readonly<Record<string, readonly [one: string, many: string]>> = {
	m: ["is", "are"],
	re: ["is", "are"],
	ve: ["has", "have"],
	ll: ["will", "will"],
};
type Form = "owner" | "owned" | "object" | "themselves";
const pronouns = { owner: "their", owned: "theirs", object: "them" } as const;
const forms: Readonly<Record<Person, Readonly<Record<string, Form>>>> = {
	first: {
		my: "owner",
		our: "owner",
		mine: "owned",
		ours: "owned",
		me: "object",
		us: "object",
		myself: "themselves",
		ourselves: "themselves",
	},
	second: { your: "owner", yours: "owned", yourself: "themselves" },
};
const afterCoordinatedVerb =
	/^(?:a|an|the|my|in|at|on|for|with|to|as|from|about|it|them|lots|some|every|one|two|three|four|five|six|seven|eight|nine|ten|many|several|really|near|by|\d+)$/;
const pastCue = /\b(?:yesterday|ago|last (?:night|week|month|year|summer|winter|spring|fall))\b/i;

export function toThirdPerson(sentence: string, name: string, person: Person): string {
	const tokens = tokenize(sentence);
	const isPastTold = pastCue.test(sentence);
	const standIn = createStandIn();
	const parts: string[] = [];
	let awaiting: Awaiting = null;
	let coordinates = false;
	let isQuoted = false;
	let isMany = false;
	for (const [i, token] of tokens.entries()) {
		if (token.word === "") {
			if (/["“”]/.test(token.text)) isQuoted = /[“]/.test(token.text) || (/"/.test(token.text) && !isQuoted);
			if (/[.;:!?]/.test(token.text)) awaiting = null;
			parts.push(token.text);
			continue;
		}
		if (isQuoted) {
			parts.push(token.text);
			continue;
		}
		const subject = subjectAt(tokens, i, name, person, standIn);
		if (subject !== null) {
			parts.push(subject.text);
			awaiting = subject.awaiting;
			isMany = awaiting === "many";
			coordinates = false;
			continue;
		}
		const other = otherForm(token, name, person, standIn);
		if (other !== null) {
			parts.push(other);
			continue;
		}
		standIn.pass(token.text, token.word, parts.length === 0);
		if (token.word === "to") coordinates = false;
		if (token.word === "am" && awaiting === null && person === "first" && !/\d$/.test(tokens[i - 2]?.word ?? "")) {
			parts.push(isMany ? "are" : "is");
			continue;
		}
		if (awaiting !== null && !isAdverb(token.word) && !isNoLonger(tokens, i)) {
			const verb = agree(token, awaiting, isPastTold);
			coordinates = awaiting === "one" && verb !== token.text && !auxiliaries.has(token.word);
			coordinates ||= awaiting === "one" && token.word === "have";
			awaiting = null;
			parts.push(verb);
			continue;
		}
		parts.push(coordinates && followsAnd(tokens, i) ? (singular[token.word] ?? withS(token.word)) : token.text);
	}
	return parts.join("");
}

/** `no longer` stands between a subject and its verb. */
function isNoLonger(tokens: readonly Token[], i: number): boolean {
	const [before, word, after] = [tokens[i - 2]?.word, tokens[i]?.word, tokens[i + 2]?.word];
	return (word === "no" && after === "longer") || (word === "longer" && before === "no");
}

function tokenize(sentence: string): readonly Token[] {
	return (sentence.match(tokenPattern) ?? []).map((text) => ({ text, word: /^[\p{L}\p{N}]/u.test(text) ? text.toLowerCase().replaceAll("’", "'") : "" }));
}

/** `I`, `we` and their contractions, which stand for a subject and sometimes for its verb too. */
function subjectAt(
	tokens: readonly Token[],
	i: number,
	name: string,
	person: Person,
	standIn: StandIn,
): { readonly text: string; readonly awaiting: Awaiting } | null {
	const [pronoun = "", ending] = (tokens[i]?.word ?? "").split("'");
	const isOne = pronoun === (person === "first" ? "i" : "you");
	const isMany = person === "first" && pronoun === "we";
	if (!isOne && !isMany) return null;
	if (isOne && person === "first" && isNumeral(tokens, i)) return null;
	const isPair = isOne && (tokens[i - 2]?.word === "and" || tokens[i + 2]?.word === "and") && isPairOfNouns(tokens, i);
	const isActing = ending !== undefined || !isObject(tokens, i, person);
	const again = !isPair && standIn.isClear(isMany ? "many" : "one", useOf(tokens, i, isActing));
	standIn.name(isMany ? "many" : "one", isActing && !isPair);
	if (isPair) standIn.pass("", "others", false);
	const full = isMany ? `${name} and others` : name;
	if (!isActing) return { text: again ? "them" : full, awaiting: null };
	const text = again ? "they" : full;
	const number = isMany || isPair || again ? "many" : "one";
	if (ending === undefined) return { text, awaiting: number };
	if (ending === "d") return { text: `${text} ${/(?:ed|been|better|had)$/.test(nextWord(tokens, i)) ? "had" : "would"}`, awaiting: null };
	const verb = endings[ending];
	return verb === undefined ? null : { text: `${text} ${verb[number === "one" ? 0 : 1]}`, awaiting: null };
}

/** `as much as I can` is the speaker's again, whatever stands before it. */
function useOf(tokens: readonly Token[], i: number, isActing: boolean): "subject" | "object" | "compared" {
	if (!isActing) return "object";
	return /^(?:as|than)$/.test(tokens[i - 2]?.word ?? "") ? "compared" : "subject";
}

/** `World War I`: a capital before it, and no verb after it. */
function isNumeral(tokens: readonly Token[], i: number): boolean {
	const next = nextWord(tokens, i);
	const before = tokens[i - 2]?.text ?? "";
	return /^\p{Lu}/u.test(before) && i > 2 && tokens[i]?.text === "I" && !auxiliaries.has(next) && !isAdverb(next) && !isBase(next) && !isPast(next);
}

/** `my wife and I` is a pair; `my wife works and I stay` is not. */
function isPairOfNouns(tokens: readonly Token[], i: number): boolean {
	const words = tokens.slice(Math.max(0, i - 8), i).filter((token) => token.word !== "");
	const [possessive = "", , conjunction = ""] = words.slice(-3).map((token) => token.word);
	const [partner, and] = words.slice(-2);
	if (and?.word !== "and") return false;
	const beginsClause = /^(?:|and|but|so|when|because|that|if|where|since|while|then|as|than|before|after)$/.test(words.at(-4)?.word ?? "");
	return (
		(beginsClause && conjunction === "and" && /^(?:my|our|his|her|their|the)$/.test(possessive)) || (words.length === 2 && /^\p{Lu}/u.test(partner?.text ?? ""))
	);
}

/** `for you`, `see you tomorrow`: unlike `I`, `you` is an object as often as a subject, and then no verb follows. */
function isObject(tokens: readonly Token[], i: number, person: Person): boolean {
	if (person === "first") return false;
	const next = nextWord(tokens, i);
	return !auxiliaries.has(next) && !isBase(next) && !isPast(next);
}

function nextWord(tokens: readonly Token[], i: number): string {
	return tokens.slice(i + 1, i + 4).find((token) => token.word !== "" && !isAdverb(token.word))?.word ?? "";
}

/** Possessives, objects and a stray `am`. */
function otherForm({ word }: Token, name: string, person: Person, standIn: StandIn): string | null {
	const form = forms[person][word];
	if (form === undefined) return null;
	if (form === "themselves") return form;
	const as = /^(?:us)$/.test(word) ? "many" : "one";
	const again = standIn.isClear(as, form === "object" ? "object" : "owner") || (/^ours?$/.test(word) && standIn.isClear("many", "owner"));
	standIn.name(as, false);
	if (again) return pronouns[form];
	if (form === "object") return as === "many" ? `${name} and others` : name;
	return `${name}${name.endsWith("s") ? "'" : "'s"}`;
}

function agree({ text, word }: Token, awaiting: Awaiting, isPastTold: boolean): string {
	if (awaiting === "many") return { am: "are", was: "were", "wasn't": "weren't" }[word] ?? text;
	const changed = singular[word];
	if (changed !== undefined) return changed;
	if (modals.has(word) || isPast(word) || (isTimeless(word) && isPastTold) || !canBeVerb(word) || (isStopWord(word) && !auxiliaries.has(word))) return text;
	return auxiliaries.has(word) || word === "used" ? text : withS(word);
}

/** `lives in Berlin and work at …`: the second verb of the same subject, when it is no noun, or what follows can only follow a verb. */
function followsAnd(tokens: readonly Token[], i: number): boolean {
	const { word } = tokens[i] ?? { word: "" };
	const before = tokens.slice(Math.max(0, i - 4), i).filter((token) => token.word !== "" && !isAdverb(token.word));
	const isVerb = /^(?:don|haven)'t$/.test(word) || isPlainVerb(word) || (isBase(word) && afterCoordinatedVerb.test(tokens[i + 2]?.word ?? ""));
	return isVerb && /^(?:and|but|or)$/.test(before.at(-1)?.word ?? "");
}
