/** Parses days in headings and lines, and formats days for memories. All in UTC. */

import { type ParsedResult, parse } from "chrono-node/en";

const dayName = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b/i;
const monthOrNumbers = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/i;
const headingCharactersMax = 120;
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** The distance up to which a day without a year is taken to be in the year that is nearest to another day. */
const nearDaysMax = 120;
const dayMs = 86_400_000;

/**
 * The day in a heading, or in another line that begins with a complete date; null for only a month or only a time, and `"unclear"` if
 * its year is missing and cannot be derived.
 *
 * @param near the day that a missing year is derived from; null if none is known.
 */
export function dayIn(text: string, near: Date | null, isHeading: boolean): Date | "unclear" | null {
	if (text.length > headingCharactersMax || !/\d/.test(text) || !monthOrNumbers.test(text)) return null;
	const dates = parse(text, { instant: near ?? new Date(0), timezone: 0 }).filter(({ start }) => start.isCertain("day") && start.isCertain("month"));
	const found = dates.find(({ start, index }) => isHeading || (index === 0 && start.isCertain("year")));
	if (found === undefined) return null;
	const day = startOfDay(found.start.date());
	return found.start.isCertain("year") ? day : near === null ? "unclear" : (nearestYear(day, found.start, near) ?? "unclear");
}

/** The day in the year in which it is nearest to `near` and has the weekday that is written with it; null if it is far from `near` in every year. */
function nearestYear(day: Date, written: ParsedResult["start"], near: Date): Date | null {
	const distance = (other: Date) => Math.abs(other.getTime() - near.getTime());
	return (
		daysInYears(day, near)
			.filter((other) => !written.isCertain("weekday") || other.getUTCDay() === written.get("weekday"))
			.sort((a, b) => distance(a) - distance(b))
			.find((other) => distance(other) <= nearDaysMax * dayMs) ?? null
	);
}

/** The day in the years before, of and after `near`. */
export function daysInYears(day: Date, near: Date): readonly Date[] {
	return [-1, 0, 1].map((yearOffset) => {
		const date = new Date(day);
		date.setUTCFullYear(near.getUTCFullYear() + yearOffset);
		return date;
	});
}

const dateLabel = /^\W*(?:date|day|when)\s*:\s*/i;

/** Whether a line contains nothing but a date: `Tuesday 14 April 2026`, `2026-04-14`, `Date: 2026-04-14`. */
export function isDateAlone(line: string): boolean {
	const text = line.replace(dateLabel, "");
	if (text.length > headingCharactersMax / 2 || !/\d/.test(text) || !monthOrNumbers.test(text)) return false;
	const [found] = parse(text, { instant: new Date(0), timezone: 0 });
	if (found === undefined || !found.start.isCertain("day")) return false;
	const rest = (text.slice(0, found.index) + text.slice(found.index + found.text.length)).replace(dayName, "");
	return !/[\p{L}\p{N}]/u.test(rest);
}

export function writtenDay(day: Date): string {
	return dayFormat.format(day);
}

export function monthOf(day: Date): string {
	return monthFormat.format(day);
}

export function startOfDay(date: Date): Date {
	return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
}
