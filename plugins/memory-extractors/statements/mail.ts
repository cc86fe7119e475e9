/** Reads e-mails in plain text: sender, recipient and date, and which lines are the message. */

import { parseDate } from "chrono-node/en";
import type { Line } from "./read-lines.ts";

export interface Mail {
	readonly sender: string;
	/** The name of the recipient; null if there is none or more than one. */
	readonly recipient: string | null;
	readonly subject: string | null;
	readonly day: Date | null;
}

/** The maximum number of lines of a mail header. */
const headLinesMax = 8;
const headerField = /^\**(from|to|cc|bcc|date|sent|subject|reply-to)\**:\**\s*(.*)$/i;
const closing =
	/^(?:(?:kind|best|warm|many|with kind|with best)?\s*(?:regards|wishes)|best|all the best|cheers|thanks|thank you|many thanks|yours(?: \w+)?|(?:yours )?sincerely|love|hugs|greetings|take care)\s*(?:[,!.]\s*\p{L}*\.?)?\s*$|^--\s*$/iu;
const greeting = /^(?:dear|hi|hello) ([^,:]{1,60})[,:]$/i;
const quotedHistory = /^(?:On\b.{6,80}\bwrote:|-{3,}\s*(?:original|forwarded) message|begin forwarded message)/i;
const footer = /^sent from my \w+|\bconfidential\b.*\baddressee\b|^this e-?mail\b/i;

export type PartOfMail = "head" | "end" | "message";

/** The mail header that begins with this line; null if there is none, or if it has no sender or no other field. */
export function mailAt(lines: readonly Line[], i: number): Mail | null {
	if (!headerField.test(lines[i]?.text ?? "") || headerField.test(lines[i - 1]?.text ?? "")) return null;
	const fields = new Map<string, string>();
	for (const { text } of lines.slice(i, i + headLinesMax)) {
		const [, name, value] = headerField.exec(text) ?? [];
		if (name === undefined || value === undefined) break;
		if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
	}
	const sender = nameOf(fields.get("from") ?? "");
	if (sender === null || fields.size < 2) return null;
	const date = fields.get("date") ?? fields.get("sent") ?? "";
	const day = date === "" ? null : parseDate(date, { instant: new Date(0), timezone: 0 });
	const subject = (fields.get("subject") ?? "").replace(/^(?:(?:re|fwd?|aw|wg)\s*:\s*)+/i, "");
	return { sender, recipient: nameOf(fields.get("to") ?? ""), subject: subject === "" ? null : subject, day };
}

/** Reads a letter, which has no header but begins with a greeting and ends with the name of the sender. Null if the text is not a letter. */
export function letterOf(lines: readonly Line[]): Mail | null {
	const greetingIndex = lines.findIndex(({ text }) => greeting.test(text.trim()));
	const closingIndex = lines.findLastIndex(({ text }) => closing.test(text.trim()));
	if (greetingIndex < 0 || closingIndex <= greetingIndex || greetingIndex > headLinesMax || lines.length - closingIndex > headLinesMax) return null;
	const sender = nameOf(lines[closingIndex + 1]?.text ?? "");
	const recipient = nameOf(greeting.exec(lines[greetingIndex]?.text.trim() ?? "")?.[1] ?? "");
	return sender === null ? null : { sender, recipient, subject: null, day: null };
}

export function partOfMail(line: string): PartOfMail {
	if (headerField.test(line)) return "head";
	return closing.test(line.trim()) || quotedHistory.test(line) || footer.test(line) ? "end" : "message";
}

/** The name in a mail field: `Greta Olm <greta@example.org>` → `Greta Olm`; null for an address without a name, and for more than one name. */
function nameOf(value: string): string | null {
	const name = value
		.replace(/<[^>]*>|\([^)]*\)|\S+@\S+/g, "")
		.replace(/["*]/g, "")
		.trim();
	return /^\p{Lu}[\p{L}.'’-]*(?: \p{L}[\p{L}.'’-]*){0,3}$/u.test(name) ? name : null;
}
