/** How texts are known that no other format claims: calendars and address books have first lines of their own. */

import type { FileSign } from "cairn-memory";

export const textSigns: readonly FileSign[] = [
	{ mediaType: "text/calendar", endings: ["ics"], says: (start) => start.startsWith("BEGIN:VCALENDAR") },
	{ mediaType: "text/vcard", endings: ["vcf"], says: (start) => start.startsWith("BEGIN:VCARD") },
];
