/** Whether a new statement takes the place of a known one, and by which rule. Replacing is a claim that needs proof: without it both stay. */

import type { Ending } from "./endings.ts";
import { isSameName, isSameOwner, isSpokenOfBy, ownerWords, type Side } from "./owners.ts";
import type { Part } from "./part.ts";
import { namedSlots, sharedSlots } from "./slots.ts";
import type { Statement } from "./statement.ts";
import { overlap, pointedWords, shared, tellingWords } from "./telling-words.ts";
import { differ, meet } from "./values.ts";

const half = 0.5;
const mostly = 0.6;
/** A clause with more of them says many things, and another value of one of them is no proof. */
const claimWordsMax = 12;

type Rule = (fresh: Side, old: Side) => boolean;

/** In the order of how sure they are. */
const rules: readonly (readonly [name: string, rule: Rule])[] = [
	["another holds the post", otherHolder],
	["somebody else has taken it over", isHandedOver],
	["what was, has ended", hasEnded],
	["it is so again, or no longer", turnsAround],
	["another value of the attribute", otherValue],
	["another number or date of the thing", otherNumber],
	["the thing has changed", hasChanged],
	["what was known was wrong", isCorrected],
	["the plan was carried out", isCarriedOut],
	["something else is preferred", otherPreference],
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
	// First what costs least: few statements say that anything is over.
	if (fresh.part.emptied.size === 0 && fresh.part.ending === null) return false;
	// A name outlives what bears it.
	if (old.part.ending !== null || old.part.slots.has("name") || old.part.isSupposed || isDenied(old.part)) return false;
	const isTheirs = fresh.part.owner.kind === "thing" ? fresh.part.thing.some((word) => old.part.claim.has(word)) : isSameOwner(fresh, old);
	if (isTheirs && [...fresh.part.emptied].some((slot) => old.part.slots.has(slot))) return namesNoOther(fresh.part, old.part);
	const { ending } = fresh.part;
	if (ending === null || !isSpokenOfBy(fresh, old) || !isThingOf(old, ending)) return false;
	const all = [...ending.thing, ...ending.rest];
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
	if (old.part.isPlan && rest.some(isNamed)) return true;
	if ((old.part.thing.length > 0 ? old.part.thing : [...claim]).includes(leading) || ownerWords(old).has(leading)) return true;
	return claim.has(leading) && (thing.length + rest.length > 1 || isNamed(leading));
}

/** `quit the job at the bakery` ends no job at the bank. */
function namesNoOther({ ending, names }: Part, { names: known, words }: Part): boolean {
	if (ending !== null && ending.rest.length > 0 && ending.rest.some((word) => words.has(word))) return true;
	return names.size === 0 || known.size === 0 || [...names].some((name) => known.has(name));
}

function turnsAround(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isSameOwner(fresh, old) || now.isNegated === before.isNegated || (now.isUndone && !before.isUndone)) return false;
	if ((!isPresent(now) && !before.isNegated) || before.isSupposed) return false;
	const head = before.head ?? [...before.claim].at(-1);
	if (head === undefined || !now.claim.has(head) || (before.claim.size < 2 && !now.tellsTurn && before.names.size === 0)) return false;
	return shared(now.claim, before.claim) >= mostly * Math.max(now.claim.size, before.claim.size);
}

function otherValue(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isSameOwner(fresh, old) || !isPresent(now) || !isStanding(before) || now.isPlan !== before.isPlan || now.isNegated !== before.isNegated) return false;
	if (!isOfOneThing(now, before) || !hasSlotOf(now, before)) return false;
	const isOther = differ(now.values, before.values);
	const keepsAll = [...old.all.content].every((word) => fresh.all.content.has(word));
	const saysNew = [...now.claim].some((word) => !before.claim.has(word));
	return isOther || (saysNew && !keepsAll);
}

