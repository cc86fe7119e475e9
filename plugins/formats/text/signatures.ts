/** Signatures of plain text, and of calendars and address books, by their first line. */

import type { FileSignature } from "cairn-memory";

export const textSignatures: readonly FileSignature[] = [
	{ mediaType: "text/calendar", extensions: ["ics"], matchesText: (start) => start.startsWith("BEGIN:VCALENDAR") },
	{ mediaType: "text/vcard", extensions: ["vcf"], matchesText: (start) => start.startsWith("BEGIN:VCARD") },
];
