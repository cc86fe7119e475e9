/** Whether a new statement takes the place of a known one, and by which rule. Replacing is a claim that needs proof: without it both stay. */

import type { Ending } from "./endings.ts";
import { isForOwner, isSameName, isSameOwner, isSpokenOfBy, isStrange, ownerWords, type Side } from "./owners.ts";
import type { Part } from "./part.ts";
import { namedSlots, sharedSlots } from "./slots.ts";
import type { Statement } from "./statement.ts";
import { overlap, shared, tellingWords } from "./telling-words.ts";
import { differ } from "./values.ts";

const half = 0.5;
/** A clause with more of them says many things, and another value of one of them is no proof. */
const claimWordsMax = 12;

type Rule = (fresh: Side, old: Side) => boolean;

/** In the order of how sure they are. */
const rules: readonly (readonly [name: string, rule: Rule])[] = [
	["another holds the post", otherHolder],
	["what was, has ended", hasEnded],
	["another amount, time or day of the thing", otherAmount],
	["another value of the attribute", otherValue],
	["the thing has changed", hasChanged],
];

/** The place of the first rule that applies; -1 when none does. */
export function replacingRule(fresh: Statement, old: Statement): number {
	if (isOlder(fresh, old) || (fresh.topic !== null && old.topic !== null && fresh.topic !== old.topic)) return -1;
	const [claims, known] = [sidesOf(fresh).claims, sidesOf(old).known];
	return rules.findIndex(([, rule]) => claims.some((now) => known.some((before) => rule(now, before))));
}

interface Sides {
	/** The clauses that may replace one, and those that may be replaced. */
	readonly claims: readonly Side[];
	readonly known: readonly Side[];
}

/** A statement is compared with many. */
const sides = new WeakMap<Statement, Sides>();

function sidesOf(statement: Statement): Sides {
	const before = sides.get(statement);
	if (before !== undefined) return before;
	const short = statement.parts.filter(({ isAsked, claim }) => !isAsked && claim.size <= claimWordsMax).map((part): Side => ({ all: statement, part }));
	const found = { claims: short.filter(({ part }) => isClaimed(part)), known: short };
	sides.set(statement, found);
	return found;
}

/** A past event that was reported later is older all the same; the date of a plan says nothing about that. */
export function isOlder(fresh: Statement, old: Statement): boolean {
	return fresh.isPastTold && !old.isPlan && fresh.eventTime !== null && old.eventTime !== null && fresh.eventTime < old.eventTime;
}

function isClaimed({ isAsked, isSupposed, adds }: Part): boolean {
	return !isAsked && !isSupposed && !adds;
}

/** It still held when it was said. */
function isStanding({ isPast, isSupposed }: Part): boolean {
	return !isPast && !isSupposed;
}

function isPresent({ isPast, tellsChange }: Part): boolean {
	return !isPast || tellsChange;
}

function otherHolder({ part: { holding: fresh } }: Side, { part }: Side): boolean {
	const old = fresh === null ? null : part.holding;
	if (fresh === null || old === null || fresh.post !== old.post || fresh.holder === old.holder) return false;
	return overlap(new Set(tellingWords(fresh.thing)), new Set(tellingWords(old.thing))) === 1;
}

function hasEnded(fresh: Side, old: Side): boolean {
	if (fresh.part.endings.length === 0) return false;
	// A name outlives what bears it.
	if (old.part.endings.length > 0 || old.part.slots.has("name") || !isStanding(old.part) || isDenied(old.part)) return false;
	if (!isSpokenOfBy(fresh, old) || (isStrange(fresh, old) && !isForOwner(fresh, old))) return false;
	// `Ana is off tonight` ends nothing of Ana's.
	const self = ownerWords(fresh);
	return fresh.part.endings.some((ending) => !ending.thing.every((word) => self.has(word)) && isThingOf(old, ending) && isMostlyOf(old, ending));
}

function isMostlyOf(old: Side, { thing, rest }: Ending): boolean {
	const all = [...thing, ...rest];
	return all.filter((word) => old.all.content.has(word) || ownerWords(old).has(word)).length / all.length >= half;
}

function isDenied({ says }: Part): boolean {
	return /\b(?:not|cannot|never|no longer)\b/.test(says);
}

/** What has ended is what the known clause speaks of, by its leading word or by a name. */
function isThingOf(old: Side, { thing, rest }: Ending): boolean {
	const { claim, names } = old.part;
	const leading = thing.at(-1);
	const isNamed = (word: string) => [...names].some((name) => tellingWords(name).includes(word));
	if (leading === undefined) return false;
	if (rest.some(isNamed)) return true;
	if ((old.part.thing.length > 0 ? old.part.thing : [...claim]).includes(leading) || ownerWords(old).has(leading)) return true;
	return claim.has(leading) && (thing.length + rest.length > 1 || isNamed(leading));
}

