/** Which facts age, and after how long a person should check them. The rules are for English, like the extractor's. */

import type { MemoryDraft } from "./memory.ts";

const dayMs = 24 * 60 * 60_000;

interface Kind {
	readonly says: RegExp;
	readonly days: number;
}

/** The first that fits decides: what passes soonest stands first. */
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

/** What is over does not age any more. */
const isOver = /\b(?:used to|formerly|no longer|any ?more|was|were|had been)\b/i;

/**
 * Counted from the day the source names as its own, else from now: a letter of ten years ago is due at once. Null for what
 * lasts, and for what is forgotten by itself.
 */
export function reviewDateOf({ text, forgetAfter }: Pick<MemoryDraft, "text" | "forgetAfter">, saidAt: Date | null, now: Date): Date | null {
	if (forgetAfter !== null || isOver.test(text)) return null;
	const kind = kinds.find(({ says }) => says.test(text));
	return kind === undefined ? null : new Date((saidAt ?? now).getTime() + kind.days * dayMs);
}

/** As a memory has it: absent when there is none. */
export function ageing(memory: Pick<MemoryDraft, "text" | "forgetAfter">, saidAt: Date | null, now: Date): { readonly reviewAfter?: Date } {
	const reviewAfter = reviewDateOf(memory, saidAt, now);
	return reviewAfter === null ? {} : { reviewAfter };
}
