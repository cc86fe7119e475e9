/** Adds the entries of a calendar: a heading with the subject, then when, where and with whom, then the description. */

import ICAL from "ical.js";
import type { Outline } from "../blocks/outline.ts";
import { wordsOfRepetition, wordsOfTimes } from "./wording.ts";

const entryKinds: ReadonlySet<string> = new Set(["vevent", "vtodo", "vjournal"]);
/** More people than this are counted, not named. */
const peopleMax = 30;

/** @returns the name of the calendar, if it has one; null if the text is no calendar with entries, and then nothing is added */
export function addCalendar(text: string, outline: Outline): { readonly name: string | null } | null {
	const calendars = parse(text);
	const entries = calendars.flatMap((calendar) => calendar.getAllSubcomponents().filter(({ name }) => entryKinds.has(name)));
	if (entries.length === 0) return null;
	for (const entry of entries) addEntry(entry, outline);
	return { name: calendars.map((calendar) => textOf(calendar, "x-wr-calname") || textOf(calendar, "name")).find((name) => name !== "") ?? null };
}

type Parsed = ConstructorParameters<typeof ICAL.Component>[0];

/** The calendars in the text, of which there may be several; none if it is damaged. */
function parse(text: string): readonly ICAL.Component[] {
	try {
		const parsed = ICAL.parse(text);
		const calendars: readonly Parsed[] = Array.isArray(parsed[0]) ? parsed : [parsed];
		return calendars.map((calendar) => new ICAL.Component(calendar));
	} catch {
		return []; // whatever it throws, the text is no calendar
	}
}

function addEntry(entry: ICAL.Component, outline: Outline): void {
	const facts: readonly (readonly [name: string, value: string])[] = [
		["When", wordsOfTimes(entry)],
		["Repeats", wordsOfRepetition(entry)],
		["Where", textOf(entry, "location")],
		["Organizer", peopleOf(entry, "organizer")],
		["With", peopleOf(entry, "attendee")],
		["Status", textOf(entry, "status").toLowerCase()],
		["Link", textOf(entry, "url")],
	];
	outline.heading(2, textOf(entry, "summary").replace(/\s+/g, " ") || "Untitled entry");
	outline.paragraph(facts.flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`])).join("\n"));
	for (const part of textOf(entry, "description").split(/\n\s*\n/)) outline.paragraph(part.trim());
}

function textOf(component: ICAL.Component, name: string): string {
	return String(component.getFirstPropertyValue(name) ?? "").trim();
}

/** Names, or addresses of those who have none. */
function peopleOf(entry: ICAL.Component, property: string): string {
	const people = entry.getAllProperties(property).map((person) => {
		const name = person.getFirstParameter("cn") ?? "";
		return name.trim() || String(person.getFirstValue() ?? "").replace(/^mailto:/i, "");
	});
	const more = people.length > peopleMax ? ` and ${people.length - peopleMax} more` : "";
	return `${people.slice(0, peopleMax).join(", ")}${more}`;
}
