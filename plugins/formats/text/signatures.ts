/** How texts are known that no other format claims: calendars and address books have first lines of their own. */

import type { FileSignature } from "cairn-memory";

export const textSignatures: readonly FileSignature[] = [
	{ mediaType: "text/calendar", extensions: ["ics"], matchesText: (start) => start.startsWith("BEGIN:VCALENDAR") },
	{ mediaType: "text/vcard", extensions: ["vcf"], matchesText: (start) => start.startsWith("BEGIN:VCARD") },
];
