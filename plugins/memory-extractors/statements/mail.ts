/** E-mails as text: who writes to whom and when, and which lines are the message. */

import { parseDate } from "chrono-node/en";
import type { Line } from "./read-lines.ts";

export interface Mail {
	readonly sender: string;
	/** The only one it is written to; null for none, several or everyone. */
	readonly recipient: string | null;
	readonly subject: string | null;
	readonly day: Date | null;
}

/** So many lines a head may have from its sender on. */
const headLinesMax = 8;
const field = /^\**(from|to|cc|bcc|date|sent|subject|reply-to)\**:\**\s*(.*)$/i;
const closing =
	/^(?:(?:kind|best|warm|many|with kind|with best)?\s*(?:regards|wishes)|best|all the best|cheers|thanks|thank you|many thanks|yours(?: \w+)?|(?:yours )?sincerely|love|hugs|greetings|take care)\s*(?:[,!.]\s*\p{L}*\.?)?\s*$|^--\s*$/iu;
const greeting = /^(?:dear|hi|hello) ([^,:]{1,60})[,:]$/i;
const history = /^(?:On\b.{6,80}\bwrote:|-{3,}\s*(?:original|forwarded) message|begin forwarded message)/i;
const notes = /^sent from my \w+|\bconfidential\b.*\baddressee\b|^this e-?mail\b/i;

export type PartOfMail = "head" | "end" | "message";

/** The head that begins with this line; null where it names no sender, or nothing beside. */
export function mailAt(lines: readonly Line[], i: number): Mail | null {
	if (!field.test(lines[i]?.text ?? "") || field.test(lines[i - 1]?.text ?? "")) return null;
	const fields = new Map<string, string>();
	for (const { text } of lines.slice(i, i + headLinesMax)) {
		const [, name, value] = field.exec(text) ?? [];
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

/** A letter has no head: it begins with whom it is written to and ends with who writes it. Null for what is none. */
export function letterOf(lines: readonly Line[]): Mail | null {
	const greeted = lines.findIndex(({ text }) => greeting.test(text.trim()));
	const closed = lines.findLastIndex(({ text }) => closing.test(text.trim()));
	if (greeted < 0 || closed <= greeted || greeted > headLinesMax || lines.length - closed > headLinesMax) return null;
	const sender = nameOf(lines[closed + 1]?.text ?? "");
	const recipient = nameOf(greeting.exec(lines[greeted]?.text.trim() ?? "")?.[1] ?? "");
	return sender === null ? null : { sender, recipient, subject: null, day: null };
}

export function partOfMail(line: string): PartOfMail {
	if (field.test(line)) return "head";
	return closing.test(line.trim()) || history.test(line) || notes.test(line) ? "end" : "message";
}

/** `Greta Olm <greta@example.org>` → `Greta Olm`; null for a bare address and for more than one name. */
function nameOf(value: string): string | null {
	const name = value
		.replace(/<[^>]*>|\([^)]*\)|\S+@\S+/g, "")
		.replace(/["*]/g, "")
		.trim();
	return /^\p{Lu}[\p{L}.'’-]*(?: \p{L}[\p{L}.'’-]*){0,3}$/u.test(name) ? name : null;
}
