/** Decides whether a new statement replaces a known one, and by which rule. If no rule applies, both stay. */

import type { Ending } from "./endings.ts";
import { affectsOwner, isAboutOthers, isSameName, isSameOwner, mayReferTo, type Side } from "./owners.ts";
import type { Part } from "./part.ts";
import { isPartOfOther, shared, significantWords } from "./significant-words.ts";
import { namedSlots, sharedSlots } from "./slots.ts";
import type { Statement } from "./statement.ts";
import { differ } from "./values.ts";

const half = 0.5;
/** A clause with more distinctive words says many things, so that another value in it proves nothing. */
const claimWordsMax = 12;

interface Rule {
	/** Whether a clause can replace anything by this rule, whatever is known. */
	readonly concerns: (part: Part) => boolean;
	readonly replaces: (fresh: Side, old: Side) => boolean;
}

/** The surest rule first: another holds the post, the known thing has ended, another amount, another value of an attribute, a change. */
const rules: readonly Rule[] = [
	{ concerns: ({ holding }) => holding !== null, replaces: hasOtherHolder },
	{ concerns: ({ endings }) => endings.length > 0, replaces: hasEnded },
	{ concerns: (part) => isPresent(part) && part.values.size > 0, replaces: hasOtherAmount },
	{ concerns: (part) => isPresent(part) && (part.slots.size > 0 || part.single !== null), replaces: hasOtherValue },
	{ concerns: ({ statesChange, isNotDone }) => statesChange && !isNotDone, replaces: hasChanged },
];

/** The index of the first rule that applies; -1 if none does. */
export function replacingRule(fresh: Statement, old: Statement): number {
	if (isOlder(fresh, old) || (fresh.topic !== null && old.topic !== null && fresh.topic !== old.topic)) return -1;
	const claims = claimsOf(fresh);
	if (claims.length === 0) return -1;
	const known = sidesOf(old);
	const found = claims.find(({ rule, side }) => known.some((before) => rules[rule]?.replaces(side, before)));
	return found?.rule ?? -1;
}

/** A clause that may replace known ones by a rule. */
interface Claim {
	readonly rule: number;
	readonly side: Side;
}

/** Each statement is compared with many. */
const claimsByStatement = new WeakMap<Statement, readonly Claim[]>();
const sidesByStatement = new WeakMap<Statement, readonly Side[]>();

/** The clauses with the rules by which they may replace others, the surest rule first. */
function claimsOf(statement: Statement): readonly Claim[] {
	const cached = claimsByStatement.get(statement);
	if (cached !== undefined) return cached;
	const claimed = sidesOf(statement).filter(({ part }) => isClaimed(part));
	const claims = rules.flatMap(({ concerns }, rule) => claimed.filter(({ part }) => concerns(part)).map((side) => ({ rule, side })));
	claimsByStatement.set(statement, claims);
	return claims;
}

/** The clauses that are short enough to be compared. */
function sidesOf(statement: Statement): readonly Side[] {
	const cached = sidesByStatement.get(statement);
	if (cached !== undefined) return cached;
	const sides = statement.parts.filter(({ isAsked, claim }) => !isAsked && claim.size <= claimWordsMax).map((part): Side => ({ statement, part }));
	sidesByStatement.set(statement, sides);
	return sides;
}

/** Whether the new statement tells of an earlier event than the known one. The date of a plan does not count. */
export function isOlder(fresh: Statement, old: Statement): boolean {
	return fresh.eventTime !== null && old.eventTime !== null && fresh.eventTime < old.eventTime && fresh.isPastTold && !old.isPlan;
}

function isClaimed({ isAsked, isSupposed, adds }: Part): boolean {
	return !isAsked && !isSupposed && !adds;
}

/** Whether it was still true when it was said. */
function isStanding({ isPast, isSupposed }: Part): boolean {
	return !isPast && !isSupposed;
}

function isPresent({ isPast, statesChange }: Part): boolean {
	return !isPast || statesChange;
}

