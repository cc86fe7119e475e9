/** Writes the times and repetitions of calendar entries as a person would: `2026-05-04 09:00 – 10:00 Europe/Zurich`, `every 2 weeks on MO`. */

import ICAL from "ical.js";

/** When an entry begins and ends, or when a task is due; empty if it has no time. */
export function wordsOfTimes(entry: ICAL.Component): string {
	const due = timeOf(entry, "due");
	const start = timeOf(entry, "dtstart");
	if (start === null) return due === null ? "" : `due ${momentOf(due)}${zoneOf(entry, "due", due)}`;
	const end = timeOf(entry, "dtend") ?? afterDuration(entry, start) ?? due;
	const zone = zoneOf(entry, "dtstart", start);
	const last = end?.isDate === true ? lastDay(end) : end;
	if (last === null || last.compare(start) <= 0) return `${momentOf(start)}${zone}`;
	const isSameDay = !start.isDate && dayOf(start) === dayOf(last);
	return `${momentOf(start)} – ${isSameDay ? clockOf(last) : momentOf(last)}${zone}`;
}

function timeOf(entry: ICAL.Component, name: string): ICAL.Time | null {
	const value = entry.getFirstPropertyValue(name);
	return value instanceof ICAL.Time ? value : null;
}

function afterDuration(entry: ICAL.Component, start: ICAL.Time): ICAL.Time | null {
	const duration = entry.getFirstPropertyValue("duration");
	if (!(duration instanceof ICAL.Duration)) return null;
	const end = start.clone();
	end.addDuration(duration);
	return end;
}

/** An entry of whole days ends with the day before its end. */
function lastDay(end: ICAL.Time): ICAL.Time {
	const day = end.clone();
	day.adjust(-1, 0, 0, 0);
	return day;
}

const two = (number: number) => String(number).padStart(2, "0");

function dayOf({ year, month, day }: ICAL.Time): string {
	return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

function clockOf({ hour, minute }: ICAL.Time): string {
	return `${two(hour)}:${two(minute)}`;
}

function momentOf(time: ICAL.Time): string {
	return time.isDate ? dayOf(time) : `${dayOf(time)} ${clockOf(time)}`;
}

/** The name of the time zone, with a space before it; empty for whole days and times without a zone. */
function zoneOf(entry: ICAL.Component, property: string, time: ICAL.Time): string {
	if (time.isDate) return "";
	const name = entry.getFirstProperty(property)?.getFirstParameter("tzid") ?? (time.zone === ICAL.Timezone.utcTimezone ? "UTC" : "");
	return name === "" ? "" : ` ${name}`;
}

const units: Readonly<Record<string, string>> = { YEARLY: "year", MONTHLY: "month", WEEKLY: "week", DAILY: "day", HOURLY: "hour", MINUTELY: "minute" };

/** Empty if the entry does not repeat. */
export function wordsOfRepetition(entry: ICAL.Component): string {
	const rule = entry.getFirstPropertyValue("rrule");
	if (!(rule instanceof ICAL.Recur)) return "";
	const unit = units[rule.freq] ?? "time";
	const days = (rule.parts["BYDAY"] ?? []).join(", ");
	const until = rule.until instanceof ICAL.Time ? ` until ${dayOf(rule.until)}` : "";
	return [
		rule.interval > 1 ? `every ${rule.interval} ${unit}s` : `every ${unit}`,
		days === "" ? "" : ` on ${days}`,
		rule.count === null || rule.count === undefined ? until : `, ${rule.count} times`,
	].join("");
}
