/** Turns what a speaker says of themself into a sentence about them: `I live with my son` → `Ana lives with Ana's son`. */

import { isStopWord } from "cairn";
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
const afterCoordinatedVerb =
	/^(?:a|an|the|my|in|at|on|for|with|to|as|from|about|it|them|lots|some|every|one|two|three|four|five|six|seven|eight|nine|ten|many|several|really|near|by|\d+)$/;
const pastCue = /\b(?:yesterday|ago|last (?:night|week|month|year|summer|winter|spring|fall))\b/i;

export function toThirdPerson(sentence: string, name: string, person: Person): string {
	const tokens = tokenize(sentence);
	const isPastTold = pastCue.test(sentence);
	const parts: string[] = [];
	let awaiting: Awaiting = null;
	let coordinates = false;
	let isQuoted = false;
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
		const subject = subjectAt(tokens, i, name, person);
		if (subject !== null) {
			parts.push(subject.text);
			awaiting = subject.awaiting;
			coordinates = false;
			continue;
		}
		const other = otherForm(token, name, person);
		if (other !== null) {
			parts.push(other);
			continue;
		}
		if (token.word === "to") coordinates = false;
		if (awaiting !== null && !isAdverb(token.word) && !isNoLonger(tokens, i)) {
			const verb = agree(token, awaiting, isPastTold);
			coordinates = awaiting === "one" && verb !== token.text && !auxiliaries.has(token.word);
			coordinates ||= awaiting === "one" && token.word === "have";
			awaiting = null;
			parts.push(verb);
			continue;
		}
		parts.push(coordinates && followsAnd(tokens, i) ? withS(token.word) : token.text);
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
function subjectAt(tokens: readonly Token[], i: number, name: string, person: Person): { readonly text: string; readonly awaiting: Awaiting } | null {
	const [pronoun = "", ending] = (tokens[i]?.word ?? "").split("'");
	const isOne = pronoun === (person === "first" ? "i" : "you");
	const isMany = person === "first" && pronoun === "we";
	if (!isOne && !isMany) return null;
	if (isOne && person === "first" && isNumeral(tokens, i)) return null;
	const isPair = isOne && (tokens[i - 2]?.word === "and" || tokens[i + 2]?.word === "and") && isPairOfNouns(tokens, i);
	const text = isMany ? `${name} and others` : name;
	const number = isMany || isPair ? "many" : "one";
	if (ending === undefined) return isObject(tokens, i, person) ? { text, awaiting: null } : { text, awaiting: number };
	if (ending === "d") return { text: `${text} ${/(?:ed|been|better|had)$/.test(nextWord(tokens, i)) ? "had" : "would"}`, awaiting: null };
	const verb = endings[ending];
	return verb === undefined ? null : { text: `${text} ${verb[number === "one" ? 0 : 1]}`, awaiting: null };
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
	return (conjunction === "and" && /^(?:my|our|his|her|their|the)$/.test(possessive)) || (words.length === 2 && /^\p{Lu}/u.test(partner?.text ?? ""));
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
function otherForm({ word }: Token, name: string, person: Person): string | null {
	const own = `${name}${name.endsWith("s") ? "'" : "'s"}`;
	if (person === "second") return { your: own, yours: own, yourself: "themselves" }[word] ?? null;
	return { my: own, mine: own, our: own, ours: own, me: name, us: `${name} and others`, myself: "themselves", ourselves: "themselves" }[word] ?? null;
}

function agree({ text, word }: Token, awaiting: Awaiting, isPastTold: boolean): string {
	if (awaiting === "many") return word === "am" ? "are" : text;
	const changed = singular[word];
	if (changed !== undefined) return changed;
	if (modals.has(word) || isPast(word) || (isTimeless(word) && isPastTold) || !canBeVerb(word) || (isStopWord(word) && !auxiliaries.has(word))) return text;
	return auxiliaries.has(word) || word === "used" ? text : withS(word);
}

/** `lives in Berlin and work at …`: the second verb of the same subject, when it is no noun, or what follows can only follow a verb. */
function followsAnd(tokens: readonly Token[], i: number): boolean {
	const { word } = tokens[i] ?? { word: "" };
	const before = tokens.slice(Math.max(0, i - 4), i).filter((token) => token.word !== "" && !isAdverb(token.word));
	const isVerb = isPlainVerb(word) || (isBase(word) && afterCoordinatedVerb.test(tokens[i + 2]?.word ?? ""));
	return isVerb && /^(?:and|but)$/.test(before.at(-1)?.word ?? "");
}
