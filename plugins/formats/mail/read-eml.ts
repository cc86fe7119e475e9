/** Reads a mail in Internet Message Format (RFC 5322, MIME). */

import { fail } from "cairn-memory";
import PostalMime, { type Address, decodeWords, type Email, type Attachment as Part } from "postal-mime";
import { decodeText } from "../text/decode-text.ts";
import { cleanText } from "../text/plain-text.ts";
import { type Addressee, type Attachment, addressLine, attachmentsMax, headerLine, type Mail } from "./mail.ts";

/** Real mails nest about a dozen parts, and the headers of all their parts have less than a megabyte. */
const parserLimits = { maxNestingDepth: 100, maxHeadersSize: 16 * 1024 * 1024 } as const;

/** The `format=flowed` parameter is searched for in this many bytes, which come before large attachments. */
const searchedBytes = 256 * 1024;
/** A shorter line was not wrapped. Programs wrap lines at 66 to 78 characters, minus the next word and the quote marks. */
const flowedLineMin = 40;

/** Every mail, even a draft, has at least one of these header fields. */
const mailHeaders: ReadonlySet<string> = new Set([
	"from",
	"to",
	"cc",
	"subject",
	"date",
	"message-id",
	"received",
	"mime-version",
	"content-type",
	"return-path",
	"sender",
]);

/** @throws FILE_BROKEN if it has no mail header, or one that is too long. */
export async function readEml(bytes: Uint8Array): Promise<Mail> {
	const email = await parse(toUtf8(bytes));
	if (!email.headers.some(({ key }) => mailHeaders.has(key))) throw fail("FILE_BROKEN", "it does not begin with a mail header");
	const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? null;
	const toAddressees = (addresses: readonly Address[] | undefined) => (addresses ?? []).flatMap(addresseesOf);
	return {
		subject: oneLine(email.subject),
		headerLines: [
			...addressLine("From", toAddressees(email.from === undefined ? undefined : [email.from])),
			...addressLine("To", toAddressees(email.to)),
			...addressLine("Cc", toAddressees(email.cc)),
			...addressLine("Bcc", toAddressees(email.bcc)),
			...headerLine("Date", decodeWords(header("date") ?? "")),
		],
		bodies: { text: clean(isFlowed(bytes) ? joinFlowedQuotes(email.text ?? "") : email.text), html: clean(email.html), rtf: null },
		attachments: email.attachments.slice(0, attachmentsMax).map(attachmentOf),
		attachmentsLeftOut: Math.max(0, email.attachments.length - attachmentsMax),
	};
}

async function parse(bytes: Uint8Array): Promise<Email> {
	try {
		// With this option attached mails become attachments and not part of the text.
		return await PostalMime.parse(bytes, { ...parserLimits, forceRfc822Attachments: true });
	} catch (thrown) {
		throw fail("FILE_BROKEN", "its parts are nested too deeply, or its headers are too long").because(thrown);
	}
}

/** Converts mails that were saved in UTF-16 to UTF-8, and removes a byte order mark. */
function toUtf8(bytes: Uint8Array): Uint8Array {
	const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes.subarray(0, 64).includes(0);
	if (isUtf16) return new TextEncoder().encode(decodeText(bytes, null));
	const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
	return hasByteOrderMark ? bytes.subarray(3) : bytes;
}

function isFlowed(bytes: Uint8Array): boolean {
	return /format\s?=\s?"?flowed/i.test(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, searchedBytes)).toString("latin1"));
}

/** Removes the quote marks that the parser leaves between joined lines of a flowed quote: `> words > and more`. */
function joinFlowedQuotes(text: string): string {
	return text
		.split("\n")
		.map((line) => {
			const marks = /^(?:> ?){1,50}/.exec(line)?.[0] ?? "";
			if (marks === "") return line;
			const [first = "", ...rest] = line.slice(marks.length).split(` ${marks.trimEnd()} `);
			let lineLength = first.length;
			return rest.reduce((joined, part) => {
				const wasWrapped = lineLength >= flowedLineMin;
				lineLength = wasWrapped ? part.length : lineLength + part.length;
				return `${joined} ${wasWrapped ? "" : `${marks.trimEnd()} `}${part}`;
			}, `${marks}${first}`);
		})
		.join("\n");
}

function addresseesOf({ name, address, group }: Address): readonly Addressee[] {
	if (group === undefined) return [{ name, address }];
	return group.length === 0 ? [{ name, address: "" }] : group.map((member) => ({ name: member.name, address: member.address }));
}

function attachmentOf({ filename, mimeType, related, disposition, content }: Part): Attachment {
	return {
		name: oneLine(filename ?? ""),
		mediaType: mimeType.toLowerCase(),
		isInline: related === true && disposition !== "attachment",
		content: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content),
	};
}

function clean(text: string | undefined): string | null {
	return text === undefined || text.trim() === "" ? null : cleanText(text);
}

function oneLine(text: string | undefined): string {
	return (text ?? "").replace(/[\p{Cc}\s]+/gu, " ").trim();
}
