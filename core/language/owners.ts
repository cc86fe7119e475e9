/** Whether a memory says of the right person what its quote says, in English. */

import { indexWords, normalize } from "../ranking/words.ts";
import type { Statement } from "./is-faithful.ts";
import { capitalised, matchesAny, plainly } from "./plainly.ts";

const firstPerson = /\b(?:i|i'm|i've|i'd|i'll|me|my|mine|we|we're|we've|us|our|ours)\b/i;
const possessor = /^\W*(?:(?:and|but|so|well|then|yes|yeah|no|oh)\s+)*(?:my|our|his|her|their|your|\p{Lu}[\p{L}'’]+['’]s)\s+([\p{L}-]+)(?:\s+([\p{L}-]+))?/iu;
const possessive = /['’]s?\b|\b(?:his|her|their|its)\b/i;
const wishing = /^User(?:'s|’s)?\s+(?:\p{L}+ly\s+)?(?:wants?|wishes|prefers?|likes?|needs?|expects?|asks?|requests?|demands?)\b/u;

/** @param clause the part of the quote that the memory is about */
export function keepsOwner(statement: Statement, clause: string): boolean {
	return hasRightSubject(statement, clause) && hasRightPossessor(statement.text, clause);
}

function hasRightSubject({ text, quote, line, around, about }: Statement, clause: string): boolean {
	const speaker = /^\s*(\p{Lu}[\p{L}\p{M} .'’-]{0,60}):\s/u.exec(line)?.[1] ?? null;
	const isOfFirstPerson = firstPerson.test(quote);
	if (text.startsWith("User")) return isOfFirstPerson || speaker !== null || !wishing.test(text);
	const owner = leadingName(text);
	if (owner === null || holds(quote, owner)) return true;
	// "I" is who speaks, or who signs, whoever else is spoken of in this document.
	if (isOfFirstPerson) return holds(speaker ?? `${about}\n${signatures(around)}`, owner);
	// And a sentence about Marek says nothing of Stella.
	const subject = leadingName(clause.trimStart());
	return subject === null || subject === owner || holds(speaker ?? "", owner);
}

/** "My sister has a boat" is nothing that I have. */
function hasRightPossessor(text: string, clause: string): boolean {
	const owned = possessor.exec(clause.trimStart());
	if (owned === null || owned[1] === "name") return true;
	const wanted = indexWords(plainly(text));
	const isNamed = (word: string | undefined) => word !== undefined && indexWords(plainly(word)).some((stem) => matchesAny(stem, wanted));
	return isNamed(owned[1]) || (possessive.test(text) && isNamed(owned[2]));
}

/** The first word, where it is a name. */
function leadingName(text: string): string | null {
	const [word = ""] = /^[\p{L}\p{M}]+/u.exec(text) ?? [];
	const [name] = capitalised(word);
	return name === undefined ? null : normalize(name);
}

/** Lines of a name and nothing else: letters end with one. */
function signatures(around: string): string {
	return around
		.split("\n")
		.filter((line) => /^\W*(?:\p{Lu}[\p{L}\p{M}.'’-]*\s*){1,4}$/u.test(line))
		.join("\n");
}

function holds(text: string, name: string): boolean {
	return normalize(plainly(text))
		.split(/[^\p{L}\p{N}\p{M}]+/u)
		.includes(name);
}