function otherValue(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (
		!isSameOwner(fresh, old) ||
		isStrange(fresh, old) ||
		!isPresent(now) ||
		!isStanding(before) ||
		now.isPlan !== before.isPlan ||
		now.isNegated !== before.isNegated
	)
		return false;
	if (!isOfOneThing(now, before) || !hasSlotOf(now, before)) return false;
	const isOther = differ(now.values, before.values);
	const keepsAll = [...old.all.content].every((word) => fresh.all.content.has(word));
	const saysNew = [...now.claim].some((word) => !before.claim.has(word));
	return isOther || (saysNew && !keepsAll);
}

/** The same attribute with a value of the same kind, a name for a name, or with a word of change. */
function hasSlotOf(now: Part, before: Part): boolean {
	const isAlike = now.names.size > 0 === before.names.size > 0 || now.tellsTurn;
	const isCommon = (slot: string) => before.slots.has(slot) && (isAlike || !namedSlots.has(slot)) && (now.tellsTurn || !sharedSlots.has(slot));
	if (!now.isPast && [...now.slots].some(isCommon)) return true;
	if (now.single === null || before.single === null || now.thing.length === 0 || before.thing.length === 0) return false;
	return now.single === "valued" || now.tellsChange || (now.names.size > 0 && before.names.size > 0);
}

/** Where both clauses are about a thing, it is the same one: `the meeting with the lawyer`, `the meeting with the tutor`. */
function isOfOneThing(now: Part, before: Part): boolean {
	if (now.owner.kind !== "thing" || before.owner.kind !== "thing") return true;
	if (now.thing.length === 0 || before.thing.length === 0) return now.owner.name !== null || shared(now.claim, before.claim) > 1;
	return overlap(new Set(now.thing), new Set(before.thing)) === 1;
}

function hasChanged(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isSameOwner(fresh, old) || !now.tellsChange || !isStanding(before) || now.isUndone || before.single === null) return false;
	const isNew = before.head !== null && renewed(now.says).includes(before.head) && (!isStrange(fresh, old) || isForOwner(fresh, old));
	if (!isNew && (isStrange(fresh, old) || now.thing.length === 0 || overlap(new Set(now.thing), new Set(before.thing)) < 1)) return false;
	return [...now.claim].some((word) => !before.claim.has(word)) || differ(now.values, before.values);
}

/** `a new phone number` → phone, number. */
function renewed(says: string): readonly string[] {
	return tellingWords(/\bnew ((?:\p{L}+ ?){1,2})/u.exec(says)?.[1] ?? "");
}

/** What is counted is no thing that two clauses are about. */
const coins = "euro dollar pound franc quid crown shilling";

/** Words that both speak of, but for the name of the one who speaks and the unit. */
function common(fresh: Side, old: Side): readonly string[] {
	const self = new Set([fresh.all.speaker ?? "", ...fresh.part.values.keys(), coins].flatMap(tellingWords));
	return [...fresh.part.claim].filter((word) => !self.has(word) && (old.part.claim.has(word) || ownerWords(old).has(word)));
}

/** The clause is of the known thing: what leads there or names it, or two of its words. */
function isLinked(fresh: Side, old: Side): boolean {
	const words = common(fresh, old);
	if (words.length === 0) return false;
	const { head, thing, names, claim } = old.part;
	const named = new Set([...names].flatMap(tellingWords));
	return words.length > 1 || words.some((word) => word === head || named.has(word) || thing.includes(word)) || claim.size <= 3;
}

/** Both are of one speaker, and the known clause still holds. */
function isApt(fresh: Side, old: Side): boolean {
	const [mine, theirs] = [fresh.all.speaker, old.all.speaker];
	if (mine !== null && theirs !== null && !isSameName(mine, theirs)) return false;
	return isStanding(old.part) && old.part.endings.length === 0 && !isStrange(fresh, old) && isOfOneThing(fresh.part, old.part);
}

/** Lines of a document say the same of many things: there both name one somebody, or one thing, and neither is a field. */
function isOfOneEntry({ all, part }: Side, { all: before, part: old }: Side): boolean {
	if (part.says.includes(": ") || old.says.includes(": ")) return false;
	return isSameName(all.subject, before.subject) || (part.thing.length > 0 && old.thing.length > 0 && overlap(new Set(part.thing), new Set(old.thing)) === 1);
}

function otherAmount(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (fresh.all.speaker === null && !isOfOneEntry(fresh, old)) return false;
	if (now.values.size === 0 || before.values.size === 0 || !isPresent(now) || !isApt(fresh, old) || !(isLinked(fresh, old) || goesOn(fresh, old))) return false;
	return differ(now.values, before.values) || ((now.tellsTurn || common(fresh, old).length > 1) && differ(now.values, before.values, true));
}

/** `Danes can't on the 14th, we do it on the 22nd`: the clause has no thing of its own, and the one beside it is of the known thing. */
function goesOn({ all, part }: Side, old: Side): boolean {
	if (part.owner.kind === "thing" && part.thing.length > 0) return false;
	return all.parts.some((beside) => beside !== part && isClaimed(beside) && isApt({ all, part: beside }, old) && isLinked({ all, part: beside }, old));
}
