/** Whether two clauses are about the same person, or about things of the same person. */

import type { Part } from "./part.ts";
import { significantWords } from "./significant-words.ts";
import type { Statement } from "./statement.ts";

/** One side of a comparison: a clause and its statement. */
export interface Side {
	readonly statement: Statement;
	readonly part: Part;
}

export function isSameName(a: string | null, b: string | null): boolean {
	if (a === null || b === null) return false;
	return a === b || isPartOfName(a, b) || isPartOfName(b, a);
}

/** Such as `heron` of `project heron` and `hugo` of `hugo lindqvist`, but not `user` of `user's sister`. */
function isPartOfName(short: string, long: string): boolean {
	const rest = long.length - short.length;
	if (rest <= 0) return false;
	return ((long[rest - 1] === " " && long.endsWith(short)) || (long[short.length] === " " && long.startsWith(short))) && !long.includes("'");
}

/** Whether both are about the same person, or about things that may be this person's. A pronoun may refer to anybody, so it never counts. */
export function isSameOwner({ statement, part: { owner } }: Side, { statement: known, part: { owner: other } }: Side): boolean {
	if (owner.kind === "pronoun" || other.kind === "pronoun") return false;
	const isSameSpeaker = statement.speaker === null || known.speaker === null || isSameName(statement.speaker, known.speaker);
	if (owner.name !== null && other.name !== null && (owner.kind === "person") === (other.kind === "person")) return isSameName(owner.name, other.name);
	if (owner.kind === "person") return isSameSpeaker && isSameName(owner.name, other.name ?? known.speaker ?? known.subject);
	if (other.kind === "person") return isSameSpeaker && isSameName(other.name, owner.name ?? statement.speaker ?? statement.subject);
	return isSameSpeaker || (owner.name === null && other.name === null);
}

/** Whether the new clause may say something about a thing in the known one: it has the same owner, or names the known one's owner. */
export function mayReferTo(fresh: Side, old: Side): boolean {
	return isSameOwner(fresh, old) || isMutual(fresh.statement, old.statement) || old.part.ownerWords.some((word) => fresh.part.words.includes(word));
}

/** Whether each statement names the subject of the other: `Nadia no longer shares the office with Karl`, `Karl shares an office with Nadia`. */
function isMutual(fresh: Statement, old: Statement): boolean {
	if (fresh.subject === null || old.subject === null) return false;
	const [mine, theirs] = [significantWords(fresh.subject), significantWords(old.subject)];
	return mine.length > 0 && theirs.length > 0 && mine.every((word) => old.content.has(word)) && theirs.every((word) => fresh.content.has(word));
}

/** Whether the clause is about somebody or something that is not in the known statement: `my cousin dropped out`, `the neighbours' cat died`. */
export function isAboutOthers({ part: { about, owner } }: Side, old: Side): boolean {
	if (about === null || (owner.kind === "person" && isSameName(owner.name, old.part.owner.name))) return false;
	const named = significantWords(old.part.owner.name ?? "");
	const isKnown = (word: string) => old.statement.content.has(word) || named.includes(word);
	return !about.head.some(isKnown) || (about.of.length > 0 && !about.of.some(isKnown));
}

/**
 * Whether the clause, though about somebody else, affects the known one's owner: `the doctor has forbidden me running`, `Jonas took the
 * newsletter off Ana`.
 */
export function affectsOwner({ part: { text, beforeVerb } }: Side, old: Side): boolean {
	const rest = text.slice(beforeVerb?.length ?? 0);
	return /\b(?:i|me|us|my|our|we)\b/.test(rest) || significantWords(rest).some((word) => old.part.ownerWords.includes(word));
}
