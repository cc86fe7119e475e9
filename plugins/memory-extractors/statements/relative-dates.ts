/** Finds when a statement happens, and adds the calendar date after expressions such as `last week` and `on Friday`. All in UTC. */

import { type ParsedResult, parse } from "chrono-node/en";
import { daysInYears, monthOf, startOfDay, writtenDay } from "./days.ts";
import { type Tense, tenseAt } from "./tense.ts";

export interface DatedStatement {
	readonly text: string;
	readonly eventTime: Date | null;
	/** The end of a planned or temporary event. */
	readonly endsAt: Date | null;
}

type Unit = "day" | "weekend" | "week" | "month" | "year";

/** A time expression in the text. */
interface TimeExpression {
	readonly begin: number;
	readonly end: number;
	readonly from: Date;
	/** The last day of the period. */
	readonly to: Date;
	readonly unit: Unit;
	readonly hasHour: boolean;
	readonly isRelative: boolean;
	readonly isWeekday: boolean;
	/** Whether it is always relative to the day of speaking, such as `this Friday` and `since Friday`. */
	readonly isAnchored: boolean;
	readonly isPast: boolean;
}

/** A cheap test before the expensive parser. */
const dateWord =
	/\b(?:today|tonight|tomorrow|yesterday|weekends?|(?:days?|weeks?|months?|years?) (?:ago|later|from now)|(?:last|next|this|past|coming) \w+|in (?:a|an|one|two|three|four|five|six|\d+) \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}|(?:in|since|until|by|from|during) (?:1[1-9]|20)\d\d)\b/i;
