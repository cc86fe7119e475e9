/**
 * Converts a sentence in the first person to the third person: `I live with my son` becomes `Ana lives with their son`. It does so
 * only if every step is certain; otherwise it returns null, and the sentence stays unchanged.
 */

import { auxiliaries, finiteVerbAt, isAdverb, isBaseForm, isOnlyVerb, isPastForm, isSameInPast, modals, thirdPersonOf } from "./verbs.ts";

const charactersMax = 200;
/** Words with which a sentence is not converted: they refer to something outside of it, begin another clause, or are no plain statement. */
const uncertain =
	/["“”()?…;:]|\.{2}|\p{Extended_Pictographic}|(?<![\p{L}])(?:you\p{L}*|you['’]\p{L}+|we|we['’]\p{L}+|our|ours|us|he|she|it|its|they|him|her|his|hers|them|their|theirs|this|that|these|those|there|here|one|ones|mine|who|whom|whose|which|what|when|whenever|where|why|how|because|cause|if|although|though|unless|until|while|as if|since (?:i|my)|after (?:i|my)|before (?:i|my)|than (?:i|my)|as \p{L}+ as (?:i|my)|so|lol|haha\p{L}*|idk|like to think|i['’]d)(?![\p{L}])|(?:it|that|he|she|there|what|who|they)['’]\p{L}+/iu;
const thisTime = /\bthis (?=(?:week(?:end)?|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter|\w+day)\b)/gi;
/** A comma between clauses, not in a list: the clause after it may have another subject. */
const clauseComma = /,(?! (?:and|but|or|not|too|mostly|mainly|especially|with|without|in|on|at|to|from|for|near|as|including|like)\b)/i;
const beginning = /^(?:I|i|I['’](?:m|ve|ll)|i['’]?(?:m|ve|ll)|My|my)(?=\s)/u;
const introduction = /^(?:I'm|I am|i'm|im) (\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2})$/u;
const contracted: Readonly<Record<string, string>> = { "i'm": "is", im: "is", "i've": "has", ive: "has", "i'll": "will" };
const singularForms: Readonly<Record<string, string>> = {
	am: "is",
	was: "was",
	have: "has",
	do: "does",
	"don't": "doesn't",
	dont: "doesn't",
	"haven't": "hasn't",
};
/** `and` between two clauses of the same speaker. */
const clauseJoint = /(,? (?:and|but)) (?:I|i)(['’](?:m|ve|ll))? /u;

export function inThirdPerson(statement: string, name: string): string | null {
	const normalised = statement.replaceAll("’", "'").replace(/\bi\b/g, "I");
	if (
		normalised.length > charactersMax ||
		uncertain.test(normalised.replace(thisTime, "the ")) ||
		clauseComma.test(normalised) ||
		!beginning.test(normalised) ||
		name.includes(":")
	)
		return null;
	const introduced = introduction.exec(normalised)?.[1];
	if (introduced !== undefined) return `${possessiveOf(name)} name is ${introduced}`;
	const parts = normalised.split(new RegExp(clauseJoint.source, "gu"));
	const clauses: string[] = [];
	for (let i = 0; i < parts.length; i += 3) {
		const ending = parts[i - 1] ?? "";
		const words = i === 0 ? (parts[0] ?? "") : `I${ending} ${parts[i] ?? ""}`;
		const clause = clauseInThirdPerson(words, name, i === 0 || /^My\b/i.test(parts[0] ?? ""));
		if (clause === null) return null;
		clauses.push(`${i === 0 ? "" : `${parts[i - 2] ?? ""} `}${clause}`);
	}
	const sentence = clauses.join("");
	if (finiteVerbAt(sentence.toLowerCase().split(/[\s,]+/)) < 0) return null;
	return /(?<![\p{L}])(?:I|my|me|myself|(?<!\d ?)am|im|ive)(?![\p{L}])/u.test(sentence) ? null : sentence;
}

function possessiveOf(name: string): string {
	return `${name}${name.endsWith("s") ? "'" : "'s"}`;
}

/** Converts one clause. @param isNamed whether to begin with the name; the second verb of a speaker needs none. */
function clauseInThirdPerson(clause: string, name: string, isNamed: boolean): string | null {
	const possessive = possessiveOf(name);
	const [first = "", ...rest] = clause.split(" ");
	if (/^my$/i.test(first)) return possessedInThirdPerson(rest.join(" "), possessive, name);
	const verb = contracted[first.toLowerCase()];
	const predicate = verb === undefined ? predicateInThirdPerson(rest) : predicateInThirdPerson([verb, ...rest]);
	return predicate === null ? null : `${isNamed ? `${name} ` : ""}${replacePronouns(predicate)}`;
}

/** `My sister works`: the verb is in the third person already. Null if another `I` follows. */
function possessedInThirdPerson(rest: string, possessive: string, name: string): string | null {
	if (/(?<![\p{L}])I(?![\p{L}])/u.test(rest)) return null;
	return `${possessive} ${replacePronouns(rest).replace(/(?<=\s)them(?=[\s.,!]|$)/u, name)}`;
}

function replacePronouns(text: string): string {
	return text
		.replace(/(?<=\s)my(?=\s)/giu, "their")
		.replace(/(?<=\s)me(?=[\s.,!]|$)/giu, "them")
		.replace(/(?<=\s)myself(?=[\s.,!]|$)/giu, "themselves");
}

/** The words of a clause without its subject, with the verb in the third person singular; null if the verb is uncertain. */
function predicateInThirdPerson(words: readonly string[]): string | null {
	const verbIndex = words.findIndex((word) => !isAdverb(word.toLowerCase()));
	const word = (words[verbIndex] ?? "").toLowerCase();
	const verb = verbInThirdPerson(word);
	if (verb === null) return null;
	const rest = words.slice(verbIndex + 1);
	if (auxiliaries.has(verb) && rest.every((next) => isAdverb(next.toLowerCase()))) return null; // `my brother can`: the verb that belongs to it is in another sentence
	const sentence = [...words.slice(0, verbIndex), verb];
	const isPresent = verb !== word && !auxiliaries.has(word);
	for (const [i, next] of rest.entries()) {
		const lowerCase = next.toLowerCase();
		const followsConjunction = /^(?:and|or|but)$/.test(rest[i - 1] ?? "");
		if (!followsConjunction || !isBaseForm(lowerCase) || modals.has(verb)) sentence.push(next);
		else if (!isPresent && !isOnlyVerb(lowerCase)) sentence.push(next);
		else if (!isPresent)
			return null; // `is a baker and love dogs`: the second verb is in another form than the first
		else if (isOnlyVerb(lowerCase)) sentence.push(verbInThirdPerson(lowerCase) ?? next);
		else return null; // `and work` may be a noun or a verb
	}
	return sentence.join(" ");
}

function verbInThirdPerson(verb: string): string | null {
	const changed = singularForms[verb];
	if (changed !== undefined) return changed;
	if (modals.has(verb) || verb === "has" || verb === "is" || verb === "will") return verb;
	if (auxiliaries.has(verb) || isSameInPast(verb)) return null;
	if (isPastForm(verb)) return verb;
	return isBaseForm(verb) ? thirdPersonOf(verb) : null;
}
