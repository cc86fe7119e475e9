/** E-mails and memos as text: who writes to whom and when, and which lines are the message. */

export interface Mail {
	readonly sender: string;
	/** The only one it is written to; null for none, several or everyone. */
	readonly recipient: string | null;
	/** As written. */
	readonly date: string | null;
}

/** How many lines may stand before the message; a header further down is part of what is told. */
const headerLinesMax = 20;
const field = /^\**(from|to|cc|bcc|date|sent|subject|reply-to)\**:\**\s*(.*)$/i;
const closing =
	/^(?:(?:kind|best|warm|many|with kind|with best)?\s*(?:regards|wishes)|best|all the best|cheers|thanks|thank you|many thanks|yours(?: \w+)?|(?:yours )?sincerely|love|greetings|take care)\s*[,!.]?\s*$|^--\s*$/i;
const history = /^(?:On\b.{6,80}\bwrote:|-{3,}\s*(?:original|forwarded) message|begin forwarded message)/i;
const notes = /^sent from my \w+|\bconfidential\b.*\baddressee\b|^this e-?mail\b/i;

/** Null unless lines at the beginning name a sender and something else of an e-mail's head. */
export function readMail(text: string): Mail | null {
	const fields = new Map<string, string>();
	for (const line of text.split("\n", headerLinesMax)) {
		const [, name, value] = field.exec(line) ?? [];
		if (name !== undefined && value !== undefined && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
	}
	const sender = nameOf(fields.get("from") ?? "");
	if (sender === null || fields.size < 2) return null;
	return { sender, recipient: nameOf(fields.get("to") ?? ""), date: fields.get("date") ?? fields.get("sent") ?? null };
}

/** What a line of an e-mail is: a field of its head, the quoted mail before it, the end of the message, or the message. */
export function partOfMail(line: string): "head" | "quoted" | "end" | "message" {
	if (field.test(line)) return "head";
	if (/^\s*>/.test(line)) return "quoted";
	return closing.test(line.trim()) || history.test(line) || notes.test(line) ? "end" : "message";
}

/** `Greta Olm <greta@example.org>` → `Greta Olm`; null for a bare address and for more than one name. */
function nameOf(value: string): string | null {
	const name = value
		.replace(/<[^>]*>|\([^)]*\)/g, "")
		.replace(/["*]/g, "")
		.trim();
	return /^\p{Lu}[\p{L}.'’-]*(?: \p{L}[\p{L}.'’-]*){0,3}$/u.test(name) ? name : null;
}
