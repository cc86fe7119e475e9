/** Signatures of calendars, by their first line. */

import type { FileSignature } from "cairn-memory";

export const calendarSignatures: readonly FileSignature[] = [
	{ mediaType: "text/calendar", extensions: ["ics", "ical", "ifb", "vcs"], matchesText: (start) => /^BEGIN:VCALENDAR\s/i.test(start) },
];
