/** Whether two clauses are about the same person, or about things of the same one. */

import type { Part } from "./part.ts";
import type { Statement } from "./statement.ts";
import { tellingWords } from "./telling-words.ts";

/** A clause and the statement it is of. */
export interface Side {
	readonly all: Statement;
	readonly part: Part;
}

export function isSameName(a: string | null, b: string | null): boolean {
	if (a === null || b === null) return false;
	return a === b || isPartOfName(a, b) || isPartOfName(b, a);
}

/** `heron` and `project heron`, `hugo` and `hugo lindqvist`; not `user` and `user's sister`. */
function isPartOfName(short: string, long: string): boolean {
	return !long.includes("'") && (long.endsWith(` ${short}`) || long.startsWith(`${short} `));
}

/** The same person, or things that may be theirs. What is said of somebody else, or of a pronoun, says nothing about this one. */
export function isSameOwner({ all, part: { owner } }: Side, { all: before, part: { owner: other } }: Side): boolean {
	if (owner.kind === "pronoun" || other.kind === "pronoun") return false;
	const isOneSpeaker = all.speaker === null || before.speaker === null || isSameName(all.speaker, before.speaker);
	if (owner.name !== null && other.name !== null && (owner.kind === "person") === (other.kind === "person")) return isSameName(owner.name, other.name);
	if (owner.kind === "person") return isOneSpeaker && isSameName(owner.name, other.name ?? before.speaker ?? before.subject);
	if (other.kind === "person") return isOneSpeaker && isSameName(other.name, owner.name ?? all.speaker ?? all.subject);
	return isOneSpeaker || (owner.name === null && other.name === null);
}

/** Anybody may tell that the thing of somebody else is over, when they name them. */
export function isSpokenOfBy(fresh: Side, old: Side): boolean {
	return isSameOwner(fresh, old) || isMutual(fresh.all, old.all) || [...ownerWords(old)].some((word) => fresh.part.words.has(word));
}

export function ownerWords({ part: { owner } }: Side): ReadonlySet<string> {
	return new Set(owner.kind === "person" ? tellingWords(owner.name?.replace(/'s .*/, "") ?? "") : []);
}

/** `Nadia no longer shares the office with Karl` and `Karl shares an office with Nadia`: each names the other. */
function isMutual(fresh: Statement, old: Statement): boolean {
	if (fresh.subject === null || old.subject === null) return false;
	const [mine, theirs] = [tellingWords(fresh.subject), tellingWords(old.subject)];
	return mine.length > 0 && theirs.length > 0 && mine.every((word) => old.content.has(word)) && theirs.every((word) => fresh.content.has(word));
}

/** The clause is about somebody or something that the known statement does not speak of: `my cousin dropped out`, `the neighbours' cat died`. */
export function isStrange({ part: { about, owner } }: Side, old: Side): boolean {
	if (about === null || (owner.kind === "person" && isSameName(owner.name, old.part.owner.name))) return false;
	const named = tellingWords(old.part.owner.name ?? "");
	const isKnown = (word: string) => old.all.content.has(word) || named.includes(word);
	return !about.head.some(isKnown) || (about.of.length > 0 && !about.of.some(isKnown));
}

/** It comes to the one it was known of all the same: `the doctor has forbidden me running`, `Jonas took the newsletter off Ana`. */
export function isForOwner({ part: { says, before } }: Side, old: Side): boolean {
	const rest = says.slice(before?.length ?? 0);
	return /\b(?:i|me|us|my|our|we)\b/.test(rest) || tellingWords(rest).some((word) => ownerWords(old).has(word));
}