function hasOtherHolder({ part: { holding: fresh } }: Side, { part }: Side): boolean {
	const old = fresh === null ? null : part.holding;
	if (fresh === null || old === null || fresh.post !== old.post || fresh.holder === old.holder) return false;
	return isPartOfOther(significantWords(fresh.thing), significantWords(old.thing));
}

function hasEnded(fresh: Side, old: Side): boolean {
	// A name stays known after its owner has ended.
	if (old.part.endings.length > 0 || old.part.slots.has("name") || !isStanding(old.part) || isDenied(old.part)) return false;
	if (!mayReferTo(fresh, old) || (isAboutOthers(fresh, old) && !affectsOwner(fresh, old))) return false;
	// `Ana is off tonight` ends nothing that belongs to Ana.
	const self = fresh.part.ownerWords;
	return fresh.part.endings.some((ending) => !ending.thing.every((word) => self.includes(word)) && isThingOf(old, ending) && isMostlyOf(old, ending));
}

/** Whether at least half of the words of what has ended are in the known statement. */
function isMostlyOf(old: Side, { thing, rest }: Ending): boolean {
	const all = [...thing, ...rest];
	return all.filter((word) => old.statement.content.has(word) || old.part.ownerWords.includes(word)).length / all.length >= half;
}

function isDenied({ text }: Part): boolean {
	return /\b(?:not|cannot|never|no longer)\b/.test(text);
}

/** Whether what has ended is in the known clause, by its main word or by a name. */
function isThingOf(old: Side, { thing, rest }: Ending): boolean {
	const { claim, names } = old.part;
	const mainWord = thing.at(-1);
	const isNamed = (word: string) => [...names].some((name) => significantWords(name).includes(word));
	if (mainWord === undefined) return false;
	if (rest.some(isNamed)) return true;
	if ((old.part.thing.length > 0 ? old.part.thing : [...claim]).includes(mainWord) || old.part.ownerWords.includes(mainWord)) return true;
	return claim.has(mainWord) && (thing.length + rest.length > 1 || isNamed(mainWord));
}

function hasOtherValue(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isStanding(before) || now.isPlan !== before.isPlan || now.isNegated !== before.isNegated) return false;
	if (!isSameOwner(fresh, old) || isAboutOthers(fresh, old)) return false;
	if (!isSameThing(now, before) || !hasSlotOf(now, before)) return false;
	const isOther = differ(now.values, before.values);
	const keepsAll = [...old.statement.content].every((word) => fresh.statement.content.has(word));
	const saysNew = [...now.claim].some((word) => !before.claim.has(word));
	return isOther || (saysNew && !keepsAll);
}

/** Whether both clauses state the same attribute, with values of the same kind (such as two names) or with a word of change. */
function hasSlotOf(now: Part, before: Part): boolean {
	const isSameKind = now.names.size > 0 === before.names.size > 0 || now.hintsAtChange;
	const isReplaced = (slot: string) => before.slots.has(slot) && (isSameKind || !namedSlots.has(slot)) && (now.hintsAtChange || !sharedSlots.has(slot));
	if (!now.isPast && [...now.slots].some(isReplaced)) return true;
	if (now.single === null || before.single === null || now.thing.length === 0 || before.thing.length === 0) return false;
	return now.single === "valued" || now.statesChange || (now.names.size > 0 && before.names.size > 0);
}

/** Whether two clauses about things are about the same one, unlike `the meeting with the lawyer` and `the meeting with the tutor`. */
function isSameThing(now: Part, before: Part): boolean {
	if (now.owner.kind !== "thing" || before.owner.kind !== "thing") return true;
	if (now.thing.length === 0 || before.thing.length === 0) return now.owner.name !== null || shared(now.claim, before.claim) > 1;
	return isPartOfOther(now.thing, before.thing);
}

function hasChanged(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isStanding(before) || !isSameOwner(fresh, old) || before.single === null) return false;
	const isNew = before.head !== null && newThings(now.text).includes(before.head) && (!isAboutOthers(fresh, old) || affectsOwner(fresh, old));
	if (!isNew && (isAboutOthers(fresh, old) || !isPartOfOther(now.thing, before.thing))) return false;
	return [...now.claim].some((word) => !before.claim.has(word)) || differ(now.values, before.values);
}

