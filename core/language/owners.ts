/** Whether an English memory attributes the statement of its quote to the right person. */

import { indexWords, normalize } from "../ranking/words.ts";
import { capitalised, matchesAny, normaliseFamilyWords } from "./compare-words.ts";
import type { Statement } from "./is-faithful.ts";

const firstPerson = /\b(?:i|i'm|i've|i'd|i'll|me|my|mine|we|we're|we've|us|our|ours)\b/i;
const possessedNoun =
	/^\W*(?:(?:and|but|so|well|then|yes|yeah|no|oh)\s+)*(?:my|our|his|her|their|your|\p{Lu}[\p{L}'’]+['’]s)\s+([\p{L}-]+)(?:\s+([\p{L}-]+))?/iu;
const possessive = /['’]s?\b|\b(?:his|her|their|its)\b/i;
const userWish = /^User(?:'s|’s)?\s+(?:\p{L}+ly\s+)?(?:wants?|wishes|prefers?|likes?|needs?|expects?|asks?|requests?|demands?)\b/u;

/** @param clause the part of the quote that the memory is about */
export function keepsOwner(statement: Statement, clause: string): boolean {
	return hasRightSubject(statement, clause) && hasRightPossessor(statement.text, clause);
}

function hasRightSubject({ text, quote, line, context, about }: Statement, clause: string): boolean {
	const speaker = /^\s*(\p{Lu}[\p{L}\p{M} .'’-]{0,60}):\s/u.exec(line)?.[1] ?? null;
	const isFirstPerson = firstPerson.test(quote);
	if (text.startsWith("User")) return isFirstPerson || speaker !== null || !userWish.test(text);
	const owner = leadingName(text);
	if (owner === null || includesName(quote, owner)) return true;
	// "I" is the speaker of the line, or the person who signed the text, or the author.
	if (isFirstPerson) return includesName(speaker ?? `${about}\n${signatures(context)}`, owner);
	// A sentence that begins with one name supports no memory about another person.
	const subject = leadingName(clause.trimStart());
	return subject === null || subject === owner || includesName(speaker ?? "", owner);
}

/** After "My sister has a boat" the memory must mention the sister: it is not the user who has the boat. */
function hasRightPossessor(text: string, clause: string): boolean {
	const possession = possessedNoun.exec(clause.trimStart());
	if (possession === null || possession[1] === "name") return true;
	const memoryWords = indexWords(normaliseFamilyWords(text));
	const isNamed = (word: string | undefined) => word !== undefined && indexWords(normaliseFamilyWords(word)).some((stem) => matchesAny(stem, memoryWords));
	return isNamed(possession[1]) || (possessive.test(text) && isNamed(possession[2]));
}

/** The first word if it is a name, otherwise null. */
function leadingName(text: string): string | null {
	const [word = ""] = /^[\p{L}\p{M}]+/u.exec(text) ?? [];
	const [name] = capitalised(word);
	return name === undefined ? null : normalize(name);
}

/** The lines that consist of a name only, as at the end of a letter. */
function signatures(around: string): string {
	return around
		.split("\n")
		.filter((line) => /^\W*(?:\p{Lu}[\p{L}\p{M}.'’-]*\s*){1,4}$/u.test(line))
		.join("\n");
}

function includesName(text: string, name: string): boolean {
	return normalize(normaliseFamilyWords(text))
		.split(/[^\p{L}\p{N}\p{M}]+/u)
		.includes(name);
}
