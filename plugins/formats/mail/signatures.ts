/** Signatures of mails and mailboxes, by their header fields. */

import type { FileSignature } from "cairn-memory";

export const mailSignatures: readonly FileSignature[] = [
	{
		mediaType: "application/mbox",
		extensions: ["mbox"],
		matchesText: (start) => /^From \S[^\n]{0,200}\d{1,2}:\d{2}[^\n]{0,40}\d{4}[^\n]*\n[!-9;-~]+:/.test(start),
	},
	{ mediaType: "message/rfc822", extensions: ["eml", "emlx", "mht", "mhtml"], matchesText: (start) => isMail(start.replace(lengthLine, "")) },
];

export const msgSignatures: readonly FileSignature[] = [
	{ mediaType: "application/vnd.ms-outlook", container: "application/x-cfb", extensions: ["msg"], oleStream: "__properties_version1.0" },
];

/** Apple Mail writes the length of a mail before it. */
const lengthLine = /^\d{1,12}[ \t]*\n/;

/** Header fields of mails. */
const mailField = /^(?:from|to|cc|subject|date|message-id|received|return-path|delivered-to|mime-version|content-type|reply-to|sender|dkim-signature):/i;
/** Letters and memos in plain text have fewer such fields. */
const mailFieldsMin = 3;

/** Whether all lines up to the first blank line are header fields, and one of them is a field that only programs write. */
function isMail(start: string): boolean {
	const header = start.slice(0, 8_192).split(/\r?\n\r?\n/, 1)[0] ?? "";
	const lines = header.split(/\r?\n/).filter((line) => !/^[ \t]/.test(line));
	if (header.length < 8_192 && !lines.every((line) => /^[!-9;-~]+:/.test(line))) return false;
	const mailFields = new Set(lines.map((line) => mailField.exec(line)?.[0].toLowerCase()).filter((field) => field !== undefined));
	const hasTransportField = ["message-id:", "received:", "mime-version:", "return-path:", "delivered-to:"].some((field) => mailFields.has(field));
	return mailFields.size >= mailFieldsMin && (mailFields.has("from:") || mailFields.has("subject:")) && hasTransportField;
}
