/** Finds when a sentence happens, and writes the calendar date behind words such as `last week`. All in UTC. */

import { type ParsedResult, parse } from "chrono-node/en";

export interface Dated {
	readonly text: string;
	readonly eventTime: Date | null;
	readonly forgetAfter: Date | null;
}

/** A cheap look before the costly parse. */
const dateWord =
	/\b(?:today|tonight|tomorrow|yesterday|weekends?|(?:days?|weeks?|months?|years?|hours?|minutes?) (?:ago|later|from now)|(?:last|next|this|past|coming) \w+|in (?:a|an|one|two|three|four|five|six|\d+) \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}|(?:in|since|until|by|from|during) (?:1[1-9]|20)\d\d)\b/i;
const relative =
	/\b(?:ago|last|next|this|past|coming|today|tonight|tomorrow|yesterday|weekend|later|from now|in (?:a|an|one|two|three|four|five|six|\d+)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;
/** What the parser takes for a date and is none: short names inside a sentence, and times of every day. */
const noDate =
	/^(?:sat|sun|mon|wed|mar|may|march|now|(?:in |at )?(?:the |this )?(?:morning|afternoon|evening|night|noon|midnight)|(?:at )?\d{1,2}(?::\d{2})?\s*(?:am|pm|o'clock)?)$/;
const habit = /(?:\b(?:for|every|each|per|most|all|over|within|during the|a)\s+)$/i;
/** A day that comes every year is no event of this one. */
const recurring = /\b(?:birthday|anniversary) is\b/i;
const yearOnly = /\b(?:in|since|until|by|from|during)\s+((?:1[1-9]|20)\d\d)\b(?!\s*[-/.]\s*\d)/i;
/** The parser takes the first number of `from 8 June to 12 June` for an hour. */
const fromTo = /\bfrom (\d{1,2} \p{Lu}\p{L}+) (?:to|until|till|through) \d{1,2} \p{Lu}\p{L}+.*$/u;
const dayMs = 86_400_000;

/** @param isTold whether the text speaks from its own day: an article put in today does not mean by `last year` what a chat of today does. */
export function dateSentence(text: string, said: Date, isTold: boolean): Dated {
	if (!dateWord.test(text) || recurring.test(text)) return { text, eventTime: null, forgetAfter: null };
	const result = parse(text.replace(fromTo, "on   $1"), { instant: said, timezone: 0 }).find((one) => isDate(one, text));
	if (result === undefined) return { text, eventTime: yearOf(text), forgetAfter: null };
	const begin = beginOf(result, text, said);
	const isRelative = relative.test(result.text);
	if (isRelative && !isTold) return { text, eventTime: null, forgetAfter: null };
	if (!isRelative) return { text, eventTime: begin, forgetAfter: null };
	const at = result.index + result.text.length;
	const isNoted = /^\s*\(\d{4}/.test(text.slice(at));
	const dated = isNoted ? text : `${text.slice(0, at)} (${written(begin, result)})${text.slice(at)}`;
	return { text: dated, eventTime: begin, forgetAfter: pastTold(text) ? null : forgetAfter(begin, result, said) };
}

function isDate({ text, index, start }: ParsedResult, whole: string): boolean {
	if (noDate.test(text) || /^for\b/i.test(text) || /day\s*(?:to|through|thru|and|[-–])\s*\w+day$/i.test(text)) return false;
	if (/^(?:s\b|\s*(?:through|thru|to|and|[-–])\s+\w+day)/i.test(whole.slice(index + text.length)) && /day$/i.test(text)) return false; // on Fridays, Monday to Friday
	return start.isCertain("month") || !habit.test(whole.slice(0, index));
}

function yearOf(text: string): Date | null {
	const year = yearOnly.exec(text)?.[1];
	return year === undefined ? null : new Date(Date.UTC(Number(year), 0, 1));
}

/** The instant if an hour was said, else the begin of the day, week, month or year. A weekday in a story of the past is the last one. */
function beginOf(result: ParsedResult, text: string, said: Date): Date {
	const date = result.start.date();
	if (result.start.isCertain("hour") && !/ago|later|from now/i.test(result.text)) return date;
	const day = startOfDay(date);
	const unit = unitOf(result.text);
	if (unit === "year") return new Date(Date.UTC(day.getUTCFullYear(), 0, 1));
	if (unit === "month") return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
	if (unit === "week") return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs);
	const isStory = !/\b(?:next|this|coming)\b/i.test(result.text) && /(?:sun|mon|tues|wednes|thurs|fri|satur)day/i.test(result.text);
	return isStory && pastTold(text) && day > said ? new Date(day.getTime() - 7 * dayMs) : day;
}

function pastTold(text: string): boolean {
	return (
		/\b(?:was|were|had|did|went|met|saw|got|made|took|bought|left|began|became|came|found|lost|won|told|said|\w{2,}ed)\b/.test(text) &&
		!/\b(?:will|going to|is|are)\b/.test(text)
	);
}

type Unit = "day" | "weekend" | "week" | "month" | "year";

function unitOf(expression: string): Unit {
	const word = /\b(weekend|week|month|year)s?\b/i.exec(expression)?.[1]?.toLowerCase();
	if (word === "weekend" || word === "week" || word === "month" || word === "year") return /day/i.test(expression) ? "day" : word;
	return "day";
}

function written(begin: Date, { text, start }: ParsedResult): string {
	const iso = begin.toISOString();
	const unit = unitOf(text);
	if (unit === "year") return iso.slice(0, 4);
	if (unit === "month") return iso.slice(0, 7);
	if (unit === "week") return `week of ${iso.slice(0, 10)}`;
	const hasHour = start.isCertain("hour") && !/ago|later|from now/i.test(text);
	return hasHour ? `${iso.slice(0, 10)} ${iso.slice(11, 16)}` : iso.slice(0, 10);
}

/** A plan or a passing state is worth nothing the day after; what happened stays, and so do months and years. */
function forgetAfter(begin: Date, { text }: ParsedResult, said: Date): Date | null {
	const unit = unitOf(text);
	if (unit === "month" || unit === "year") return null;
	const days = { day: 1, weekend: 2, week: 7 }[unit];
	const end = new Date(startOfDay(begin).getTime() + days * dayMs);
	return end > said ? end : null;
}

function startOfDay(date: Date): Date {
	return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
}