const relative =
	/\b(?:ago|last|next|this|past|coming|today|tonight|tomorrow|yesterday|weekend|later|from now|in (?:a|an|one|two|three|four|five|six|\d+)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;
const weekday = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;
const writtenYear = /\d{4}|\d[./-]\d{1,2}[./-]\d{2}\b/;
/** A cheap test of a whole text before that: most have no digits for it. */
const mayHaveYear = /\d{4}|\d[./-]\d{1,2}[./-]\d{2}/;
/** Expressions that the parser mistakes for dates: short names, daily times, durations. */
const falseDate =
	/^(?:(?:later |earlier )?(?:in )?the (?:year|month|week|day)|after .*(?:years?|months?|weeks?|days?)|sat|sun|mon|wed|mar|may|march|now|(?:in |at )?(?:the |this )?(?:morning|afternoon|evening|night|noon|midnight)|(?:at )?\d{1,2}(?::\d{2})?\s*(?:am|pm|o'clock)?|(?:this|that) (?:second|minute|hour|time)|.*\b(?:hours?|minutes?|seconds?)\b.*)$/i;
/** `the last two weeks`, `every Friday`: expressions without one calendar day. */
const habitBefore =
	/\b(?:for|every|each|per|most|all|over|within|during the|a|the (?:first|second|third|last))\s+(?:other |second |third )?(?:about |almost |nearly |the )?$/i;
const yearOnly = /\b(?:in|since|until|by|from|during)\s+((?:1[1-9]|20)\d\d)\b(?!\s*[-/.]\s*\d)/i;
/** The parser mistakes the first number of `from 8 June to 12 June` for an hour. */
const fromTo = /\bfrom (?=\d{1,2} \p{Lu}\p{L}+ (?:to|until|till|through) \d{1,2} \p{Lu}\p{L}+)/gu;
const dayExpression = /\b(?:today|tomorrow|yesterday|tonight|ago|in \w+ (?:days?|weeks?)|this|last|next)\b/i;
/** A day that returns every year belongs to none. */
const recurring = /\b(?:birthday|anniversary)(?:['’]s| is| was)\b|\b(?:every|each|per) year\b/i;
const dayMs = 86_400_000;
const charactersMax = 1_000;

/** @param spokenOn the day of speaking; null if it is not known. In an old file added today, `last year` is not relative to today. */
export function dateStatement(text: string, spokenOn: Date | null): DatedStatement {
	// If the day of speaking is not known, only a date with its year counts.
	if (text.length > charactersMax || (spokenOn === null && !mayHaveYear.test(text)) || !dateWord.test(text)) return { text, eventTime: null, endsAt: null };
	const parsable = text.replace(fromTo, (words) => "on".padEnd(words.length));
	const reference = spokenOn ?? new Date(0);
	const results = parse(parsable, { instant: reference, timezone: 0 });
	const expressions = results.flatMap((result) => (spokenOn === null && !writtenYear.test(result.text) ? [] : dateOf(result, text, reference)));
	// A weekday next to another date is relative to that date, and so is one of several ambiguous ones.
	const hasOtherDate =
		results.some(({ start, text: words }) => start.isCertain("day") && start.isCertain("month") && !relative.test(words) && !falseDate.test(words)) ||
		expressions.some(({ isRelative }) => !isRelative) ||
		results.filter((result) => weekday.test(result.text)).length > expressions.filter(({ isWeekday }) => isWeekday).length;
	const usable = expressions.filter(
		({ isWeekday, isAnchored, isRelative }) => (spokenOn !== null || !isRelative) && (!isWeekday || isAnchored || !hasOtherDate),
	);
	const [first] = usable;
	if (first === undefined) return { text, eventTime: yearOf(text), endsAt: null };
	let dated = text;
	for (const expression of usable.toReversed())
		if (expression.isRelative && !/^\s*\(/.test(text.slice(expression.end)))
			dated = `${dated.slice(0, expression.end)} (${formatExpression(expression)})${dated.slice(expression.end)}`;
	const isInFuture = first.isRelative && !first.isPast && (first.unit === "day" || first.unit === "weekend" || first.unit === "week");
	return { text: dated, eventTime: first.from, endsAt: isInFuture ? endOf(first) : null };
}

function dateOf(result: ParsedResult, sentence: string, spokenOn: Date): readonly TimeExpression[] {
	const { index, start, end = null } = result;
	const text = result.text.replace(/[\s,;.]+$/, "");
	const [before, after] = [sentence.slice(0, index), sentence.slice(index + text.length)];
	// "The next day" of a story is counted from a day in the story.
	if (/\bthe (?:very )?$/i.test(before) && /^(?:next|following|previous|same|other)\b/i.test(text)) return [];
	if (/^the (?:very )?(?:next|following|previous|same|other)\b/i.test(text)) return [];
	if (falseDate.test(text) || /^for\b/i.test(text) || habitBefore.test(before)) return [];
	if (/^(?:s\b|['’]s\b|\s+(?:mornings|afternoons|evenings|nights)\b)/i.test(after)) return []; // on Fridays, today's
	const unit = unitOf(text);
	const isWeekday = weekday.test(text) && !start.isCertain("day") && !/\b(?:last|next|past)\b/i.test(text);
	if (
		isWeekday &&
		(/^\s*(?:after\b|before\b|(?:the )?\d|[-–]|(?:to|through|and|or)\s+\w+day\b)/i.test(after) ||
			/\b(?:the|and|or|to|through|[-–])\s+(?:on\s+)?$/i.test(before))
	)
		return [];
	if (isWeekday && end !== null && weekday.test(text.replace(weekday, ""))) return []; // Monday to Friday
	const isSince = /\bsince\b[^.;,]*$/i.test(before);
	const isUntil = /\b(?:by|until|till|through|from|starting|as of|(?:not|no) later than)\s+(?:the\s+)?(?:end of\s+)?$/i.test(before);
	const tense = isUntil ? "future" : tenseAt(sentence, index, index + text.length);
	const isPast = isSince || tense === "past";
	const hasHour = start.isCertain("hour") && !/ago|later|from now/i.test(text);
	const isRelative =
		relative.test(text) && !/\d{4}/.test(text) && (isWeekday || !(start.isCertain("day") && start.isCertain("month")) || dayExpression.test(text));
	const exact = start.date();
	let from = hasHour ? exact : startOfUnit(startOfDay(exact), unit);
	if (/\blast night$/i.test(text)) from = new Date(startOfDay(spokenOn).getTime() - dayMs);
	else if (unit === "weekend" && isPast && from > spokenOn) from = new Date(from.getTime() - 7 * dayMs);
	else if (/\bthis week$/i.test(text)) from = startOfUnit(startOfDay(spokenOn), "week");
	else if (isWeekday) from = weekdayNear(exact, spokenOn, isPast);
	else if (!isRelative && !start.isCertain("year") && start.isCertain("month")) {
		const dated = inYear(result, from, spokenOn, isPast ? "past" : recurring.test(sentence) ? "unclear" : tense);
		if (dated === null) return [];
		from = dated;
	}
	const moved = from.getTime() - (hasHour ? exact : startOfUnit(startOfDay(exact), unit)).getTime();
	const to = end === null ? from : new Date(startOfDay(end.date()).getTime() + (isWeekday ? 0 : moved));
	return [
		{
			begin: index,
			end: index + text.length,
			from,
			to: new Date(Math.max(to.getTime(), from.getTime())),
			unit,
			hasHour,
			isRelative,
			isWeekday,
			isAnchored: isSince || /\b(?:this|coming)\b/i.test(text),
			isPast,
		},
	];
}

/** A weekday means the next one; in the past tense, and after `since`, it means the last one. */
function weekdayNear(parsed: Date, spokenOn: Date, isPast: boolean): Date {
	const today = startOfDay(spokenOn);
	const daysAhead = (parsed.getUTCDay() - today.getUTCDay() + 7) % 7 || 7;
	const timeOfDayMs = parsed.getTime() - startOfDay(parsed).getTime();
	return new Date(today.getTime() + (isPast ? daysAhead - 7 || -7 : daysAhead) * dayMs + (timeOfDayMs === 12 * 3_600_000 ? 0 : timeOfDayMs));
}

/** `17 October` without a year: the last one in the past tense, the coming one otherwise, in a year in which the weekday matches. Null if the tense is unclear. */
function inYear({ start }: ParsedResult, parsed: Date, spokenOn: Date, tense: Tense): Date | null {
	const years = daysInYears(parsed, spokenOn);
	const fittingDates = start.isCertain("weekday") ? years.filter((date) => date.getUTCDay() === start.get("weekday")) : years;
	if (fittingDates.length === 1) return fittingDates[0] ?? null;
	const today = startOfDay(spokenOn);
	if (tense === "past") return fittingDates.findLast((date) => date <= spokenOn) ?? null;
	if (tense === "unclear") return null;
	return fittingDates.find((date) => date >= (start.isCertain("day") ? today : monthBegin(today))) ?? null;
}

function monthBegin(day: Date): Date {
	return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
}

function yearOf(text: string): Date | null {
	const year = yearOnly.exec(text)?.[1];
	return year === undefined ? null : new Date(Date.UTC(Number(year), 0, 1));
}

function startOfUnit(day: Date, unit: Unit): Date {
	if (unit === "year") return new Date(Date.UTC(day.getUTCFullYear(), 0, 1));
	if (unit === "month") return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
	if (unit === "week") return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs);
	return day;
}

function unitOf(expression: string): Unit {
	const word = /\b(weekend|week|month|year)s?\b/i.exec(expression)?.[1]?.toLowerCase();
	if (word === "weekend" || word === "week" || word === "month" || word === "year") return /\w+day\b/i.test(expression) ? "day" : word;
	return "day";
}

function formatExpression({ from, to, unit, hasHour }: TimeExpression): string {
	if (unit === "year") return `${from.getUTCFullYear()}`;
	if (unit === "month") return monthOf(from);
	if (unit === "week") return `week of ${writtenDay(from)}`;
	if (to.getTime() - from.getTime() >= dayMs) return `${writtenDay(from)} to ${writtenDay(to)}`;
	return hasHour ? `${writtenDay(from)}, ${from.toISOString().slice(11, 16)}` : writtenDay(from);
}

function endOf({ to, unit }: TimeExpression): Date {
	const days = unit === "week" ? 7 : unit === "weekend" ? 2 : 1;
	return new Date(startOfDay(to).getTime() + days * dayMs);
}
