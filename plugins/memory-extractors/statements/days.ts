/** Parses days in headings and lines, and formats days for memories. All in UTC. */

import { parse } from "chrono-node/en";

const dayName = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b/i;
const monthOrNumbers = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/i;
const headingCharactersMax = 120;
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/**
 * The day in a heading, or in another line that begins with a complete date; null for only a month or only a time.
 *
 * @param near the date that a missing year is derived from.
 */
export function dayIn(text: string, near: Date, isHeading: boolean): Date | null {
	if (text.length > headingCharactersMax || !/\d/.test(text) || !monthOrNumbers.test(text)) return null;
	const dates = parse(text, { instant: near, timezone: 0 }).filter(({ start }) => start.isCertain("day") && start.isCertain("month"));
	const found = dates.find(({ start, index }) => isHeading || (index === 0 && start.isCertain("year")));
	return found === undefined ? null : startOfDay(found.start.date());
}

/** Whether a line contains nothing but a date: `Tuesday 14 April 2026`, `2026-04-14`. */
export function isDateAlone(text: string): boolean {
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