/** The same attribute with a value of the same kind, a name for a name, or with a word of change. */
function hasSlotOf(now: Part, before: Part): boolean {
	const isAlike = now.names.size > 0 === before.names.size > 0 || now.tellsTurn;
	const isCommon = (slot: string) =>
		before.slots.has(slot) && slot !== "schedule" && (isAlike || !namedSlots.has(slot)) && (now.tellsTurn || !sharedSlots.has(slot));
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

/** What the one speaks of is what the other speaks of, or a part of it. */
function speaksOf(now: Part, before: Part): boolean {
	if (before.head === null) return before.claim.size > 0 && overlap(now.claim, before.claim) === 1;
	if (now.thing.length > 0 && overlap(new Set(now.thing), new Set(before.thing)) === 1) return true;
	return now.claim.has(before.head) && shared(now.claim, new Set(before.thing)) >= Math.min(2, before.thing.length);
}

function otherNumber(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isSameOwner(fresh, old) || !isPresent(now) || !isStanding(before) || !speaksOf(now, before) || !isOfOneThing(now, before)) return false;
	if (!differ(now.values, before.values) || !isSentence(now) || !isSentence(before)) return false;
	// Nobody's: lines of a list say the same of many things.
	if (now.owner.name === null && fresh.all.speaker === null && now.thing.length !== before.thing.length) return false;
	return now.tellsTurn || (!now.isPast && shared(now.claim, before.claim) >= mostly * Math.max(now.claim.size, before.claim.size));
}

/** Of `distance: 12 km` nobody knows what of. */
function isSentence({ says, owner }: Part): boolean {
	if (says.includes(":") || says.includes(" - ")) return false;
	return owner.kind === "person" || /\b(?:is|are|was|were|be|been|has|have|will|want|wants|\p{L}{2,}(?:ed|s))\b/u.test(says);
}

function hasChanged(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isSameOwner(fresh, old) || !now.tellsChange || !isStanding(before) || now.isUndone || before.single === null) return false;
	const isNew = before.head !== null && renewed(now.says).includes(before.head);
	if (!isNew && (now.thing.length === 0 || overlap(new Set(now.thing), new Set(before.thing)) < 1)) return false;
	return [...now.claim].some((word) => !before.claim.has(word)) || differ(now.values, before.values);
}

/** `a new phone number` → phone, number. */
function renewed(says: string): readonly string[] {
	return tellingWords(/\bnew ((?:\p{L}+ ?){1,2})/u.exec(says)?.[1] ?? "");
}

/** Somebody else does now what was done by the one who said so. */
function isHandedOver(fresh: Side, old: Side): boolean {
	const before = old.part;
	if (fresh.part.takenOver.size === 0 || !isStanding(before) || before.owner.kind === "pronoun" || before.head === null) return false;
	if (fresh.all.speaker !== null && old.all.speaker !== null && !isSameName(fresh.all.speaker, old.all.speaker)) return false;
	return fresh.part.takenOver.has(before.head) || overlap(fresh.part.takenOver, before.claim) === 1;
}

function isCorrected(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	const isToldSo = fresh.all.parts.some(({ corrects }) => corrects);
	if (!isToldSo && !now.isNegated) return false;
	const isOneSpeaker = fresh.all.speaker !== null && isSameName(fresh.all.speaker, old.all.speaker);
	if (now.isPast || !(isSameOwner(fresh, old) || isOneSpeaker) || pointedWords(now.words).every((word) => !before.words.has(word))) return false;
	const deniesIt = now.isNegated && meet(now.values, before.values) && fresh.all.parts.some((part) => differ(part.values, before.values));
	return deniesIt || (isToldSo && isFixed(now) && isFixed(before) && differ(now.values, before.values));
}

/** A time or a day, or a number with more than a digit: others are in many a sentence. */
function isFixed({ values }: Part): boolean {
	return ["time", "weekday", "day"].some((kind) => values.has(kind)) || [...(values.get("number") ?? [])].some((one) => /\d\d/.test(one));
}

function isCarriedOut(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isSameOwner(fresh, old) || now.owner.kind !== "person" || !before.isPlan || now.isPlan || now.isNegated || !fresh.all.isPastTold) return false;
	const both = shared(now.claim, before.claim);
	return both >= 2 && both >= mostly * now.claim.size;
}

function otherPreference(fresh: Side, old: Side): boolean {
	const [now, before] = [fresh.part, old.part];
	if (!isSameOwner(fresh, old) || now.preferred === null || before.preferred === null) return false;
	return now.preferred !== before.preferred && isIn(before.preferred, now) && isIn(now.preferred, before);
}

function isIn(word: string, { words }: Part): boolean {
	return tellingWords(word).every((one) => words.has(one));
}
