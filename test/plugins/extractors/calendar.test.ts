/** The calendar extractor: events as a person would tell them, and what is no calendar after all. */

import { describe, expect, test } from "bun:test";
import calendarPlugin from "../../../plugins/extractors/calendar/index.ts";
import { extractorNamed, read, testContract } from "./samples.ts";

const start = () => extractorNamed(calendarPlugin(), "calendar");
const type = "text/calendar";

const calendarOf = (...lines: readonly string[]) => ["BEGIN:VCALENDAR", "VERSION:2.0", "X-WR-CALNAME:Harbour", ...lines, "END:VCALENDAR"].join("\r\n");
const eventOf = (...lines: readonly string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"];
const textOf = async (...lines: readonly string[]) => (await read(await start(), calendarOf(...lines), type)).extraction.text;

const meeting = eventOf(
	"SUMMARY:Dredging meeting",
	"DTSTART;TZID=Europe/Zurich:20260504T090000",
	"DTEND;TZID=Europe/Zurich:20260504T103000",
	"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20261231T000000Z",
	"LOCATION:Lindau\\, pier 3",
	"ORGANIZER;CN=Ada Kern:mailto:ada@example.org",
	"ATTENDEE;CN=Bo:mailto:bo@example.org",
	"ATTENDEE:mailto:cy@example.org",
	"DESCRIPTION:Bring the cha",
	" rts.\\n\\nTea is served.",
);

describe("laws", () => {
	testContract(start, [
		{
			bytes: new TextEncoder().encode(calendarOf(...eventOf("SUMMARY:Dredging meeting", "LOCATION:Lindau", "DESCRIPTION:Bring the charts."))),
			mediaType: type,
			fileName: "harbour.ics",
			words: ["Dredging", "meeting", "Where:", "Lindau", "Bring", "the", "charts."],
			headings: ["Dredging meeting"],
		},
	]);
});

test("an event has its subject, time, place and people, and the calendar's name is the title", async () => {
	const { extraction } = await read(await start(), calendarOf(...meeting), type);
	expect(extraction.title).toBe("Harbour");
	expect(extraction.text).toBe(
		[
			"## Dredging meeting",
			[
				"When: 2026-05-04 09:00 – 10:30 Europe/Zurich",
				"Repeats: every 2 weeks on MO, WE until 2026-12-31",
				"Where: Lindau, pier 3",
				"Organizer: Ada Kern",
				"With: Bo, cy@example.org",
			].join("\n"),
			"Bring the charts.",
			"Tea is served.",
		].join("\n\n"),
	);
});

test("times are said as they are meant: whole days, over midnight, a duration, due, in UTC, none", async () => {
	const text = await textOf(
		...eventOf("SUMMARY:Regatta", "DTSTART;VALUE=DATE:20260601", "DTEND;VALUE=DATE:20260604"),
		...eventOf("SUMMARY:Holiday", "DTSTART;VALUE=DATE:20260601", "DTEND;VALUE=DATE:20260602"),
		...eventOf("SUMMARY:Watch", "DTSTART:20260601T220000Z", "DTEND:20260602T060000Z"),
		...eventOf("SUMMARY:Talk", "DTSTART:20260601T090000", "DURATION:PT45M"),
		...["BEGIN:VTODO", "SUMMARY:Paint", "DUE;VALUE=DATE:20260701", "STATUS:NEEDS-ACTION", "END:VTODO"],
		...eventOf("DESCRIPTION:Some time"),
	);
	for (const words of [
		"Regatta\n\nWhen: 2026-06-01 – 2026-06-03\n",
		"Holiday\n\nWhen: 2026-06-01\n",
		"Watch\n\nWhen: 2026-06-01 22:00 – 2026-06-02 06:00 UTC\n",
		"Talk\n\nWhen: 2026-06-01 09:00 – 09:45\n",
		"Paint\n\nWhen: due 2026-07-01\nStatus: needs-action\n",
		"Untitled entry\n\nSome time",
	])
		expect(text).toContain(words);
});

test("what is no calendar is a text, with a remark", async () => {
	const { extraction, step } = await read(await start(), "BEGIN:VCALENDAR\nThe keeper slept.", type);
	expect(extraction.text).toContain("The keeper slept.");
	expect(step.warnings.map(({ code }) => code)).toEqual(["CALENDAR_BROKEN"]);
});