/** The words after `new`: `a new phone number` → phone, number. */
function newThings(text: string): readonly string[] {
	return significantWords(/\bnew ((?:\p{L}+ ?){1,2})/u.exec(text)?.[1] ?? "");
}

/** Units of money, which do not show that two clauses are about the same thing. */
const currencies = "euro dollar pound franc quid crown shilling";

/** The words of a clause without the speaker's name and units. Each clause is compared with many. */
const ownWordsByPart = new WeakMap<Part, readonly string[]>();

function ownWords({ statement, part }: Side): readonly string[] {
	const cached = ownWordsByPart.get(part);
	if (cached !== undefined) return cached;
	const self = new Set([statement.speaker ?? "", ...part.values.keys(), currencies].flatMap(significantWords));
	const words = [...part.claim].filter((word) => !self.has(word));
	ownWordsByPart.set(part, words);
	return words;
}

/** The words that both clauses have. */
function commonWords(fresh: Side, { part: { claim, ownerWords } }: Side): readonly string[] {
	return ownWords(fresh).filter((word) => claim.has(word) || ownerWords.includes(word));
}

/** Whether the new clause is about the known thing: it has its main word, a name of it, or two of its words. */
function isLinked(fresh: Side, old: Side): boolean {
	const words = commonWords(fresh, old);
	if (words.length === 0) return false;
	const { head, thing, claim } = old.part;
	return words.length > 1 || claim.size <= 3 || words.some((word) => word === head || old.part.namedWords.has(word) || thing.includes(word));
}

/** Whether the clauses may be compared: they have the same speaker, and the known one is still true. */
function isComparable(fresh: Side, old: Side): boolean {
	const [mine, theirs] = [fresh.statement.speaker, old.statement.speaker];
	if (mine !== null && theirs !== null && !isSameName(mine, theirs)) return false;
	return isStanding(old.part) && old.part.endings.length === 0 && !isAboutOthers(fresh, old) && isSameThing(fresh.part, old.part);
}

/**
 * Whether two lines of a document are about the same person or thing. Lines such as `field: value` never count, because many things have the
 * same fields.
 */
function isSameEntry({ statement, part }: Side, { statement: known, part: old }: Side): boolean {
	if (!isSameName(statement.subject, known.subject) && !isPartOfOther(part.thing, old.thing)) return false;
	return !part.text.includes(": ") && !old.text.includes(": ");
}

function hasOtherAmount(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (fresh.statement.speaker === null && !isSameEntry(fresh, old)) return false;
	if (before.values.size === 0 || !isComparable(fresh, old) || !(isLinked(fresh, old) || hasLinkedNeighbour(fresh, old))) return false;
	if (areEventsOfOtherDays(fresh, old)) return false;
	return differ(now.values, before.values) || ((now.hintsAtChange || commonWords(fresh, old).length > 1) && differ(now.values, before.values, true));
}

/** What was done on one day is not changed by what was done on another: `bought 2 ropes on Monday`, `bought 3 ropes on Tuesday`. A day alone may change. */
function areEventsOfOtherDays(fresh: Side, old: Side): boolean {
	if (!fresh.statement.isPastTold || !old.statement.isPastTold || fresh.part.statesChange || fresh.part.hintsAtChange) return false;
	const [{ days }, { days: others }] = [fresh.part, old.part];
	const hasAmounts = [...fresh.part.values.keys()].some((unit) => unit !== "day" && unit !== "weekday" && unit !== "time" && old.part.values.has(unit));
	return hasAmounts && days.size > 0 && others.size > 0 && days.isDisjointFrom(others);
}

/**
 * Whether the clause names no thing itself, but another clause of its statement is about the known one: `Danes can't on the 14th, we do it
 * on the 22nd`.
 */
function hasLinkedNeighbour({ statement, part }: Side, old: Side): boolean {
	if (part.owner.kind === "thing" && part.thing.length > 0) return false;
	return statement.parts.some(
		(other) => other !== part && isClaimed(other) && isComparable({ statement, part: other }, old) && isLinked({ statement, part: other }, old),
	);
}
