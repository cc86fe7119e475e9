/** Which facts age, and after how long a person should check them. The rules are for English, like the extractor's. */

import type { MemoryDraft } from "./memory.ts";

const dayMs = 24 * 60 * 60_000;

interface Kind {
	readonly says: RegExp;
	readonly days: number;
}

/** The first match decides, so the shortest-lived kinds come first. */
const kinds: readonly Kind[] = [
	// What somebody is about to do, or busy with.
	{ says: /\b(?:plans?|planning|hopes?|hoping|intends?|intending|wants?|going|about) to\b|\b(?:is|are|am) (?:looking|waiting) for\b/i, days: 90 },
	{ says: /\b(?:currently|these days|at the moment|right now|for now|this (?:week|month|term|season))\b/i, days: 90 },
	{ says: /\b(?:is|are|am) (?:working on|learning|studying|training|recovering|pregnant|on leave|ill|injured|unemployed|between jobs)\b/i, days: 90 },
	// How old somebody is.
	{
		says: /\b(?:is|are|am|turned|turns) (?:\d{1,3}|[a-z]+(?:-[a-z]+)?) ?(?:years?|months?)[ -]old\b|\bturn(?:ed|s) \d{1,3}\b|\baged? (?:is )?\d{1,3}\b/i,
		days: 365,
	},
	// Where somebody works, and as what.
	{
		says: /\bworks? (?:at|for|as|in|with)\b|\b(?:is|are|am) (?:employed|responsible for|in charge of)\b|\b(?:is|are|am) an? [\w -]{2,40} (?:at|for) [A-Z]/,
		days: 365,
	},
	{ says: /\b(?:job|position|role|employer|boss|manager|salary|rent)(?: is|: )/i, days: 365 },
	// Where somebody lives, and how to reach them.
	{ says: /\b(?:lives?|living|resides?|stays?) (?:in|at|on|with|near)\b|\b(?:is|are|am) based in\b|\bmoved (?:to|in with)\b/i, days: 365 },
	{ says: /\b(?:address|phone|telephone|number|e-?mail|office)(?: \w+)? (?:is|:) ?/i, days: 365 },
	// With whom.
	{ says: /\b(?:is|are|am) (?:dating|seeing|engaged|married|single|divorced|separated)\b/i, days: 365 },
	{ says: /['’]s (?:boyfriend|girlfriend|partner|fianc[ée]e?|husband|wife|roommate|flatmate)\b/i, days: 365 },
];

/** A fact about the past does not age. */
const isOver = /\b(?:used to|formerly|no longer|any ?more|was|were|had been)\b/i;

/**
 * Counted from the date of the source, else from now: a fact from a ten-year-old letter is due at once. Null for lasting facts,
 * and for those that expire by themselves.
 */
export function reviewDateOf({ text, forgetAfter }: Pick<MemoryDraft, "text" | "forgetAfter">, saidAt: Date | null, now: Date): Date | null {
	if (forgetAfter !== null || isOver.test(text)) return null;
	const kind = kinds.find(({ says }) => says.test(text));
	return kind === undefined ? null : new Date((saidAt ?? now).getTime() + kind.days * dayMs);
}

/** The `reviewAfter` property of a memory; absent when there is no date. */
export function ageing(memory: Pick<MemoryDraft, "text" | "forgetAfter">, saidAt: Date | null, now: Date): { readonly reviewAfter?: Date } {
	const reviewAfter = reviewDateOf(memory, saidAt, now);
	return reviewAfter === null ? {} : { reviewAfter };
}
