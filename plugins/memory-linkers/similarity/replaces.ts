/** Whether a new statement takes the place of a known one, and by which rule. */

import { shareable } from "./attributes.ts";
import type { Statement } from "./statement.ts";
import { overlap, shared, tellingWords } from "./telling-words.ts";

/** From this share of common words on two statements say the same thing with another value. */
const sameThing = 0.6;
const half = 0.5;

type Rule = (fresh: Statement, old: Statement) => boolean;

/** In the order of how sure they are. */
const rules: readonly (readonly [name: string, rule: Rule])[] = [
	["another holds the post", otherHolder],
	["what was, has ended", hasEnded],
	["it is so again, or no longer", turnsAround],
	["another value of the attribute", otherValue],
	["another number or date", otherNumber],
	["the plan was carried out", isCarriedOut],
	["something else is preferred", otherPreference],
];

/** The place of the first rule that applies; -1 when none does. */
export function replacingRule(fresh: Statement, old: Statement): number {
	if (isOlder(fresh, old)) return -1;
	return rules.findIndex(([, rule]) => rule(fresh, old));
}

/** A past event that was reported later is older all the same; the date of a plan says nothing about that. */
export function isOlder(fresh: Statement, old: Statement): boolean {
	return fresh.isPastTold && !old.isPlan && fresh.eventTime !== null && old.eventTime !== null && fresh.eventTime < old.eventTime;
}

export function isSameSubject(a: Statement, b: Statement): boolean {
	if (a.subject === null || b.subject === null) return false;
	return a.subject === b.subject || isPartOfName(a.subject, b.subject) || isPartOfName(b.subject, a.subject);
}

/** `heron` and `project heron`, `hugo` and `hugo lindqvist`; not `user` and `user's sister`. */
function isPartOfName(short: string, long: string): boolean {
	return !long.includes("'") && (long.endsWith(` ${short}`) || long.startsWith(`${short} `));
}

/** The same subject, or one whose thing it is, or what the change was made to. */
function isAbout(fresh: Statement, old: Statement): boolean {
	return (
		isSameSubject(fresh, old) || (old.subject !== null && fresh.alsoAbout.has(old.subject)) || (fresh.subject !== null && old.alsoAbout.has(fresh.subject))
	);
}

/** `Nadia no longer shares the office with Karl` and `Karl shares an office with Nadia`: each names the other. */
function isMutual(fresh: Statement, old: Statement): boolean {
	if (fresh.subject === null || old.subject === null) return false;
	const [mine, theirs] = [tellingWords(fresh.subject), tellingWords(old.subject)];
	return mine.length > 0 && theirs.length > 0 && mine.every((word) => old.content.has(word)) && theirs.every((word) => fresh.content.has(word));
}

function otherHolder({ holding: fresh }: Statement, { holding: old }: Statement): boolean {
	if (fresh === null || old === null || fresh.post !== old.post || fresh.holder === old.holder) return false;
	return overlap(new Set(tellingWords(fresh.thing)), new Set(tellingWords(old.thing))) === 1;
}

function hasEnded(fresh: Statement, old: Statement): boolean {
	// A name outlives what bears it.
	if (old.ended.length > 0 || old.attributes.has("name") || !(isAbout(fresh, old) || isMutual(fresh, old))) return false;
	return fresh.ended.some((clause) => clause.size > 0 && shared(clause, old.content) / clause.size >= half);
}

function turnsAround(fresh: Statement, old: Statement): boolean {
	return isSameSubject(fresh, old) && fresh.isNegated !== old.isNegated && overlap(fresh.claim, old.claim) >= half;
}

function otherValue(fresh: Statement, old: Statement): boolean {
	if (!isSameSubject(fresh, old) || fresh.isPlan !== old.isPlan || fresh.isNegated !== old.isNegated) return false;
	if (![...fresh.attributes].some((one) => old.attributes.has(one) && (fresh.tellsChange || !shareable.has(one)))) return false;
	const keepsAll = [...old.content].every((word) => fresh.content.has(word));
	const saysNew = [...fresh.content].some((word) => !old.content.has(word));
	return saysNew && (!keepsAll || (fresh.tellsChange && fresh.values !== old.values));
}

function otherNumber(fresh: Statement, old: Statement): boolean {
	if (!isAbout(fresh, old) || fresh.values === "" || old.values === "" || fresh.values === old.values) return false;
	if (fresh.tellsChange && shared(fresh.words, old.words) >= 2) return true;
	return overlap(fresh.claim, old.claim) >= sameThing || (fresh.attributes.has("schedule") && old.attributes.has("schedule") && isSameSubject(fresh, old));
}

function isCarriedOut(fresh: Statement, old: Statement): boolean {
	return isSameSubject(fresh, old) && old.isPlan && !fresh.isPlan && fresh.claim.size > 0 && shared(fresh.claim, old.claim) / fresh.claim.size >= sameThing;
}

function otherPreference(fresh: Statement, old: Statement): boolean {
	if (!isSameSubject(fresh, old) || fresh.preferred === null || old.preferred === null) return false;
	return fresh.preferred !== old.preferred && overlap(fresh.claim, old.claim) >= half;
}
