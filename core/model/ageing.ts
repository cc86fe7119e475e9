/** Which facts go out of date, and after how long a person should check them. The rules are for English, like those of the extractor. */

import type { MemoryDraft } from "./memory.ts";

const dayMs = 24 * 60 * 60_000;

interface AgeingKind {
	readonly pattern: RegExp;
	readonly reviewAfterDays: number;
}

/** The kinds of facts that age. The first pattern that matches decides, so the kinds with the shortest time come first. */
const ageingKinds: readonly AgeingKind[] = [
	// What somebody plans to do, waits for or is doing at the moment.
	{ pattern: /\b(?:plans?|planning|hopes?|hoping|intends?|intending|wants?|going|about) to\b|\b(?:is|are|am) (?:looking|waiting) for\b/i, reviewAfterDays: 90 },
	{ pattern: /\b(?:currently|these days|at the moment|right now|for now|this (?:week|month|term|season))\b/i, reviewAfterDays: 90 },
	{
		pattern: /\b(?:is|are|am) (?:working on|learning|studying|training|recovering|pregnant|on leave|ill|injured|unemployed|between jobs)\b/i,
		reviewAfterDays: 90,
	},
	// How old somebody is.
	{
		pattern: /\b(?:is|are|am|turned|turns) (?:\d{1,3}|[a-z]+(?:-[a-z]+)?) ?(?:years?|months?)[ -]old\b|\bturn(?:ed|s) \d{1,3}\b|\baged? (?:is )?\d{1,3}\b/i,
		reviewAfterDays: 365,
	},
	// Where somebody works, and as what.
	{
		pattern: /\bworks? (?:at|for|as|in|with)\b|\b(?:is|are|am) (?:employed|responsible for|in charge of)\b|\b(?:is|are|am) an? [\w -]{2,40} (?:at|for) [A-Z]/,
		reviewAfterDays: 365,
	},
	{ pattern: /\b(?:job|position|role|employer|boss|manager|salary|rent)(?: is|: )/i, reviewAfterDays: 365 },
	// Where somebody lives, and how to reach them.
	{ pattern: /\b(?:lives?|living|resides?|stays?) (?:in|at|on|with|near)\b|\b(?:is|are|am) based in\b|\bmoved (?:to|in with)\b/i, reviewAfterDays: 365 },
	{ pattern: /\b(?:address|phone|telephone|number|e-?mail|office)(?: \w+)? (?:is|:) ?/i, reviewAfterDays: 365 },
	// With whom somebody lives or is in a relationship.
	{ pattern: /\b(?:is|are|am) (?:dating|seeing|engaged|married|single|divorced|separated)\b/i, reviewAfterDays: 365 },
	{ pattern: /['’]s (?:boyfriend|girlfriend|partner|fianc[ée]e?|husband|wife|roommate|flatmate)\b/i, reviewAfterDays: 365 },
];

/** A fact about the past does not age. */
const isPast = /\b(?:used to|formerly|no longer|any ?more|was|were|had been)\b/i;

/**
 * When a person should check the fact. Null for lasting facts, and for those that expire by themselves.
 * @param saidAt the date of the source, from which the time is counted, so that a fact from a ten-year-old letter is due at once; if it is null, `now` is used
 */
export function reviewDateOf({ text, forgetAfter }: Pick<MemoryDraft, "text" | "forgetAfter">, saidAt: Date | null, now: Date): Date | null {
	if (forgetAfter !== null || isPast.test(text)) return null;
	const kind = ageingKinds.find(({ pattern }) => pattern.test(text));
	return kind === undefined ? null : new Date((saidAt ?? now).getTime() + kind.reviewAfterDays * dayMs);
}

/** The `reviewAfter` property of a memory; absent when there is no date. */
export function ageing(memory: Pick<MemoryDraft, "text" | "forgetAfter">, saidAt: Date | null, now: Date): { readonly reviewAfter?: Date } {
	const reviewAfter = reviewDateOf(memory, saidAt, now);
	return reviewAfter === null ? {} : { reviewAfter };
}
